/** Facts within a reply's length: the longest of some lists loses its end, until they fit; counts beside them stay true. */

/** `maxChars`: of the facts as JSON. `cut` says whether something was left out. */
export function fitLists<T extends object, K extends keyof T>(
  facts: T,
  lists: readonly K[],
  maxChars: number,
): { facts: T; cut: boolean } {
  const fitted = { ...facts };
  let cut = false;
  while (JSON.stringify(fitted).length > maxChars) {
    const [longest] = lists.toSorted((a, b) => sizeOf(fitted[b]) - sizeOf(fitted[a]));
    const list = longest === undefined ? null : fitted[longest];
    if (!Array.isArray(list) || list.length === 0) break;
    fitted[longest!] = list.slice(0, Math.floor(list.length * 0.8)) as T[K];
    cut = true;
  }
  return { facts: fitted, cut };
}

function sizeOf(list: unknown): number {
  return JSON.stringify(list)?.length ?? 0;
}
