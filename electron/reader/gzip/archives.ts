/**
 * Yields the text of a compressed file. That of an archive is the texts of its members, each behind a line with its
 * name, as `head a b` prints them; or the text of one member alone.
 *
 *     ==> logs/app.log <==
 *
 * An outline has a section for each. The logs of a GitHub Actions run hold each job twice, as one file and as a file
 * for each step: the text is read once, with the steps' names where they are known.
 *
 * The libraries take a while to load.
 */
import { Buffer } from 'node:buffer';
import { Readable, Transform } from 'node:stream';
import * as zlib from 'node:zlib';
import { Decompress } from 'fzstd';
import tar from 'tar-stream';
import unbzip2 from 'unbzip2-stream';
import { XzReadableStream } from 'xz-decompress';
import yauzl from 'yauzl';
import { SpillwayError } from '../../../shared/errors.ts';
import { nearest, theNearest } from '../../../shared/text/nearest.ts';
import {
  CHUNK_BYTES,
  type Compression,
  compressionOf,
  type FeedOptions,
  isTar,
  MAGIC_BYTES,
  type MemberOptions,
  type PackedFile,
  piecesOf,
  through,
} from './compression.ts';

type Chunks = AsyncIterable<Buffer>;

/** Yields the text of a file, or that of the archive's member of that name. Throws `not_found` without one. */
export async function* unpacked(
  file: PackedFile,
  kind: Compression,
  options: FeedOptions & MemberOptions = {},
): Chunks {
  if (kind === 'zip') {
    yield* gathered(textOfMembers(await zipMembers(file), options));
    return;
  }
  const { head, all } = await peek(decompressed(piecesOf(file, 0, options), kind), MAGIC_BYTES);
  if (isTar(head)) yield* gathered(textOfMembers(tarMembers(all), options));
  else if (options.member === undefined) yield* all;
  else throw noMember(options.member, []);
}

/** Joins small chunks, as each costs its consumer a write: an archive may have 100,000 members. */
async function* gathered(chunks: Chunks): Chunks {
  let held: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of chunks) {
      held.push(chunk);
      bytes += chunk.length;
      if (bytes < CHUNK_BYTES) continue;
      const full = held;
      [held, bytes] = [[], 0];
      yield Buffer.concat(full);
    }
  } catch (error) {
    if (bytes > 0) yield Buffer.concat(held);
    throw error;
  }
  if (bytes > 0) yield Buffer.concat(held);
}

interface Member {
  /** As `nameInside` gives it. */
  name: string;
  /** Bytes. */
  size: number;
  chunks(): Chunks;
  /** Other names of it and of its parts, which are not read beside it. */
  parts?: readonly Member[];
  /** Whether the text of `chunks` has headings already. */
  isHeaded?: boolean;
}

async function* textOfMembers(
  members: Iterable<Member> | AsyncIterable<Member>,
  { member: wanted, onMember }: MemberOptions,
): Chunks {
  const names: string[] = [];
  for await (const member of members) {
    const found = [member, ...(member.parts ?? [])].find(({ name }) => name === wanted);
    if (found) {
      yield* (await textOf(found)).all;
      return;
    }
    names.push(member.name);
    if (wanted === undefined) yield* withHeading(member, onMember);
  }
  if (wanted !== undefined) throw noMember(wanted, names);
}

function noMember(wanted: string, names: readonly string[]): SpillwayError {
  const near = nearest(wanted, names);
  const todo =
    near.length > 0
      ? theNearest(near)
      : names.length > 0
        ? `it has ${names.slice(0, MOST_NAMES).join(', ')}`
        : 'it is no archive';
  return new SpillwayError('not_found', `the archive has no member ${JSON.stringify(wanted)}`, todo);
}

const MOST_NAMES = 5;
const SNIFF_BYTES = 4096;

/** Unpacks a member that is compressed itself. */
async function textOf({ chunks }: Member): Promise<{ head: Buffer; all: Chunks }> {
  const found = await peek(chunks(), SNIFF_BYTES);
  const kind = compressionOf(found.head);
  return kind === null || kind === 'tar' || kind === 'zip'
    ? found
    : peek(decompressed(found.all, kind), SNIFF_BYTES);
}

/** Yields a member's heading and its text, which ends with a line end; or its size if it is not text. */
async function* withHeading(member: Member, onMember: MemberOptions['onMember']): Chunks {
  const { name, size, isHeaded } = member;
  const { head, all } = await textOf(member);
  if (head.includes(0)) {
    for await (const _ of all);
    yield headed(name, `${size} bytes, not text\n`);
    return;
  }
  onMember?.(name);
  if (!isHeaded) yield headed(name, '');
  yield* withLineEnd(all);
}

async function* withLineEnd(chunks: Chunks): Chunks {
  let last = 10;
  for await (const chunk of chunks) {
    if (chunk.length === 0) continue;
    last = chunk.at(-1)!;
    yield chunk;
  }
  if (last !== 10) yield Buffer.from('\n');
}

function headed(name: string, text: string): Buffer {
  return Buffer.from(`==> ${name} <==\n${text}`);
}

/** Returns the name as that of a file below the archive, which is shown: as `tar` does, it leads nowhere else. */
function nameInside(name: string): string {
  const parts = name.replace(/\p{Cc}/gu, '?').split('/');
  return parts.filter((part) => part !== '' && part !== '.' && part !== '..').join('/');
}

