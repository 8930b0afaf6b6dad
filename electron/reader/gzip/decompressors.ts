/** Decompressors: zlib's, and libraries for what zlib does not know, which take a while to load. */
import { Readable, Transform } from 'node:stream';
import * as zlib from 'node:zlib';
import { Decompress } from 'fzstd';
import unbzip2 from 'unbzip2-stream';
import { XzReadableStream } from 'xz-decompress';
import { tarOrText, zipText } from './archives.ts';
import {
  CHUNK_BYTES,
  type Compression,
  type FeedOptions,
  type PackedFile,
  piecesOf,
  through,
} from './compression.ts';

/** Yields the text of a file; of an archive, also a compressed one, that of its members. */
export function unpacked(
  file: PackedFile,
  kind: Compression,
  options: FeedOptions = {},
): AsyncIterable<Buffer> {
  if (kind === 'zip') return zipText(file, file.stats?.size ?? 0);
  return tarOrText(decompressed(piecesOf(file, 0, options), kind));
}

function decompressed(pieces: AsyncIterable<Buffer>, kind: Compression): AsyncIterable<Buffer> {
  if (kind === 'tar' || kind === 'zip') return pieces;
  if (kind === 'xz') return xz(Readable.from(pieces, { highWaterMark: 1 }));
  if (kind === 'gzip') return through(pieces, zlib.createGunzip({ chunkSize: CHUNK_BYTES }));
  return through(pieces, kind === 'zstd' ? zstd() : bzip2());
}

async function* xz(source: Readable): AsyncIterable<Buffer> {
  const reader = new XzReadableStream(Readable.toWeb(source) as ReadableStream<Uint8Array>).getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read().catch((error) => {
        throw source.errored ?? new Error(BROKEN, { cause: error });
      });
      if (done) return;
      // It reuses its memory.
      yield Buffer.from(value);
    }
  } finally {
    source.destroy();
  }
}

function zstd(): Transform {
  const { createZstdDecompress } = zlib as unknown as { createZstdDecompress?: () => Transform };
  if (createZstdDecompress) return createZstdDecompress();
  // Node before 22.15.
  let isWhole = true;
  const decompress = new Decompress((data, final) => {
    if (data.length > 0) transform.push(Buffer.from(data));
    isWhole = final === true;
  });
  const transform = new Transform({
    transform(chunk: Buffer, _, done) {
      done(thrownBy(() => decompress.push(chunk)));
    },
    flush(done) {
      done(thrownBy(() => decompress.push(new Uint8Array(), true)) ?? (isWhole ? null : new Error(BROKEN)));
    },
  });
  return transform;
}

/** Stands for the errors of the libraries, which people would not understand. */
const BROKEN = 'unexpected end of file, or invalid data';

function thrownBy(work: () => void): Error | null {
  try {
    work();
    return null;
  } catch {
    return new Error(BROKEN);
  }
}

function bzip2(): Transform {
  const inner = unbzip2();
  let failure: Error | null = null;
  let ended: (() => void) | null = null;
  const transform = new Transform({
    transform(chunk: Buffer, _, done) {
      inner.write(chunk);
      done(failure);
    },
    flush(done) {
      ended = () => done(failure);
      inner.end();
      if (failure) ended();
    },
  });
  inner.on('data', (data: Buffer) => transform.push(data));
  inner.on('error', () => {
    failure ??= new Error(BROKEN);
  });
  inner.on('end', () => ended?.());
  return transform;
}
