/** One stored stream of a capture, open for reading: from its file, its gzip file, or its record. */

import {
  type ArrivalRun,
  type InterleavedPieces,
  type InterleaveState,
  NOTHING_TAKEN,
} from '../../../reader/bytes/interleave.ts';
import type { StreamHandle } from '../../../reader/bytes/open-stream.ts';
import { PieceTable } from '../../../reader/bytes/pieces.ts';
import type { UnpackOptions } from '../../../reader/gzip/compression.ts';
import { Unpacking } from '../../../reader/gzip/unpack.ts';
import { type CaptureEntry, fullRecord, isOpen } from '../../../store/format/entry.ts';
import { type Gap, storedOffset } from '../../../store/format/record.ts';
import { decodeArrivals, TIMES_RECORD_BYTES } from '../../../store/format/times.ts';
import { Disk, type DiskFile } from '../../../workers/disk.ts';
import type { Pool } from '../../../workers/pool.ts';
import { withTimes } from './arrivals.ts';

export interface StoredStreamOptions {
  unpack: UnpackOptions;
  pool: Pool;
}

export interface OpenStoredStream {
  handle: StreamHandle;
  readonly gap: Gap | null;
  /** Why the bytes are incomplete, as a sentence. */
  readonly problem: string | null;
  /** Updates the size after growth. False when the bytes read so far have changed or vanished. */
  grow(): Promise<boolean>;
  /** False once the bytes that were read have changed or vanished. */
  holds(): Promise<boolean>;
  close(): void;
}

/** Throws system errors: ENOENT also if the stream was folded or compressed since `entry` was read. */
export async function openStoredStream(
  entry: CaptureEntry,
  index: number,
  { pool, unpack }: StoredStreamOptions,
): Promise<OpenStoredStream> {
  const { path } = entry.streams[index]!;
  const { folded, gap } = entry.record.streams[index]!;
  if (path === null) return inMemory(folded === null ? Buffer.alloc(0) : foldedBytes(entry, index), gap);
  const file = await new Disk(pool).openReal(path);
  try {
    return path.endsWith('.gz') ? await unpacked(file, gap, unpack) : await inFile(file, gap);
  } catch (error) {
    file.close();
    throw error;
  }
}

function foldedBytes(entry: CaptureEntry, index: number): Buffer {
  return Buffer.from(fullRecord(entry).streams[index]?.folded ?? '', 'base64');
}

function inMemory(bytes: Uint8Array, gap: Gap | null): OpenStoredStream {
  const handle = { type: 'bytes', bytes, size: bytes.length } as const;
  return { handle, gap, problem: null, grow: async () => true, holds: async () => true, close: () => {} };
}

async function inFile(file: DiskFile, gap: Gap | null): Promise<OpenStoredStream> {
  const { fd, path } = file;
  let guard = await file.takeGuard((await file.stat()).size);
  const open: OpenStoredStream = {
    handle: { type: 'file', fd, size: guard.size, path },
    gap,
    problem: null,
    async grow() {
      if (!(await file.holds(guard))) return false;
      const { size } = await file.stat();
      if (size === guard.size) return true;
      guard = await file.takeGuard(size);
      open.handle = { type: 'file', fd, size, path };
      return true;
    },
    holds: () => file.holds(guard),
    close: () => file.close(),
  };
  return open;
}

async function unpacked(file: DiskFile, gap: Gap | null, options: UnpackOptions): Promise<OpenStoredStream> {
  const unpacking = new Unpacking(file, 'gzip', options);
  await unpacking.all().catch(async (error: unknown) => {
    await unpacking.close();
    throw error;
  });
  return {
    handle: unpacking.handle,
    gap,
    problem: unpacking.problem,
    grow: async () => true,
    holds: async () => true,
    close() {
      void unpacking.close().then(() => file.close());
    },
  };
}

/** Arrivals that one task puts in order. */
const SLICE_ARRIVALS = 16 * 1024;

const LINE_END: StreamHandle = { type: 'bytes', bytes: Uint8Array.of(10), size: 1 };

/**
 * Interleaves a command's two streams (reader/bytes/interleave.ts) into a table of pieces. The table grows as bytes
 * arrive and is finished when the command has ended.
 */
