/** The text of many lines, fetched piece by piece: what is selected need not be on the screen. */
import { SpillwayError } from '../../../shared/errors.ts';
import { ROWS_PER_BLOCK } from '../../../shared/limits.ts';
import type { FetchRows } from '../document/row-source.ts';

/** More lines than this are only copied after asking. */
export const CONFIRM_LINES = 100_000;
/** UTF-16 code units; a string ends at 512 Mi, and pasting this much is already hard on every program. */
export const MAX_CHARS = 256 * 1024 * 1024;

const LINES_PER_REQUEST = ROWS_PER_BLOCK * 4;

export interface CopiedLines {
  text: string;
  lines: number;
  /** Lines of which only the beginning is in `text`. */
  clipped: number;
}

/**
 * Lines `first..last`, joined by a newline. Rejects with `changed` when the text was replaced meanwhile
 * or ends before `last`, with `out_of_range` when it is too much: never with less than was asked for.
 */
export async function copyLines(
  fetch: FetchRows,
  first: number,
  last: number,
  options: { signal: AbortSignal; onProgress?: (done: number) => void; mostChars?: number },
): Promise<CopiedLines> {
  const mostChars = options.mostChars ?? MAX_CHARS;
  const pieces: string[] = [];
  let generation: number | null = null;
  let chars = 0;
  let clipped = 0;
  for (let line = first; line <= last; line += LINES_PER_REQUEST) {
    const count = Math.min(LINES_PER_REQUEST, last - line + 1);
    const result = await fetch(line, count, options.signal);
    generation ??= result.generation;
    if (result.generation !== generation || result.rows.length !== count) {
      throw new SpillwayError('changed', 'The text changed while it was copied', 'select and copy again');
    }
    for (const row of result.rows) {
      if (row.missing) continue;
      pieces.push(row.text);
      chars += row.text.length + 1;
      if (row.clipped) clipped += 1;
    }
    if (chars > mostChars) {
      throw new SpillwayError(
        'out_of_range',
        'The selected lines are too much for the clipboard',
        'select fewer lines, or use spillway inspect --mode range in a terminal',
      );
    }
    options.onProgress?.(line + count - first);
  }
  return { text: pieces.join('\n'), lines: pieces.length, clipped };
}
