/**
 * One line as it is shown: its bytes decoded, redraws applied, clipped. A view's cost is bounded however long
 * its lines are: a long line without redraws is read only as far as it is shown, and what redraws need is budgeted.
 */
import type { StyleRun } from '../../../shared/api/rows.ts';
import { clipText } from '../../../shared/text/clip.ts';
import { lineText, styledLine } from '../../../shared/text/line-text.ts';
import type { ByteSource } from '../bytes/source.ts';
import type { RawLine } from '../lines/line-cursor.ts';
import { unitBytes, unitIndexOf } from '../lines/newlines.ts';
import type { Decoder } from '../text/encoding.ts';

/** Of a redrawn line longer than this, only the last so many bytes are replayed. */
export const MAX_REPLAY_BYTES = 4 * 1024 * 1024;
/** Bytes of long lines one view looks at before it ends early, to be read on from there. */
const VIEW_BUDGET_BYTES = 64 * 1024 * 1024;

export interface LineOptions {
  raw: boolean;
  styled: boolean;
  maxChars: number;
}

export interface ShownLine {
  text: string;
  runs: StyleRun[] | null;
  /** Text is missing at the end (or, of a very long redrawn line, at the start). */
  clipped: boolean;
}

export class LineRenderer {
  readonly #source: ByteSource;
  readonly #decoder: Decoder;
  readonly #options: LineOptions;
  #budget = VIEW_BUDGET_BYTES;
  /** A line's redraws were replayed in part. */
  replayedPart = false;

  constructor(source: ByteSource, decoder: Decoder, options: LineOptions) {
    this.#source = source;
    this.#decoder = decoder;
    this.#options = options;
  }

  /** True when the view has looked at so much that it should end, to be read on from the next line. */
  get spent(): boolean {
    return this.#budget <= 0;
  }

  show(line: RawLine): ShownLine {
    const { maxChars } = this.#options;
    const enough = Math.max(maxChars * this.#decoder.bytesPerChar + 64, 64 * 1024);
    const head = this.#first(line, enough);
    if (line.bytes <= enough) return this.#finish(this.#decode(head, line), false);
    if (this.#options.raw) return this.#finish(this.#decode(head, line, true), true);
    const { bytes, redrawn } = this.#whole(line);
    this.#budget -= bytes.length;
    if (!redrawn) return this.#finish(this.#decode(head, line, true), true);
    const partial = bytes.length < line.bytes;
    this.replayedPart ||= partial;
    this.#budget -= bytes.length * 7;
    return this.#finish(this.#decode(bytes, line, partial), partial);
  }

  /** The line's first `count` bytes, or all it has; the cursor gave as many as it held. */
  #first(line: RawLine, count: number): Uint8Array {
    const wanted = Math.min(count, line.bytes);
    if (line.head.length >= wanted) return line.head.subarray(0, wanted);
    const bytes = Buffer.allocUnsafe(wanted);
    this.#source.read(bytes, line.offset);
    return bytes;
  }

  /**
   * The line's bytes, or where it is longer than can be replayed its last ones, from a redraw's beginning on; and whether
   * anything redraws it.
   */
  #whole(line: RawLine): { bytes: Uint8Array; redrawn: boolean } {
    if (line.head.length === line.bytes) return { bytes: line.head, redrawn: redraws(line.head) };
    const take = Math.min(line.bytes, MAX_REPLAY_BYTES);
    const bytes = Buffer.allocUnsafe(take);
    this.#source.read(bytes, line.offset + line.bytes - take);
    if (take === line.bytes) return { bytes, redrawn: redraws(bytes) };
    const size = unitBytes(this.#decoder.unit);
    const firstReturn = unitIndexOf(bytes, 13, this.#decoder.unit);
    if (firstReturn >= 0 && firstReturn < take - size) {
      return { bytes: bytes.subarray(firstReturn + size), redrawn: true };
    }
    this.#source.read(bytes, line.offset);
    return { bytes, redrawn: redraws(bytes) };
  }

  #decode(bytes: Uint8Array, line: RawLine, partial = false): string {
    const text = this.#decoder.decode(bytes, partial);
    return line.offset === 0 && text.charCodeAt(0) === 0xfeff ? text.slice(1) : text;
  }

  #finish(decoded: string, partial: boolean): ShownLine {
    const { raw, styled, maxChars } = this.#options;
    const line = raw
      ? { text: decoded, runs: null }
      : styled
        ? styledLine(decoded)
        : { text: lineText(decoded), runs: null };
    const cut = clipText(line.text, maxChars);
    return {
      text: cut.text,
      runs: cut.clipped && line.runs ? clipRuns(line.runs, cut.text.length) : line.runs,
      clipped: cut.clipped || partial,
    };
  }
}

/** Whether anything in the line moves the cursor back: CR (but for the one of CRLF), backspace, or an escape sequence. */
function redraws(bytes: Uint8Array): boolean {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const cr = buffer.indexOf(13);
  return (cr >= 0 && cr < buffer.length - 1) || buffer.includes(27) || buffer.includes(8);
}

function clipRuns(runs: StyleRun[], end: number): StyleRun[] | null {
  const kept = runs.filter((run) => run.start < end).map((run) => ({ ...run, end: Math.min(run.end, end) }));
  return kept.length > 0 ? kept : null;
}
