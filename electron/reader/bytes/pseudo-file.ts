/**
 * Reads files that the system generates on reading (/proc, /sys). stat says that their size is 0, or larger than their
 * text. Such a file is read once, to its end or up to `MAX_BYTES`.
 */
import { fstatSync, readSync, type Stats } from 'node:fs';
import { SpillwayError } from '../../../shared/errors.ts';

const MAX_BYTES = 16 * 1024 * 1024;
const CHUNK_BYTES = 64 * 1024;
/** Files of /sys are a page long by stat. Believe the size of larger files. */
const MAX_CLAIMED_BYTES = 64 * 1024;

export interface PseudoText {
  bytes: Uint8Array;
  /** Why the text is incomplete, as a sentence. */
  problem: string | null;
}

/** Returns null for an ordinary file. Throws `changed` if the file changes meanwhile, and the system's errors. */
export function readPseudoFile(fd: number, { size }: Stats): PseudoText | null {
  if (size > MAX_CLAIMED_BYTES) return null;
  const first = readChunk(fd, 0, Math.max(size, CHUNK_BYTES));
  if (first.length === size) return null;
  if (fstatSync(fd).size !== size) {
    throw new SpillwayError('changed', 'the file changed while it was opened', 'ask again');
  }
  const chunks = [first];
  let total = first.length;
  while (total < MAX_BYTES) {
    const chunk = readChunk(fd, total, CHUNK_BYTES);
    if (chunk.length === 0) return { bytes: Buffer.concat(chunks), problem: null };
    chunks.push(chunk);
    total += chunk.length;
  }
  const problem = `the system makes up this file, and it does not end: only its first ${total} bytes were read`;
  return { bytes: Buffer.concat(chunks), problem };
}

/** Returns the bytes of one read; none if nothing is available, as the descriptor does not block. */
function readChunk(fd: number, position: number, length: number): Buffer {
  const buffer = Buffer.alloc(length);
  try {
    return buffer.subarray(0, readSync(fd, buffer, 0, length, position));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EAGAIN') return Buffer.alloc(0);
    throw error;
  }
}
