/** Tells how much of a line is a dump of bytes: hexadecimal digits, escapes, Base64. */

const DUMP =
  /(?:\\(?:x[0-9a-f]{2}|[0-7]{1,3}|[abtnvfr]).?){3,}|(?:[0-9a-f]{2}[: ]){6,}|(?=[a-f]*\d)[0-9a-f]{20,}|(?=\S*\d)[a-z0-9+/]{48,}/giu;
const MOST_CHARS = 240;

/** From 0 to 1. */
export function opacity(line: string): number {
  const text = line.slice(0, MOST_CHARS).trim();
  if (text.length === 0) return 0;
  let dumped = 0;
  for (const [run] of text.matchAll(DUMP)) dumped += run.length;
  return dumped / text.length;
}
