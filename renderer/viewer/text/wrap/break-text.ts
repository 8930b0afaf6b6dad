/** Breaks a line's text to the width of the view, at blanks if the screen line is then at least half full. */

/** Returns a character's columns: one for most, two for wide ones, none for combining ones. */
export type ColumnsOf = (char: string) => number;

const TAB_COLUMNS = 8;
/** Printable ASCII: every character takes one column. */
const PLAIN = /^[\x20-\x7e]*$/;
const NO_BREAKS: readonly number[] = [];

/**
 * Returns the start of each screen line after the first, as UTF-16 indexes into the text. A blank at the end of a
 * screen line may be beyond its edge.
 * @param columns at least 2
 */
export function breakText(text: string, columns: number, columnsOf: ColumnsOf): readonly number[] {
  const plain = PLAIN.test(text);
  if (plain && text.length <= columns) return NO_BREAKS;
  const breaks: number[] = [];
  let start = 0;
  /** Index after the last blank of the screen line. */
  let blank = 0;
  let used = 0;
  for (let at = 0; at < text.length; ) {
    const char = plain ? text[at]! : String.fromCodePoint(text.codePointAt(at)!);
    const wide = plain ? 1 : widthOf(char, used, columnsOf);
    const hangs = char === ' ' && used <= columns;
    if (used + wide > columns && wide > 0 && at > start && !hangs) {
      const next = blank > start && at - blank <= columns / 2 ? blank : at;
      breaks.push(next);
      start = next;
      at = next;
      used = 0;
      continue;
    }
    used += wide;
    at += char.length;
    if (char === ' ' || char === '\t') blank = at;
  }
  return breaks;
}

function widthOf(char: string, used: number, columnsOf: ColumnsOf): number {
  if (char === '\t') return TAB_COLUMNS - (used % TAB_COLUMNS);
  return char < '\x7f' ? 1 : columnsOf(char);
}
