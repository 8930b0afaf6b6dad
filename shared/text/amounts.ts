/** Amounts that people read and type: `1 GiB`, `24`, `7 days`. Nothing is rounded. */

const BYTES: readonly [word: string, bytes: number][] = [
  ['TiB', 1024 ** 4],
  ['GiB', 1024 ** 3],
  ['MiB', 1024 ** 2],
  ['KiB', 1024],
];

/** Returns it in the largest unit that tells it exactly with two decimals at most. */
export function formatExactBytes(bytes: number): string {
  for (const [word, size] of BYTES) {
    const count = Math.round((bytes / size) * 100) / 100;
    if (count >= 1 && count * size === bytes) return `${count} ${word}`;
  }
  return `${bytes} bytes`;
}

/** Takes `2 GiB`, `1.5g`, `500 MB` (as MiB, as everywhere here) and plain bytes; null for anything else. */
export function parseBytes(text: string): number | null {
  const [, digits, letter] = /^\s*(\d+(?:\.\d+)?)\s*(?:([kmgt])i?b?|b|bytes?)?\s*$/i.exec(text) ?? [];
  if (digits === undefined) return null;
  const [, size = 1] = BYTES.find(([word]) => word[0] === letter?.toUpperCase()) ?? [];
  return Math.round(Number(digits) * size);
}

/** Takes `24`, `24 h`, `7 days`; null for anything else. */
export function parseHours(text: string): number | null {
  const [, digits, unit] = /^\s*(\d+(?:\.\d+)?)\s*(h|hours?|d|days?)?\s*$/i.exec(text) ?? [];
  if (digits === undefined) return null;
  return Number(digits) * (unit?.toLowerCase().startsWith('d') ? 24 : 1);
}
