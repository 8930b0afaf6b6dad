/**
 * Renders a line's bytes as line text: decodes, applies redraws, clips. A view's cost is bounded, however long its
 * lines are: a long line without redraws is read only as far as it is shown, and redraws have a budget.
 */
import type { StyleRun } from '../../../shared/api/rows.ts';
import { clipText } from '../../../shared/text/clip.ts';
import { lineText, styledLine } from '../../../shared/text/line-text.ts';
import type { Decoder } from '../bytes/encoding.ts';
import type { OpenStream } from '../bytes/open-stream.ts';
import type { RawLine } from '../lines/line-cursor.ts';
import { unitBytes, unitIndexOf } from '../lines/newlines.ts';

/** Most bytes of a redrawn line to replay: its last ones. */
const MAX_REPLAY_BYTES = 4 * 1024 * 1024;
/** Bytes of long lines that one view reads before it ends early; the reader continues from there. */
const VIEW_BUDGET_BYTES = 64 * 1024 * 1024;

interface LineOptions {
  raw: boolean;
  styled: boolean;
  maxChars: number;
}

export interface ShownLine {
  text: string;
  runs: StyleRun[] | null;
  /** Whether the end was left out (for a very long redrawn line, the start). */
  clipped: boolean;
}

export class LineRenderer {
  readonly #stream: OpenStream;
  readonly #decoder: Decoder;
  readonly #options: LineOptions;
  #budget = VIEW_BUDGET_BYTES;
  /** Whether some line's redraws were replayed only in part. */
  replayedPart = false;

  constructor(stream: OpenStream, decoder: Decoder, options: LineOptions) {
    this.#stream = stream;
    this.#decoder = decoder;
    this.#options = options;
  }

  /** Whether the budget is used up: the view should end after this line. */
  get spent(): boolean {
    return this.#budget <= 0;
  }

  show(line: RawLine): ShownLine {
    const { maxChars } = this.#options;
    const enough = Math.max(maxChars * this.#decoder.bytesPerChar + 64, 64 * 1024);
    const head = this.#first(line, enough);
    if (line.bytes <= enough) return this.#finish(this.#decode(head, line), false);
    if (this.#options.raw) return this.#finish(this.#decode(head, line, true), true);
    const { bytes, redrawn } = replayed(this.#stream, this.#decoder, line);
    this.#budget -= bytes.length;
    if (!redrawn) return this.#finish(this.#decode(head, line, true), true);
    const partial = bytes.length < line.bytes;
    this.replayedPart ||= partial;
    this.#budget -= bytes.length * 7;
    return this.#finish(this.#decode(bytes, line, partial), partial);
  }

  /** Returns the line's first `count` bytes, or all of it. Reads only what the cursor's buffer did not hold. */
  #first(line: RawLine, count: number): Uint8Array {
    const wanted = Math.min(count, line.bytes);
    if (line.head.length >= wanted) return line.head.subarray(0, wanted);
    const bytes = Buffer.allocUnsafe(wanted);
    this.#stream.read(bytes, line.offset);
    return bytes;
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

/**
 * Returns the bytes to replay a line from, and whether anything redraws it. `isEnd` is true when these are all
 * of its bytes, or the last ones of a line over `MAX_REPLAY_BYTES`, from the start of a redraw. Otherwise they
 * are its first bytes.
 */
export function replayed(
  stream: OpenStream,
  decoder: Decoder,
  line: { offset: number; bytes: number; head?: Uint8Array },
): { bytes: Uint8Array; redrawn: boolean; isEnd: boolean } {
  if (line.head?.length === line.bytes) {
    return { bytes: line.head, redrawn: redraws(line.head), isEnd: true };
  }
  const take = Math.min(line.bytes, MAX_REPLAY_BYTES);
  const bytes = Buffer.allocUnsafe(take);
  stream.read(bytes, line.offset + line.bytes - take);
  if (take === line.bytes) return { bytes, redrawn: redraws(bytes), isEnd: true };
  const size = unitBytes(decoder.unit);
  const firstReturn = unitIndexOf(bytes, 13, decoder.unit);
  if (firstReturn >= 0 && firstReturn < take - size) {
    return { bytes: bytes.subarray(firstReturn + size), redrawn: true, isEnd: true };
  }
  stream.read(bytes, line.offset);
  return { bytes, redrawn: redraws(bytes), isEnd: false };
}

/** Whether the line may move the cursor back: a CR (except before LF), a backspace or an escape sequence. */
function redraws(bytes: Uint8Array): boolean {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const cr = buffer.indexOf(13);
  return (cr >= 0 && cr < buffer.length - 1) || buffer.includes(27) || buffer.includes(8);
}

function clipRuns(runs: StyleRun[], end: number): StyleRun[] | null {
  const kept = runs.filter((run) => run.start < end).map((run) => ({ ...run, end: Math.min(run.end, end) }));
  return kept.length > 0 ? kept : null;
}
