/** Passes a file's bytes through a decompressor. */
import { Readable, type Transform } from 'node:stream';
import type { PackedFile } from './unpack-options.ts';

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
