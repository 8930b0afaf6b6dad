/** Tells how much of a line is a dump of bytes: hexadecimal digits, escapes, Base64. */

// No lookahead: on a line of one long word it would read the word again from each of its characters.
const DUMP =
  /(?:\\(?:x[0-9a-f]{2}|[0-7]{1,3}|[abtnvfr]).?){3,}|(?:[0-9a-f]{2}[: ]){6,}|[0-9a-f]{20,}|[a-z0-9+/]{48,}/giu;
const HAS_DIGIT = /\d/;
const MOST_CHARS = 240;

/** From 0 to 1. */
export function opacity(line: string): number {
  const text = line.slice(0, MOST_CHARS).trim();
  if (text.length === 0) return 0;
  let dumped = 0;
  for (const [run] of text.matchAll(DUMP)) if (HAS_DIGIT.test(run)) dumped += run.length;
  return dumped / text.length;
}
