/** Pieces of Markdown that hold any text as it is. */

/** A code span. */
export function codeSpan(text: string): string {
  const ticks = '`'.repeat(longestTicks(text) + 1);
  const space = text.startsWith('`') || text.endsWith('`') ? ' ' : '';
  return `${ticks}${space}${text}${space}${ticks}`;
}

/** A code block. */
export function codeBlock(text: string): string {
  const fence = '`'.repeat(Math.max(3, longestTicks(text) + 1));
  return `${fence}text\n${text}\n${fence}`;
}

function longestTicks(text: string): number {
  return Math.max(0, ...(text.match(/`+/g) ?? []).map((run) => run.length));
}
