/** Declares compressions and the limits of unpacking, and passes a file's bytes through a decompressor. */
import { Readable, type Transform } from 'node:stream';
import { createGunzip } from 'node:zlib';

export const CHUNK_BYTES = 256 * 1024;
const FINE_BYTES = 16;

export interface FeedOptions {
  signal?: AbortSignal | undefined;
  /** Called with the file offset up to which bytes were given to the decompressor. */
  onProgress?: ((bytes: number) => void) | undefined;
  /** From this offset on, pass a few bytes at a time: the decompressor returns no text of a piece on which it fails. */
  fineFrom?: number | undefined;
}

export interface MemberOptions {
  /** Reads only the archive's member of this name. */
  member?: string | undefined;
  /** Called with the name of each member that is text, when it is reached. */
  onMember?: ((name: string) => void) | undefined;
}

/** Yields the bytes of the file from `position` on. */
export async function* piecesOf(
  file: PackedFile,
  position: number,
  { signal, onProgress, fineFrom = Number.POSITIVE_INFINITY }: FeedOptions,
): AsyncIterable<Buffer> {
  for (let at = position; ; ) {
    signal?.throwIfAborted();
    const bytes = await file.read(at, CHUNK_BYTES);
    if (bytes.length === 0) return;
    const step = at >= fineFrom ? FINE_BYTES : CHUNK_BYTES;
    at += bytes.length;
    onProgress?.(at);
    for (let i = 0; i < bytes.length; i += step) yield bytes.subarray(i, i + step);
  }
}

/** Passes bytes through a decompressor. */
export function through(pieces: AsyncIterable<Buffer>, stream: Transform): AsyncIterable<Buffer> {
  const source = Readable.from(pieces, { highWaterMark: 1 });
  source.on('error', (error) => stream.destroy(error));
  stream.on('close', () => source.destroy());
  return source.pipe(stream) as AsyncIterable<Buffer>;
}

/** How a file is compressed; or an archive, whose text is that of its members. */
export type Compression = 'gzip' | 'zstd' | 'bzip2' | 'xz' | 'tar' | 'zip';

/** A compressed file that is open. */
export interface PackedFile {
  readonly fd: number;
  readonly path?: string | undefined;
  readonly stats?: { readonly size: number } | undefined;
  /** Resolves with fewer bytes at the end of the file. */
  read(position: number, length: number): Promise<Buffer>;
}

/** The folder for temporary files. */
export interface SpoolFolder {
  readonly path: string;
  /** Creates a file without a name, so that the system frees it when it is closed. */
  create(): Promise<SpoolFile>;
  /** Resolves with the most bytes that the temporary file may have; it has `stored` now. */
  limit(stored: number): Promise<number>;
}

export interface SpoolFile {
  readonly fd: number;
  readonly path?: string | undefined;
  /** Resolves with the bytes written: fewer on a full disk. */
  write(bytes: Buffer, position: number): Promise<number>;
  close(): void;
}

export interface UnpackOptions extends MemberOptions {
  folder(): Promise<SpoolFolder>;
  /** Most bytes of text, which take fewer in the file. Unbounded by default. */
  mostBytes?: number | undefined;
  /** Bytes of text to store plain; the rest is compressed again. By default, 2 GiB. */
  plainBytes?: number | undefined;
  signal?: AbortSignal | undefined;
  /** Called with the bytes of the compressed file read so far. */
  onProgress?: ((bytes: number) => void) | undefined;
}

/** First bytes of a file that tell its compression. */
export const MAGIC_BYTES = 512;

const MAGIC: readonly (readonly [Compression, readonly number[]])[] = [
  ['gzip', [0x1f, 0x8b, 8]],
  ['zstd', [0x28, 0xb5, 0x2f, 0xfd]],
  ['bzip2', [0x42, 0x5a, 0x68]],
  ['xz', [0xfd, 0x37, 0x7a, 0x58, 0x5a, 0]],
  ['zip', [0x50, 0x4b, 3, 4]],
];
/** The block's size and a block's first bytes, without which three letters are text. */
const BZIP2_BLOCK = /^BZh[1-9](?:1AY&SY|\x17rE8P\x90)/;

/** Tells the compression, or the kind of archive, from the first MAGIC_BYTES. */
export function compressionOf(head: Uint8Array): Compression | null {
  const found = MAGIC.find(([, magic]) => magic.every((byte, i) => head[i] === byte))?.[0];
  if (found === 'bzip2' && !BZIP2_BLOCK.test(Buffer.from(head.subarray(0, 10)).toString('latin1')))
    return null;
  return found ?? (isTar(head) ? 'tar' : null);
}

const USTAR_AT = 257;

export function isTar(head: Uint8Array): boolean {
  return Buffer.from(head.subarray(USTAR_AT, USTAR_AT + 5)).toString('latin1') === 'ustar';
}

/** Whether a gzip file is one of an archive, whose members cannot be read in place. */
export async function isTarInside(file: PackedFile): Promise<boolean> {
  const bytes: Buffer[] = [];
  let length = 0;
  try {
    for await (const chunk of through(piecesOf(file, 0, {}), createGunzip())) {
      bytes.push(chunk);
      length += chunk.length;
      if (length >= MAGIC_BYTES) break;
    }
  } catch {
    return false;
  }
  return isTar(Buffer.concat(bytes));
}
