/** Breaks a sentence into lines of a terminal. */
import { widthOf } from './table.ts';

/** Breaks at spaces, so that no line is wider than `columns` cells unless a word is; later lines begin with `indent` spaces. */
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
