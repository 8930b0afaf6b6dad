/** Declares compressions and the limits of unpacking, and passes a file's bytes through a decompressor. */
import { Readable, type Transform } from 'node:stream';

export const CHUNK_BYTES = 256 * 1024;
const FINE_BYTES = 16;

interface FeedOptions {
  signal?: AbortSignal | undefined;
  /** Called with the file offset up to which bytes were given to the decompressor. */
  onProgress?: ((bytes: number) => void) | undefined;
  /** From this offset on, pass a few bytes at a time: the decompressor returns no text of a piece on which it fails. */
  fineFrom?: number | undefined;
}

/** Yields the text of the file from `position` on. */
export function feed(
  file: PackedFile,
  position: number,
  stream: Transform,
  { signal, onProgress, fineFrom = Number.POSITIVE_INFINITY }: FeedOptions,
): AsyncIterable<Buffer> {
  const source = Readable.from(
    (async function* () {
      for (let at = position; ; ) {
        signal?.throwIfAborted();
        const bytes = await file.read(at, CHUNK_BYTES);
        if (bytes.length === 0) return;
        const step = at >= fineFrom ? FINE_BYTES : CHUNK_BYTES;
        at += bytes.length;
        onProgress?.(at);
        for (let i = 0; i < bytes.length; i += step) yield bytes.subarray(i, i + step);
      }
    })(),
    { highWaterMark: 1 },
  );
  source.on('error', (error) => stream.destroy(error));
  stream.on('close', () => source.destroy());
  return source.pipe(stream) as AsyncIterable<Buffer>;
}

export type Compression = 'gzip' | 'zstd';

/** A compressed file that is open. */
export interface PackedFile {
  readonly fd: number;
  readonly path?: string | undefined;
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

export interface UnpackOptions {
  folder(): Promise<SpoolFolder>;
  /** Most bytes of text, which take fewer in the file. Unbounded by default. */
  mostBytes?: number | undefined;
  /** Bytes of text to store plain; the rest is compressed again. By default, 2 GiB. */
  plainBytes?: number | undefined;
  signal?: AbortSignal | undefined;
  /** Called with the bytes of the compressed file read so far. */
  onProgress?: ((bytes: number) => void) | undefined;
}
