/** Quotes text in Markdown, whatever back ticks it has. */

export function codeSpan(text: string): string {
  const ticks = '`'.repeat(longestTicks(text) + 1);
  const space = text.startsWith('`') || text.endsWith('`') ? ' ' : '';
  return `${ticks}${space}${text}${space}${ticks}`;
}

export function codeBlock(text: string): string {
  const around = fence(longestTicks(text));
  return `${around}text\n${text}\n${around}`;
}

/** Returns a fence for text with `ticks` back ticks in a row. */
export function fence(ticks: number): string {
  return '`'.repeat(Math.max(3, ticks + 1));
}

export function longestTicks(text: string): number {
  let longest = 0;
  for (const [run] of text.matchAll(/`+/g)) longest = Math.max(longest, run.length);
  return longest;
}
