/**
 * Finds lines by their times without reading all of a log. Reads stretches of 64 KiB, whatever the size. Lines without
 * a time belong to the line before.
 */
import { TIME_WITHIN_CHARS, type TimeFacts, timeIn } from '../../../shared/text/line-time.ts';
import type { Decoder } from '../bytes/encoding.ts';
import type { OpenStream } from '../bytes/open-stream.ts';
import { nextNewline, unitBytes } from './newlines.ts';

export interface TimedLine {
  /** Offset of the line in the stream, in bytes, and where the next one begins. */
  start: number;
  end: number;
  time: number;
  /** How the time is written: `0-0-0 0:0:0`. */
  form: string;
}

export const STRETCH_BYTES = 64 * 1024;

const LAST_BYTES = 1024 * 1024;
/** Most lines end within. */
const NEAR_BYTES = 4096;

/** Places that tell how most times are written. */
const FORM_PARTS = 8;
const DIGITS = /\d+/g;
const LETTERS = /[A-Za-z]+/g;

export class TimedLines {
  readonly #stream: OpenStream;
  readonly #decoder: Decoder;
  readonly #facts: TimeFacts;
  readonly #buffer = Buffer.allocUnsafeSlow(STRETCH_BYTES * 2);
  #form: string | null = null;

  constructor(stream: OpenStream, decoder: Decoder, facts: TimeFacts) {
    this.#stream = stream;
    this.#decoder = decoder;
    this.#facts = facts;
  }

  /**
   * Returns the offset of the first line of that time or a later one, in a log whose times rise; the size where all are
   * earlier, null if no line near the start has a time.
   */
  offsetAt(time: number): number | null {
    const { size } = this.#stream;
    if (this.after(0) === null) return null;
    let low = 0;
    let high = size;
    // Lines that begin before `low` are earlier.
    while (high - low > STRETCH_BYTES) {
      const middle = Math.floor((low + high) / 2);
      const found = this.after(middle);
      if (found && found.time < time) low = found.end;
      else high = middle;
    }
    for (let line = this.after(low); line; line = this.after(line.end)) {
      if (line.time >= time) return line.start;
    }
    return size;
  }

  /** From now on, skips lines with times of other forms than most have: those of other programs, in another zone. */
  keepToOneForm(): void {
    const counts = new Map<string, number>();
    for (let part = 0; part < FORM_PARTS; part++) {
      const at = Math.floor((this.#stream.size * part) / FORM_PARTS);
      for (const { form } of this.within(at, at + STRETCH_BYTES))
        counts.set(form, (counts.get(form) ?? 0) + 1);
    }
    const [most] = [...counts].sort(([, a], [, b]) => b - a);
    this.#form = most?.[0] ?? null;
  }

  /** The first line with a time that begins at `from` or after, and before `to`; null if none near does. */
  after(from: number, to = this.#stream.size): TimedLine | null {
    return this.within(from, to, 1, NEAR_BYTES)[0] ?? this.within(from, to, 1)[0] ?? null;
  }

  /** The last line with a time that begins before `to`; null if none of the last MiB has one. */
  lastBefore(to: number): TimedLine | null {
    for (let end = to; end > Math.max(0, to - LAST_BYTES); end -= STRETCH_BYTES) {
      const found = this.within(Math.max(0, end - STRETCH_BYTES), end).at(-1);
      if (found) return found;
    }
    return null;
  }

  /** The lines with a time that begin from `from` on and before `to`, within 128 KiB. */
  within(from: number, to: number, most = Number.POSITIVE_INFINITY, room = 2 * STRETCH_BYTES): TimedLine[] {
    const { unit } = this.#decoder;
    const size = unitBytes(unit);
    // Include the character before: a line that begins at `from` follows a line end.
    const base = Math.max(0, Math.ceil(from / size) - 1) * size;
    const bytes = this.#buffer.subarray(0, this.#stream.read(this.#buffer.subarray(0, room), base));
    const found: TimedLine[] = [];
    let at = from === 0 ? 0 : nextNewline(bytes, 0, bytes.length, unit);
    while (at >= 0 && at < bytes.length && base + at < to && found.length < most) {
      const next = nextNewline(bytes, at, bytes.length, unit);
      // The time may be cut.
      if (next < 0 && bytes.length === NEAR_BYTES) break;
      const end = next < 0 ? bytes.length : next;
      const text = this.#text(bytes, at, end);
      const stamp = timeIn(text, this.#facts);
      const form = stamp && text.slice(stamp.from, stamp.to).replace(DIGITS, '0').replace(LETTERS, 'a');
      if (stamp && form !== null && (this.#form === null || form === this.#form))
        found.push({ start: base + at, end: base + end, time: stamp.time, form });
      at = end;
    }
    return found;
  }

  /** Returns the beginning of a line, without its line end. Times are ASCII. */
  #text(bytes: Buffer, from: number, end: number): string {
    const { unit } = this.#decoder;
    const to = Math.min(end, from + TIME_WITHIN_CHARS * unitBytes(unit));
    const isBytes = unit === 'byte';
    const text = isBytes
      ? bytes.toString('latin1', from, to)
      : this.#decoder.decode(bytes.subarray(from, to));
    return text.trimEnd();
  }
}
