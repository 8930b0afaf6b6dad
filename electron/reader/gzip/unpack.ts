/**
 * Makes a compressed file readable at random, on demand:
 *
 *     gzip file of small members      read in place, member by member (members.ts)
 *     anything else                   unpacked once into a nameless temporary file (spool.ts)
 */
import type { StreamHandle } from '../bytes/handles.ts';
import { type Member, memberTable } from './members.ts';
import { MemberScan } from './scan-members.ts';
import { Spool } from './spool.ts';
import type { Compression, PackedFile, UnpackOptions } from './unpack-options.ts';

/** Text scanned by one call of `more`. */
const STEP_BYTES = 16 * 1024 * 1024;
/** This many members with less text than `LITTLE_TEXT_BYTES` each are slower to read in place than to unpack. */
const MANY_MEMBERS = 1000;
const LITTLE_TEXT_BYTES = 4096;

/** Tells the compression from a file's first four bytes. */
export function compressionOf(head: Uint8Array): Compression | null {
  if (head[0] === 0x1f && head[1] === 0x8b && head[2] === 8) return 'gzip';
  if (head[0] === 0x28 && head[1] === 0xb5 && head[2] === 0x2f && head[3] === 0xfd) return 'zstd';
  return null;
}

/** The text of a compressed file, which grows as it is unpacked. */
export class Unpacking {
  readonly #file: PackedFile;
  readonly #options: UnpackOptions;
  readonly #compression: Compression;
  readonly #scan: MemberScan;
  readonly #members: Member[] = [];
  #spool: Spool | null = null;
  #handle: StreamHandle = { type: 'bytes', bytes: new Uint8Array(), size: 0 };
  #isDone = false;
  #step: Promise<void> | null = null;
  #closed = false;

  /** `file`: the compressed file; it stays open while the text is read. */
  constructor(file: PackedFile, compression: Compression, options: UnpackOptions) {
    this.#file = file;
    this.#options = options;
    this.#compression = compression;
    this.#scan = new MemberScan(file, options.signal);
    if (compression !== 'gzip') this.#spool = new Spool(file, compression, options);
  }

  /** The text unpacked so far. */
  get handle(): StreamHandle {
    return this.#handle;
  }

  /** Whether all of the text is unpacked, or all that can be. */
  get isDone(): boolean {
    return this.#isDone;
  }

  /** Why the text is incomplete, as a sentence; null while unpacking. */
  get problem(): string | null {
    return this.#isDone ? (this.#spool?.problem ?? null) : null;
  }

  /** Unpacks some more megabytes. Rejects if reading or writing fails. */
  more(): Promise<void> {
    this.#step ??= this.#more().finally(() => {
      this.#step = null;
    });
    return this.#step;
  }

  /** Unpacks the rest. */
  async all(): Promise<void> {
    while (!this.#isDone) await this.more();
  }

  /** Stops unpacking and frees the text. Resolves when nothing reads the compressed file any more. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.#step?.catch(() => {});
    await this.#spool?.close();
  }

  async #more(): Promise<void> {
    if (this.#isDone) return;
    const { size } = this.#handle;
    if (!this.#spool && (await this.#scanMore())) return;
    if (this.#closed) return;
    // The spool starts again at the first member, with the same text.
    this.#spool ??= new Spool(this.#file, this.#compression, this.#options);
    await this.#spool.more(size);
    while (this.#spool.size < size && !this.#spool.isDone) await this.#spool.more(this.#spool.size);
    this.#isDone = this.#spool.isDone;
    this.#handle = this.#spool.handle;
  }

  /** Returns false when the file can't be read member by member. */
  async #scanMore(): Promise<boolean> {
    const { size } = this.#handle;
    const wanted = size + Math.max(STEP_BYTES, size / 4);
    let text = size;
    while (text < wanted) {
      const found = await this.#scan.next();
      if (found === 'unfit') return false;
      if (found === 'end') {
        this.#isDone = true;
        break;
      }
      this.#members.push(found);
      text += found.textBytes;
      if (this.#members.length >= MANY_MEMBERS && text < this.#members.length * LITTLE_TEXT_BYTES)
        return false;
      this.#options.onProgress?.(this.#scan.position);
    }
    const table = memberTable(this.#members);
    const { fd, path } = this.#file;
    this.#handle = { type: 'members', fd, size: table.size, table, ...(path === undefined ? {} : { path }) };
    return true;
  }
}
