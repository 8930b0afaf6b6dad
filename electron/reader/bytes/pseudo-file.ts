/**
 * Reads files that the system generates on reading (/proc, /sys). stat says that their size is 0, or larger than their
 * text. Such a file is read once, to its end or up to `MAX_BYTES`.
 */
import { fstat, read as readCallback, type Stats } from 'node:fs';
import { promisify } from 'node:util';
import { SpillwayError } from '../../../shared/errors.ts';

const read = promisify(readCallback);
const stat = promisify(fstat);

const MAX_BYTES = 16 * 1024 * 1024;
const CHUNK_BYTES = 64 * 1024;
/** Files of /sys are a page long by stat. Believe the size of larger files. */
const MAX_CLAIMED_BYTES = 64 * 1024;

interface PseudoText {
  bytes: Buffer;
  /** Why the text is incomplete, as a sentence. */
  problem: string | null;
}

/** Returns null for an ordinary file. Throws `changed` if the file changes meanwhile, and the system's errors. */
export async function readPseudoFile(fd: number, { size }: Stats): Promise<PseudoText | null> {
  if (size > MAX_CLAIMED_BYTES) return null;
  const first = await readChunk(fd, 0, Math.max(size, CHUNK_BYTES));
  if (first.length === size) return null;
  if ((await stat(fd)).size !== size) {
    throw new SpillwayError('changed', 'the file changed while it was opened', 'ask again');
  }
  const chunks = [first];
  let total = first.length;
  while (total < MAX_BYTES) {
    const chunk = await readChunk(fd, total, CHUNK_BYTES);
    if (chunk.length === 0) return { bytes: Buffer.concat(chunks), problem: null };
    chunks.push(chunk);
    total += chunk.length;
  }
  const problem = `the system makes up this file, and it does not end: only its first ${total} bytes were read`;
  return { bytes: Buffer.concat(chunks), problem };
}

/** Returns the bytes of one read; none if nothing is available, as the descriptor does not block. */
async function readChunk(fd: number, position: number, length: number): Promise<Buffer> {
  try {
    const { bytesRead, buffer } = await read(fd, Buffer.alloc(length), 0, length, position);
    return buffer.subarray(0, bytesRead);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EAGAIN') return Buffer.alloc(0);
    throw error;
  }
}
