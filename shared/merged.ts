/** Several artifacts merged into one text. */

export const MAX_MERGED = 32;

const MERGED = 'capture-merged-1970-01-01T00-00-00-';

/** The id of the merged text: the same for the same artifacts in the same order. */
export function mergedId(ids: readonly string[]): string {
  let hash = 0x811c9dc5;
  for (const char of ids.join(' ')) hash = Math.imul(hash ^ char.charCodeAt(0), 0x01000193) >>> 0;
  return `${MERGED}${(hash & 0xffffff).toString(16).padStart(6, '0')}`;
}

export function isMergedId(id: string): boolean {
  return id.startsWith(MERGED);
}
