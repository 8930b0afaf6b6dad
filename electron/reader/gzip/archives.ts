/**
 * The texts of an archive's members as one text, each behind a line with its name, as `head a b` prints them:
 *
 *     ==> build/1_Set up job.txt <==
 *
 * An outline has a section for each. Of the logs of a GitHub Actions run, the file of each job is read alone, as it
 * holds the files of its steps.
 */
import { Buffer } from 'node:buffer';
import { PassThrough, Readable } from 'node:stream';
import tar from 'tar-stream';
import yauzl from 'yauzl';
import { CHUNK_BYTES, isTar, MAGIC_BYTES, type PackedFile } from './compression.ts';

type Chunks = AsyncIterable<Buffer>;

/** Passes a text through; of a tar archive, the texts of its members. */
export async function* tarOrText(chunks: Chunks): Chunks {
  const { head, all } = await peek(chunks, MAGIC_BYTES);
  if (!isTar(head)) {
    yield* all;
    return;
  }
  const extract = tar.extract();
  const source = Readable.from(all, { objectMode: false });
  source.on('error', (error) => extract.destroy(error));
  source.pipe(extract);
  for await (const entry of extract) {
    const { name, type, size = 0 } = entry.header;
    if (type === 'file' || type === 'contiguous-file')
      yield* member(name, size, buffers(entry as AsyncIterable<Uint8Array>));
    entry.resume();
  }
}

/** Yields the texts of a zip archive's members. */
export async function* zipText(file: PackedFile, size: number): Chunks {
  const zip = await new Promise<yauzl.ZipFile>((resolve, reject) => {
    const options = { lazyEntries: true, autoClose: false } as const;
    yauzl.fromRandomAccessReader(new Reader(file), size, options, (error, opened) =>
      error ? reject(error) : resolve(opened!),
    );
  });
  const entries = await new Promise<yauzl.Entry[]>((resolve, reject) => {
    const found: yauzl.Entry[] = [];
    zip.on('error', reject);
    zip.on('end', () => resolve(found));
    zip.on('entry', (entry: yauzl.Entry) => {
      if (!entry.fileName.endsWith('/')) found.push(entry);
      zip.readEntry();
    });
    zip.readEntry();
  });
  for (const { name, entry } of partsOf(entries)) {
    if (entry.isEncrypted()) {
      yield headed(name, `${entry.uncompressedSize} bytes, encrypted\n`);
      continue;
    }
    const text = await new Promise<Readable>((resolve, reject) => {
      zip.openReadStream(entry, (error, stream) => (error ? reject(error) : resolve(stream!)));
    });
    yield* member(name, entry.uncompressedSize, buffers(text));
  }
}

class Reader extends yauzl.RandomAccessReader {
  readonly #file: PackedFile;

  constructor(file: PackedFile) {
    super();
    this.#file = file;
  }

  override _readStreamForRange(start: number, end: number): PassThrough {
    const file = this.#file;
    const source = Readable.from(
      (async function* () {
        for (let at = start; at < end; ) {
          const bytes = await file.read(at, Math.min(CHUNK_BYTES, end - at));
          if (bytes.length === 0) throw new Error('unexpected end of file');
          at += bytes.length;
          yield bytes;
        }
      })(),
      { objectMode: false },
    );
    const out = new PassThrough();
    source.on('error', (error) => out.destroy(error));
    return source.pipe(out);
  }
}

/** `0_build (linux).txt`, beside a folder `build (linux)` with a file for each step. */
const JOB = /^(\d+)_([^/]+)\.txt$/;

interface Part {
  name: string;
  entry: yauzl.Entry;
}

function partsOf(entries: readonly yauzl.Entry[]): readonly Part[] {
  const jobs = entries.filter(({ fileName }) => JOB.test(fileName));
  const names = new Set(jobs.map(({ fileName }) => JOB.exec(fileName)![2]));
  const isRun = jobs.length > 0 && entries.some(({ fileName }) => names.has(fileName.split('/')[0]));
  const named = (some: readonly yauzl.Entry[]) => some.map((entry) => ({ name: entry.fileName, entry }));
  if (!isRun) return named(entries);
  const others = entries.filter(({ fileName }) => {
    const [folder, step] = fileName.split('/');
    return !JOB.test(fileName) && !(step !== undefined && names.has(folder));
  });
  const number = ({ fileName }: yauzl.Entry) => Number(JOB.exec(fileName)![1]);
  const inOrder = jobs.sort((a, b) => number(a) - number(b));
  return [...inOrder.map((entry) => ({ name: JOB.exec(entry.fileName)![2]!, entry })), ...named(others)];
}

const SNIFF_BYTES = 4096;

/** Yields a member's heading and its text, which ends with a line end; or its size if it is not text. */
async function* member(name: string, size: number, chunks: Chunks): Chunks {
  const { head, all } = await peek(chunks, SNIFF_BYTES);
  if (head.includes(0)) {
    for await (const _ of all);
    yield headed(name, `${size} bytes, not text\n`);
    return;
  }
  yield headed(name, '');
  let last = 10;
  for await (const chunk of all) {
    if (chunk.length === 0) continue;
    last = chunk.at(-1)!;
    yield chunk;
  }
  if (last !== 10) yield Buffer.from('\n');
}

function headed(name: string, text: string): Buffer {
  return Buffer.from(`==> ${name.replace(/\p{Cc}/gu, '?')} <==\n${text}`);
}

/** Reads the first bytes; `all` yields them again. */
async function peek(chunks: Chunks, bytes: number): Promise<{ head: Buffer; all: Chunks }> {
  const source = chunks[Symbol.asyncIterator]();
  const first: Buffer[] = [];
  let length = 0;
  let broken: { error: unknown } | null = null;
  while (length < bytes && broken === null) {
    try {
      const next = await source.next();
      if (next.done) break;
      first.push(next.value);
      length += next.value.length;
    } catch (error) {
      // Show the part that was readable.
      broken = { error };
    }
  }
  const head = Buffer.concat(first);
  async function* all(): Chunks {
    try {
      if (head.length > 0) yield head;
      if (broken) throw broken.error;
      for (;;) {
        const next = await source.next();
        if (next.done) return;
        yield next.value;
      }
    } finally {
      await source.return?.();
    }
  }
  return { head: head.subarray(0, bytes), all: all() };
}

async function* buffers(stream: AsyncIterable<Uint8Array>): Chunks {
  for await (const { buffer, byteOffset, length } of stream) yield Buffer.from(buffer, byteOffset, length);
}