async function* tarMembers(chunks: Chunks): AsyncIterable<Member> {
  const extract = tar.extract();
  const source = Readable.from(chunks, { objectMode: false });
  source.on('error', (error) => extract.destroy(error));
  source.pipe(extract);
  try {
    for await (const entry of extract) {
      const { name, type, size = 0 } = entry.header;
      if (type === 'file' || type === 'contiguous-file')
        yield {
          name: nameInside(name),
          size,
          chunks: () => buffers(entry as AsyncIterable<Uint8Array>),
        };
      entry.resume();
    }
  } finally {
    source.destroy();
  }
}

async function zipMembers(file: PackedFile): Promise<readonly Member[]> {
  const zip = await new Promise<yauzl.ZipFile>((resolve, reject) => {
    // Names are only shown: one that leads out of a folder, which the library refuses with all members, is one more.
    const options = { lazyEntries: true, autoClose: false, decodeStrings: false } as const;
    yauzl.fromRandomAccessReader(new Reader(file), file.stats?.size ?? 0, options, (error, opened) =>
      error ? reject(error) : resolve(opened!),
    );
  });
  const members = await new Promise<Member[]>((resolve, reject) => {
    const found: Member[] = [];
    zip.on('error', reject);
    zip.on('end', () => resolve(found));
    zip.on('entry', (entry: yauzl.Entry) => {
      const { generalPurposeBitFlag, fileNameRaw, extraFields, uncompressedSize: size } = entry;
      const name = yauzl.getFileNameLowLevel(generalPurposeBitFlag, fileNameRaw, extraFields, false);
      if (!name.endsWith('/'))
        found.push({ name: nameInside(name), size, chunks: () => textOfEntry(zip, entry) });
      zip.readEntry();
    });
    zip.readEntry();
  });
  return withJobs(members);
}

async function* textOfEntry(zip: yauzl.ZipFile, entry: yauzl.Entry): Chunks {
  if (entry.isEncrypted()) {
    yield Buffer.from(`${entry.uncompressedSize} bytes, encrypted\n`);
    return;
  }
  const text = await new Promise<Readable>((resolve, reject) => {
    zip.openReadStream(entry, (error, stream) => (error ? reject(error) : resolve(stream!)));
  });
  yield* buffers(text);
}

/** Keeps the piece read last: members and the directory's entries are small, and follow each other. */
class Reader extends yauzl.RandomAccessReader {
  readonly #file: PackedFile;
  #at = 0;
  #piece: Buffer = Buffer.alloc(0);

  constructor(file: PackedFile) {
    super();
    this.#file = file;
  }

  override _readStreamForRange(start: number, end: number): Readable {
    return Readable.from(this.#bytes(start, end), { objectMode: false });
  }

  override read(
    buffer: Buffer,
    offset: number,
    length: number,
    position: number,
    done: (error: Error | null) => void,
  ): void {
    const copy = async () => {
      let to = offset;
      for await (const bytes of this.#bytes(position, position + length)) to += bytes.copy(buffer, to);
    };
    copy().then(() => done(null), done);
  }

  async *#bytes(start: number, end: number): Chunks {
    for (let at = start; at < end; ) {
      if (at < this.#at || at >= this.#at + this.#piece.length) {
        this.#piece = await this.#file.read(at, CHUNK_BYTES);
        this.#at = at;
      }
      const bytes = this.#piece.subarray(at - this.#at, end - this.#at);
      if (bytes.length === 0) throw new Error('unexpected end of file');
      at += bytes.length;
      yield bytes;
    }
  }
}

/** `0_build (linux).txt`, beside a folder `build (linux)` with a file for each step: `1_Set up job.txt`. */
const JOB = /^(\d+)_([^/]+)\.txt$/;
/** Share of a job's bytes that its steps' files may lack: runners leave out some files. */
const LACKING = 0.01;

/** Makes one member of each job of a CI's run, in order; other archives stay as they are. */
function withJobs(members: readonly Member[]): readonly Member[] {
  const numbered = members.filter(({ name }) => JOB.test(name));
  const number = (name: string) => Number(JOB.exec(name.slice(name.indexOf('/') + 1))?.[1] ?? 0);
  const inOrder = (some: readonly Member[]) => some.toSorted((a, b) => number(a.name) - number(b.name));
  const folders = new Map<string, Member[]>();
  for (const one of members) {
    const folder = one.name.slice(0, Math.max(0, one.name.indexOf('/')));
    const inIt = folders.get(folder);
    if (inIt) inIt.push(one);
    else folders.set(folder, [one]);
  }
  const jobs = inOrder(numbered).map((whole): Member => {
    const name = JOB.exec(whole.name)![2]!;
    const parts = inOrder(folders.get(name) ?? []);
    const steps = parts.filter((one) => JOB.test(one.name.slice(name.length + 1)));
    const bytes = steps.reduce((sum, { size }) => sum + size, 0);
    const isWhole = bytes > whole.size * (1 - LACKING);
    const text = isWhole ? { chunks: () => textOfSteps(steps), isHeaded: true } : { chunks: whole.chunks };
    return { name, size: whole.size, ...text, parts: [whole, ...parts] };
  });
  if (!jobs.some(({ parts }) => parts!.length > 1)) return members;
  const taken = new Set(jobs.flatMap(({ parts }) => parts!));
  return [...jobs, ...members.filter((one) => !taken.has(one))];
}

async function* textOfSteps(steps: readonly Member[]): Chunks {
  for (const { name, chunks } of steps) {
    yield headed(name, '');
    yield* withLineEnd(chunks());
  }
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
