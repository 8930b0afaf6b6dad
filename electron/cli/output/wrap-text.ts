/** Wraps a sentence to a terminal's width. */
import { widthOf } from './table.ts';

/**
 * Breaks at spaces into lines of at most `columns` cells; longer words stay whole. Indents all lines but the first
 * by `indent` spaces.
 */
export function wrapText(text: string, columns: number, indent: number): string {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    const longer = line === '' ? word : `${line} ${word}`;
    if (line === '' || widthOf(longer) <= columns) {
      line = longer;
      continue;
    }
    lines.push(line);
    line = word;
  }
  return [...lines, line].join(`\n${' '.repeat(indent)}`);
}
