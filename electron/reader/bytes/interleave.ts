/**
 * Two streams as one, in the order in which their lines arrived. A line is there when its line end is; lines of one
 * stream that arrived together stay together:
 *
 *   stdout   aaaa⏎bb·········bb⏎cc            arrivals, in order: stdout 7, stderr 4, stdout 12
 *   stderr   ·······xxx⏎
 *   combined aaaa⏎ xxx⏎ bbbb⏎                 `cc` waits for its line end, or for the end of the stream
 *
 * At the end what has no line end follows, in the order of arrival. Where two such lines meet, a line end is put between
 * them that no stream has, so that the second stays a line of its own.
 */
import { lastNewline } from '../lines/newlines.ts';
import type { ByteSource } from './source.ts';

/** Index of the source that holds the one line end that may be put in; the streams are 0 and 1. */
export const LINE_END_SOURCE = 2;

/** What has been put in order so far. Bytes of the stored streams. */
export interface InterleaveState {
  /** In the combined stream already. */
  taken: readonly [number, number];
  /** Arrived by the last arrival that was looked at. */
  arrived: readonly [number, number];
  /** Which stream something arrived on last. */
  last: 0 | 1;
}

export const NOTHING_TAKEN: InterleaveState = { taken: [0, 0], arrived: [0, 0], last: 0 };

/** Arrivals in order: on which stream, and how many of its stored bytes were there then. */
export interface ArrivalRun {
  streams: Uint8Array;
  ends: Float64Array;
}

/** Pieces to append to the combined stream: source, start and bytes of each, one after the other. */
export type Pieces = number[];

export function interleave(
  sources: readonly [ByteSource, ByteSource],
  state: InterleaveState,
  arrivals: ArrivalRun,
): { state: InterleaveState; pieces: Pieces } {
  const pieces: Pieces = [];
  const taken: [number, number] = [...state.taken];
  const arrived: [number, number] = [...state.arrived];
  const lines = [new LineEnds(sources[0]), new LineEnds(sources[1])] as const;
  let { last } = state;
  const count = arrivals.streams.length;
  for (let i = 0; i < count; ) {
    const stream = arrivals.streams[i]! as 0 | 1;
    // Arrivals one after the other on one stream are as one.
    const before = arrived[stream];
    for (; i < count && arrivals.streams[i] === stream; i += 1) {
      arrived[stream] = Math.max(arrived[stream], arrivals.ends[i]!);
    }
    last = stream;
    // Before what has just arrived there was no line end behind what is taken.
    const end = lines[stream].lastIn(Math.max(taken[stream], before), arrived[stream]);
    if (end < 0) continue;
    pieces.push(stream, taken[stream], end - taken[stream]);
    taken[stream] = end;
  }
  return { state: { taken, arrived, last }, pieces };
}

/** What is left once nothing more comes: of lines that no arrival tells of, those of the first stream come first. */
export function interleaveRest(
  sources: readonly [ByteSource, ByteSource],
  state: InterleaveState,
): { state: InterleaveState; pieces: Pieces } {
  const pieces: Pieces = [];
  const taken: [number, number] = [...state.taken];
  for (const stream of [0, 1] as const) {
    const end = new LineEnds(sources[stream]).lastIn(taken[stream], sources[stream].size);
    if (end < 0) continue;
    pieces.push(stream, taken[stream], end - taken[stream]);
    taken[stream] = end;
  }
  const order = state.last === 0 ? ([1, 0] as const) : ([0, 1] as const);
  let unfinished = false;
  for (const stream of order) {
    const bytes = sources[stream].size - taken[stream];
    if (bytes === 0) continue;
    if (unfinished) pieces.push(LINE_END_SOURCE, 0, 1);
    pieces.push(stream, taken[stream], bytes);
    taken[stream] += bytes;
    unfinished = true;
  }
  return { state: { ...state, taken, arrived: taken }, pieces };
}

const BUFFER_BYTES = 64 * 1024;

/** Line ends of one stream, looked for further and further on: short stretches one after the other are one read. */
class LineEnds {
  readonly #source: ByteSource;
  readonly #buffer = Buffer.allocUnsafeSlow(BUFFER_BYTES);
  #base = 0;
  #filled = 0;

  constructor(source: ByteSource) {
    this.#source = source;
  }

  /** Behind the last line end in `[start, end)`; -1 when there is none. */
  lastIn(start: number, end: number): number {
    for (let to = end; to > start; ) {
      const from = Math.max(start, to - BUFFER_BYTES);
      if (from < this.#base || to > this.#base + this.#filled) this.#fill(from);
      const at = from - this.#base;
      const found = lastNewline(this.#buffer, at, Math.min(this.#filled, to - this.#base), 'byte');
      if (found >= 0) return this.#base + found;
      to = from;
    }
    return -1;
  }

  #fill(from: number): void {
    this.#base = from;
    this.#filled = this.#source.read(this.#buffer, from);
  }
}
