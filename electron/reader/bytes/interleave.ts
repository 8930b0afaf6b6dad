/**
 * Merges two streams into one, in the order in which their lines arrived. A line arrives with its line end; lines of
 * one stream that arrived together stay together:
 *
 *   stdout   aaaa⏎bb·········bb⏎cc            arrivals, in order: stdout 7, stderr 4, stdout 12
 *   stderr   ·······xxx⏎
 *   combined aaaa⏎ xxx⏎ bbbb⏎                 `cc` waits for its line end, or for the end of the stream
 *
 * Last lines without a line end come at the end, in order of arrival. A line end that neither stream has is inserted
 * between two of them, to keep them apart.
 */
import { lastNewline } from '../lines/newlines.ts';
import type { OpenStream } from './open-stream.ts';

/** Index of the stream that holds the line end to insert; the streams are 0 and 1. */
const LINE_END_SOURCE = 2;

/** Progress of the merge, in bytes of the stored streams. */
export interface InterleaveState {
  /** Bytes in the combined stream already. */
  taken: readonly [number, number];
  /** Bytes that had arrived at the last arrival processed. */
  arrived: readonly [number, number];
  /** The stream of the last arrival. */
  last: 0 | 1;
}

export const NOTHING_TAKEN: InterleaveState = { taken: [0, 0], arrived: [0, 0], last: 0 };

/** Arrivals in order: the stream, and how many of its stored bytes had arrived by then. */
export interface ArrivalRun {
  streams: Uint8Array;
  ends: Float64Array;
}

/** Pieces to append to the combined stream: three numbers each, stream, start and length in bytes. */
export type InterleavedPieces = number[];

export function interleave(
  streams: readonly [OpenStream, OpenStream],
  state: InterleaveState,
  arrivals: ArrivalRun,
): { state: InterleaveState; pieces: InterleavedPieces } {
  const pieces: InterleavedPieces = [];
  const taken: [number, number] = [...state.taken];
  const arrived: [number, number] = [...state.arrived];
  const lines = [new LineEnds(streams[0]), new LineEnds(streams[1])] as const;
  let { last } = state;
  const count = arrivals.streams.length;
  for (let i = 0; i < count; ) {
    const stream = arrivals.streams[i]! as 0 | 1;
    // Treat consecutive arrivals on one stream as one.
    const before = arrived[stream];
    for (; i < count && arrivals.streams[i] === stream; i += 1) {
      arrived[stream] = Math.max(arrived[stream], arrivals.ends[i]!);
    }
    last = stream;
    // The bytes from `taken` to `before` hold no line end: search only the new ones.
    const end = lines[stream].lastIn(Math.max(taken[stream], before), arrived[stream]);
    if (end < 0) continue;
    pieces.push(stream, taken[stream], end - taken[stream]);
    taken[stream] = end;
  }
  return { state: { taken, arrived, last }, pieces };
}

/** Appends what remains when both streams have ended. Lines without a known arrival: the first stream's first. */
export function interleaveRest(
  streams: readonly [OpenStream, OpenStream],
  state: InterleaveState,
): { state: InterleaveState; pieces: InterleavedPieces } {
  const pieces: InterleavedPieces = [];
  const taken: [number, number] = [...state.taken];
  for (const stream of [0, 1] as const) {
    const end = new LineEnds(streams[stream]).lastIn(taken[stream], streams[stream].size);
    if (end < 0) continue;
    pieces.push(stream, taken[stream], end - taken[stream]);
    taken[stream] = end;
  }
  const order = state.last === 0 ? ([1, 0] as const) : ([0, 1] as const);
  let unfinished = false;
  for (const stream of order) {
    const bytes = streams[stream].size - taken[stream];
    if (bytes === 0) continue;
    if (unfinished) pieces.push(LINE_END_SOURCE, 0, 1);
    pieces.push(stream, taken[stream], bytes);
    taken[stream] += bytes;
    unfinished = true;
  }
  return { state: { ...state, taken, arrived: taken }, pieces };
}

const BUFFER_BYTES = 64 * 1024;

/** Finds line ends in one stream, front to back: consecutive short stretches share one read. */
class LineEnds {
  readonly #stream: OpenStream;
  readonly #buffer = Buffer.allocUnsafeSlow(BUFFER_BYTES);
  #base = 0;
  #filled = 0;

  constructor(stream: OpenStream) {
    this.#stream = stream;
  }

  /** Returns the offset after the last line end in `[start, end)`; -1 if there is none. */
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
    this.#filled = this.#stream.read(this.#buffer, from);
  }
}