export class CombinedStream {
  readonly #streams: readonly [OpenStoredStream, OpenStoredStream];
  readonly #pool: Pool;
  readonly #table = new PieceTable();
  /** Position of each stream's gap in the combined stream; null until bytes around it were taken. */
  readonly #gapAt: (number | null)[] = [null, null];
  #state: InterleaveState = NOTHING_TAKEN;
  /** Bytes of the arrivals processed so far. */
  #timesTaken = 0;
  /** The rest of the arrivals is damaged and not used. */
  #broken = false;
  #ended = false;
  #problem: string | null = null;

  constructor(streams: readonly [OpenStoredStream, OpenStoredStream], pool: Pool) {
    this.#streams = streams;
    this.#pool = pool;
  }

  get handle(): StreamHandle {
    return this.#table.handle([...this.#handles(), LINE_END]);
  }

  get problem(): string | null {
    return this.#problem;
  }

  /** Returns the bytes of the combined stream before a stream's gap; its size if the gap is after its end. */
  gapOffset(stream: number): number {
    return this.#gapAt[stream] ?? this.#table.size;
  }

  /** Size of the arrivals file. Ask before looking at the streams: then every arrival's bytes are in them. */
  timesSize(entry: CaptureEntry): number {
    if (this.#ended || this.#broken) return 0;
    return withTimes(entry, (times) => times.size - (times.size % TIMES_RECORD_BYTES));
  }

  /** Reads the first `timesSize` bytes of the arrivals. Throws the system's errors. */
  async update(entry: CaptureEntry, timesSize: number): Promise<void> {
    if (this.#ended) return;
    while (this.#timesTaken < timesSize && !this.#broken) {
      const bytes = Buffer.alloc(Math.min(SLICE_ARRIVALS * TIMES_RECORD_BYTES, timesSize - this.#timesTaken));
      if (withTimes(entry, (times) => times.read(bytes, this.#timesTaken)) < bytes.length) break;
      this.#timesTaken += bytes.length;
      await this.#take(this.#runOf(bytes));
    }
    if (isOpen(entry.record)) return;
    this.#ended = true;
    this.#problem = this.#untold();
    await this.#take(null);
  }

  async #take(arrivals: ArrivalRun | null): Promise<void> {
    const streams = this.#handles();
    const result = await this.#pool.run('interleave', { streams, state: this.#state, arrivals });
    this.#append(result.pieces);
    this.#state = result.state;
  }

  /** Converts arrivals to ends of the stored streams; stops at an invalid one. */
  #runOf(times: Buffer): ArrivalRun {
    const arrivals = decodeArrivals(times);
    const streams = new Uint8Array(arrivals.length);
    const ends = new Float64Array(arrivals.length);
    const last = [...this.#state.arrived];
    let count = 0;
    for (const { stream, end } of arrivals) {
      const open = this.#streams[stream];
      const stored = open ? Math.min(open.handle.size, storedOffset(open.gap, end)) : -1;
      if (!open || stored < last[stream]!) {
        this.#broken = true;
        break;
      }
      last[stream] = stored;
      streams[count] = stream;
      ends[count] = stored;
      count += 1;
    }
    return { streams: streams.subarray(0, count), ends: ends.subarray(0, count) };
  }

  /** Returns a sentence if the arrival times don't say which stream's bytes came first. */
  #untold(): string | null {
    const both = this.#streams.every(({ handle }, i) => handle.size > this.#state.arrived[i]!);
    const some = this.#streams.some(({ handle }, i) => handle.size > this.#state.arrived[i]!);
    if (!both && !(some && this.#broken)) return null;
    const lines = this.#timesTaken > 0 ? 'the last lines' : 'the lines';
    return `when ${lines} arrived is not known: those of stdout come before those of stderr`;
  }

  #append(pieces: InterleavedPieces): void {
    for (let i = 0; i < pieces.length; i += 3) {
      const [stream, start, bytes] = [pieces[i]!, pieces[i + 1]!, pieces[i + 2]!];
      const gap = this.#streams[stream]?.gap;
      if (gap && this.#gapAt[stream] === null && start + bytes >= gap.offset) {
        this.#gapAt[stream] = this.#table.size + Math.max(0, gap.offset - start);
      }
      this.#table.append(stream, start, bytes);
    }
  }

  #handles(): [StreamHandle, StreamHandle] {
    return [this.#streams[0].handle, this.#streams[1].handle];
  }
}
