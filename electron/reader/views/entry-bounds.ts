/** Finds where the entries of a text begin and end around some of its lines. */
import type { TimeFacts } from '../../../shared/text/line-time.ts';
import type { Decoder } from '../bytes/encoding.ts';
import type { OpenStream } from '../bytes/open-stream.ts';
import type { BlockIndex } from '../lines/block-index.ts';
import { LineCursor } from '../lines/line-cursor.ts';
import { lineStart, totalLines } from '../lines/line-positions.ts';
import { EntryReader, type EntryRule } from '../lines/log-format.ts';
import { LineRenderer } from './line-renderer.ts';

/** How entries are told. */
export interface EntryForm {
  rule: EntryRule;
  facts: TimeFacts;
}

/** Stored lines, both included. */
export interface LineSpan {
  first: number;
  last: number;
}

/** Lines that are looked at before and behind a line: of a longer entry only these are taken. */
export const MOST_ENTRY_LINES = 200;
/** Lines to look back first: most entries are short. */
const NEAR_LINES = 24;
/** Characters of a line that tell whether it begins an entry. */
const LINE_CHARS = 2048;

export class EntryBounds {
  readonly #stream: OpenStream;
  readonly #index: BlockIndex;
  readonly #decoder: Decoder;
  readonly #form: EntryForm;
  readonly #renderer: LineRenderer;
  readonly #total: number;

  constructor(stream: OpenStream, index: BlockIndex, decoder: Decoder, form: EntryForm) {
    this.#stream = stream;
    this.#index = index;
    this.#decoder = decoder;
    this.#form = form;
    this.#renderer = new LineRenderer(stream, decoder, { raw: false, styled: false, maxChars: LINE_CHARS });
    this.#total = totalLines(index, stream, decoder.unit);
  }

  /** Returns the span, grown to the borders of the entries that its ends are in. */
  around({ first, last }: LineSpan): LineSpan {
    if (first > last) return { first, last };
    return { first: this.startOf(first), last: this.endOf(last) };
  }

  /** Returns the first line of the entry that the line is in. */
  startOf(line: number): number {
    // Whether a line continues a diff, only the lines before it tell.
    const steps = this.#form.rule === 'unindented' ? [MOST_ENTRY_LINES] : [NEAR_LINES, MOST_ENTRY_LINES];
    for (const back of steps) {
      const from = Math.max(1, line - back);
      let start = from === 1 ? 1 : 0;
      this.#read(from, (number, begins) => {
        if (begins && number <= line) start = number;
        return number < line;
      });
      if (start > 0) return start;
    }
    return Math.max(1, line - MOST_ENTRY_LINES);
  }

  /** Returns the last line of the entry that the line is in. */
  endOf(line: number): number {
    const limit = Math.min(this.#total, line + MOST_ENTRY_LINES);
    let end = limit;
    this.#read(this.startOf(line), (number, begins) => {
      if (begins && number > line) end = number - 1;
      return end === limit && number < limit;
    });
    return end;
  }

  #read(first: number, each: (number: number, begins: boolean) => boolean): void {
    const reader = new EntryReader(this.#form.rule, this.#form.facts);
    const position = lineStart(this.#stream, this.#index, this.#decoder.unit, first);
    const cursor = new LineCursor(this.#stream, this.#decoder.unit, { position, number: first }, this.#index);
    for (let line = cursor.next(); line; line = cursor.next()) {
      if (!each(line.number, reader.begins(this.#renderer.show(line).text))) return;
    }
  }
}
