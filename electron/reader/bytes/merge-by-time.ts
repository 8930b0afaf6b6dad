/**
 * Merges streams by the times of their lines: recorded arrivals, or the time a line begins with. Lines of one stream
 * keep their order. A line without a time stays with the line before it, and so does one that continues its entry, such
 * as a frame of a stack trace, if it came soon after. At equal times, the stream named first
 * comes first. Uses memory for a window of each stream only; each step continues from the last one's state.
 */
import { LF } from '../../../shared/text/codes.ts';
import { lineText } from '../../../shared/text/line-text.ts';
import { lineTime, TIME_WITHIN_CHARS } from '../../../shared/text/line-time.ts';
import { EntryReader } from '../lines/log-format.ts';
import type { EntryForm } from '../views/entry-bounds.ts';
import type { OpenStream } from './open-stream.ts';

/** Arrival times of a stream's bytes, rising. */
export interface TimeTable {
  /** Bytes of the stream that had arrived by then. */
  ends: Float64Array;
  /** Milliseconds since the epoch. */
  times: Float64Array;
}

export interface MergeState {
  /** Bytes merged from each stream. */
  taken: readonly number[];
  /** Time of each stream's last line; null before the first. */
  times: readonly (number | null)[];
}

export interface MergeRequest {
  state: MergeState;
  /** Null for a stream whose lines begin with their time. */
  tables: readonly (TimeTable | null)[];
  /** For each stream, how its entries and their times are told. */
  forms: readonly EntryForm[];
  /** Whether each stream has ended: then its last line counts without a line end. */
  ended: readonly boolean[];
  /** Merge at least this many bytes. */
  budget: number;
}

interface Merged {
  state: MergeState;
  /**
   * Three numbers each: index of the stream, start and length in bytes. The index after the last stream is a line end.
   */
  pieces: number[];
  /** Whether nothing more can be merged until a stream grows. */
  done: boolean;
}

const WINDOW_BYTES = 256 * 1024;
/** A line that continues an entry belongs to it only if it comes this soon. Progress in indented lines comes later. */
const SOON_MS = 1000;

export function mergeByTime(streams: readonly OpenStream[], request: MergeRequest): Merged {
  const { state, tables, ended, budget, forms } = request;
  const merged = streams.map(
    (stream, i) =>
      new TimedLines(stream, state.taken[i]!, state.times[i] ?? null, {
        table: tables[i]!,
        ended: ended[i]!,
        form: forms[i]!,
      }),
  );
  const pieces: number[] = [];
  let bytes = 0;
  while (bytes < budget) {
    const first = earliest(merged, -1);
    if (first < 0) break;
    const next = earliest(merged, first);
    const stream = merged[first]!;
    const limit = next < 0 ? Number.POSITIVE_INFINITY : merged[next]!.time;
    const start = stream.at;
    do stream.advance();
    while (
      stream.hasLine &&
      stream.at - start < budget &&
      (next < 0 || stream.time < limit || (stream.time === limit && first < next))
    );
    pieces.push(first, start, stream.at - start);
    bytes += stream.at - start;
    if (stream.endsOpen) pieces.push(streams.length, 0, 1);
  }
  return {
    state: { taken: merged.map(({ at }) => at), times: merged.map(({ last }) => last) },
    pieces,
    done: !merged.some(({ hasLine }) => hasLine),
  };
}

function earliest(streams: readonly TimedLines[], but: number): number {
  let best = -1;
  for (let i = 0; i < streams.length; i += 1) {
    if (i === but || !streams[i]!.hasLine) continue;
    if (best < 0 || streams[i]!.time < streams[best]!.time) best = i;
  }
  return best;
}

/** One stream, line by line. */
class TimedLines {
  /** Start of the current line. */
  at: number;
  /** Time of the current line. */
  time = Number.NEGATIVE_INFINITY;
  hasLine = false;
  /** Time of the last line passed; null before the first. */
  last: number | null;
  /** Whether the last line passed had no line end. */
  endsOpen = false;
  readonly #stream: OpenStream;
  readonly #table: TimeTable | null;
  readonly #ended: boolean;
  readonly #form: EntryForm;
  readonly #entries: EntryReader;
  readonly #window = Buffer.allocUnsafeSlow(WINDOW_BYTES);
  #base = 0;
  #filled = 0;
  #end = 0;
  #row = 0;
  /** When the line before came, which may be later than the time of its entry. */
  #came = Number.NEGATIVE_INFINITY;

  constructor(
    stream: OpenStream,
    at: number,
    last: number | null,
    { table, ended, form }: { table: TimeTable | null; ended: boolean; form: EntryForm },
  ) {
    this.#stream = stream;
    this.at = at;
    this.last = last;
    this.#table = table;
    this.#ended = ended;
    this.#form = form;
    this.#entries = new EntryReader(form.rule, form.facts);
    this.#look();
  }

  advance(): void {
    this.last = this.time;
    this.endsOpen = this.#end === this.#stream.size && !this.#endsWithLineEnd();
    this.at = this.#end;
    this.#look();
  }

  #look(): void {
    this.#end = this.#lineEnd(this.at);
    this.hasLine = this.#end > this.at;
    if (!this.hasLine) return;
    const text = this.#text(this.at, this.#end);
    const begins = this.#entries.begins(lineText(text));
    const time = this.#timeOf(text, this.#end) ?? this.last ?? this.#firstTime() ?? Number.NEGATIVE_INFINITY;
    const isOfEntry = !begins && this.last !== null && time > this.last && time - this.#came <= SOON_MS;
    this.#came = time;
    this.time = isOfEntry ? this.last! : time;
  }

  /** Time of the first line that has one; lines before it get the same. */
  #firstTime(): number | null {
    if (this.#table) return null;
    const limit = Math.min(this.#stream.size, this.at + WINDOW_BYTES / 2);
    for (let at = this.at; at < limit; ) {
      const end = this.#lineEnd(at);
      if (end <= at) return null;
      const time = this.#timeOf(this.#text(at, end), end);
      if (time !== null) return time;
      at = end;
    }
    return null;
  }

  #timeOf(text: string, end: number): number | null {
    const table = this.#table;
    if (table) {
      while (this.#row < table.ends.length - 1 && table.ends[this.#row]! < end) this.#row += 1;
      return table.times[this.#row] ?? null;
    }
    return lineTime(text, this.#form.facts);
  }

  /** Returns the line's beginning, without its line end. */
  #text(at: number, end: number): string {
    const to = Math.min(end, at + TIME_WITHIN_CHARS);
    this.#have(at, to);
    return this.#window.toString('latin1', at - this.#base, to - this.#base).trimEnd();
  }

  /** Returns the offset after the line that begins at `from`, or `from` if the line is incomplete. */
  #lineEnd(from: number): number {
    const { size } = this.#stream;
    for (let at = from; at < size; ) {
      this.#have(at, Math.min(size, at + 1));
      const found = this.#window.subarray(0, this.#filled).indexOf(LF, at - this.#base);
      if (found >= 0) return this.#base + found + 1;
      at = this.#base + this.#filled;
      if (this.#filled === 0) break;
    }
    return this.#ended ? size : from;
  }

  #endsWithLineEnd(): boolean {
    this.#have(this.#end - 1, this.#end);
    return this.#window[this.#end - 1 - this.#base] === LF;
  }

  #have(from: number, to: number): void {
    if (from >= this.#base && to <= this.#base + this.#filled) return;
    this.#base = from;
    this.#filled = this.#stream.read(this.#window, from);
  }
}
