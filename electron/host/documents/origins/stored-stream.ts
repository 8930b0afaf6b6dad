/** One stored stream of a capture, open for reading: from its file, its gzip file, or its record. */
import { closeSync, fstatSync } from 'node:fs';
import { type FileGuard, guardHolds, takeGuard } from '../../../reader/bytes/guard.ts';
import type { StreamHandle } from '../../../reader/bytes/handles.ts';
import { Unpacking } from '../../../reader/gzip/unpack.ts';
import type { UnpackOptions } from '../../../reader/gzip/unpack-options.ts';
import { type CaptureEntry, fullRecord } from '../../../store/format/entry.ts';
import type { Gap } from '../../../store/format/record.ts';
import { openReal } from './open-real.ts';

export interface OpenStoredStream {
  handle: StreamHandle;
  readonly gap: Gap | null;
  /** Why the bytes are incomplete, as a sentence. */
  readonly problem: string | null;
  /** Updates the size after growth. False when the bytes read so far have changed or vanished. */
  grow(): boolean;
  /** False once the bytes that were read have changed or vanished. */
  holds(): boolean;
  close(): void;
}

/** Throws system errors: ENOENT also if the stream was folded or compressed since `entry` was read. */
export async function openStoredStream(
  entry: CaptureEntry,
  index: number,
  options: UnpackOptions,
): Promise<OpenStoredStream> {
  const { path } = entry.streams[index]!;
  const { folded, gap } = entry.record.streams[index]!;
  if (path === null) return inMemory(folded === null ? Buffer.alloc(0) : foldedBytes(entry, index), gap);
  const fd = openReal(path);
  try {
    return path.endsWith('.gz') ? await unpacked(fd, gap, options) : inFile(fd, gap);
  } catch (error) {
    closeSync(fd);
    throw error;
  }
}

function foldedBytes(entry: CaptureEntry, index: number): Buffer {
  return Buffer.from(fullRecord(entry).streams[index]?.folded ?? '', 'base64');
}

function inMemory(bytes: Uint8Array, gap: Gap | null): OpenStoredStream {
  const handle = { type: 'bytes', bytes, size: bytes.length } as const;
  return { handle, gap, problem: null, grow: () => true, holds: () => true, close: () => {} };
}

function inFile(fd: number, gap: Gap | null): OpenStoredStream {
  let guard: FileGuard = takeGuard(fd, fstatSync(fd).size);
  const holds = () => fstatSync(fd).size >= guard.size && guardHolds(fd, guard);
  return {
    handle: { type: 'file', fd, size: guard.size },
    gap,
    problem: null,
    grow() {
      if (!holds()) return false;
      const { size } = fstatSync(fd);
      if (size === guard.size) return true;
      guard = takeGuard(fd, size);
      this.handle = { type: 'file', fd, size };
      return true;
    },
    holds,
    close: () => closeSync(fd),
  };
}

async function unpacked(fd: number, gap: Gap | null, options: UnpackOptions): Promise<OpenStoredStream> {
  const unpacking = new Unpacking(fd, 'gzip', options);
  await unpacking.all().catch(async (error: unknown) => {
    await unpacking.close();
    throw error;
  });
  return {
    handle: unpacking.handle,
    gap,
    problem: unpacking.problem,
    grow: () => true,
    holds: () => true,
    close() {
      void unpacking.close().then(() => closeSync(fd));
    },
  };
}
