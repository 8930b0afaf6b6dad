/** One stored stream of a capture, open for reading: from its file, its gzip file, or its record. */
import type { StreamHandle } from '../../../reader/bytes/handles.ts';
import type { UnpackOptions } from '../../../reader/gzip/compression.ts';
import { Unpacking } from '../../../reader/gzip/unpack.ts';
import { type CaptureEntry, fullRecord } from '../../../store/format/entry.ts';
import type { Gap } from '../../../store/format/record.ts';
import { Disk, type DiskFile } from '../../../workers/disk.ts';
import type { Pool } from '../../../workers/pool.ts';

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
  let guard = await file.takeGuard((await file.look()).size);
  const open: OpenStoredStream = {
    handle: { type: 'file', fd, size: guard.size, path },
    gap,
    problem: null,
    async grow() {
      if (!(await file.holds(guard))) return false;
      const { size } = await file.look();
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
