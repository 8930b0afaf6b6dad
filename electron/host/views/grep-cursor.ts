/**
 * Cursors between pages of one grep. One names the last match that was given, so it stays valid while the file grows;
 * and by short hashes the search and the text, as among other matches, or other lines, it would skip some.
 */
import { SpillwayError } from '../../../shared/errors.ts';
import { sha256 } from '../../store/format/sha256.ts';
import type { Generation } from '../documents/generation.ts';

/** Bytes at the beginning by which a text is known to another process. */
const MOST_HEAD_BYTES = 4096;
const HASH_CHARS = 8;

type Text = Pick<Generation, 'head' | 'number'>;

export class GrepCursors {
  readonly #search: string;
  readonly #text: Text;
  readonly #maySwap: boolean;

  /** `search`: of what, and for what. `maySwap`: others may write another text that begins alike. */
  constructor(search: string, text: Text, maySwap: boolean) {
    this.#search = sha256(search).slice(0, HASH_CHARS);
    this.#text = text;
    this.#maySwap = maySwap;
  }

  after(line: number): string {
    const bytes = Math.min(this.#text.head.length, MOST_HEAD_BYTES);
    return [line, bytes, this.#search, this.#textHash(bytes)].join('.');
  }

  /** Throws `usage` for a cursor that no page of this search gave, `changed` for one of another text. */
  lineOf(cursor: string): number {
    const [, line, bytes, search, text] = /^(\d+)\.(\d+)\.(\w+)\.(\w+)$/.exec(cursor) ?? [];
    if (line === undefined || !Number.isSafeInteger(Number(line)))
      throw new SpillwayError(
        'usage',
        'unknown cursor',
        'use next_cursor of the page before, or leave it out',
      );
    if (search !== this.#search)
      throw new SpillwayError(
        'usage',
        'the cursor is of another search',
        'give the same output and pattern as for the page before, or leave it out to begin anew',
      );
    if (text !== this.#textHash(Number(bytes)))
      throw new SpillwayError(
        'changed',
        'the file was replaced or written again since the page before',
        'leave `cursor` out to begin anew',
      );
    return Number(line);
  }

  #textHash(bytes: number): string {
    const { head, number } = this.#text;
    return sha256(`${this.#maySwap ? number : ''} ${head.toString('latin1', 0, bytes)}`).slice(0, HASH_CHARS);
  }
}
