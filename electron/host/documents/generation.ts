/**
 * One text: what a document held from when it was opened until it was truncated or replaced. Growing is the same text.
 * Where the bytes come from is a matter of the kinds of generations: a file (file-generation.ts), a stream of a
 * capture (capture-generation.ts).
 */
import type { ContentType } from '../../../shared/artifact.ts';
import { SpillwayError } from '../../../shared/errors.ts';
import type { StreamHandle } from '../../reader/bytes/handles.ts';
import { openStream } from '../../reader/bytes/streams.ts';
import { BlockIndex } from '../../reader/lines/block-index.ts';
import { lineGaps, type TextGap } from '../../reader/lines/line-gaps.ts';
import { totalLines } from '../../reader/lines/line-positions.ts';
import { BINARY_SNIFF_BYTES, detectContentType } from '../../reader/text/content-type.ts';
import { detectEncoding, newlineUnit } from '../../reader/text/encoding.ts';
import type { TextHandle } from '../../workers/tasks.ts';
import { LineNumbers } from './line-numbers.ts';
import type { CaptureArrivals } from './origins/arrivals.ts';

export interface TextHints {
  /** Chosen by hand; otherwise found out. */
  encoding?: string | undefined;
  /** Path of the file. */
  path?: string | undefined;
  /** Why the text is not whole, in a sentence. */
  problem?: string | null;
  /** Content type given with the text. Binary content is `binary` even so. */
  declared?: ContentType | null;
}

export abstract class Generation {
  readonly index = new BlockIndex();
  /**
   * Number of this text in its document, from 1; set by the document. Replies with another number belong to another
   * text.
   */
  number = 0;
  /** Why the text is not whole or not certain, in a sentence. */
  problem: string | null;
  /** Bytes that came and are not in the text, in order. */
  gaps: readonly TextGap[] = [];
  /** Total lines, including those in gaps, if the capture's record says so; else null. */
  protected knownLines: number | null = null;
  #hints: TextHints;
  #handle: StreamHandle;
  #head: Buffer;
  #encoding: string;
  #contentType: ContentType;
  #users = 0;
  #closing = false;

  constructor(handle: StreamHandle, hints: TextHints) {
    this.#handle = handle;
    this.#hints = hints;
    this.problem = hints.problem ?? null;
    this.#head = sniff(handle);
    this.#encoding = hints.encoding ?? detectEncoding(this.#head);
    this.#contentType = this.#detected();
  }

  /** First bytes of the stream. */
  get head(): Buffer {
    return this.#head;
  }

  get encoding(): string {
    return this.#encoding;
  }

  get contentType(): ContentType {
    return this.#contentType;
  }

  /** Bytes of the stream. */
  get size(): number {
    return this.#handle.size;
  }

  /** The file is still being unpacked: `size` counts the readable part only. */
  get isGrowing(): boolean {
    return false;
  }

  /** Waits for more of a text that is growing. */
  async more(): Promise<void> {}

  get complete(): boolean {
    return !this.isGrowing && this.index.indexedBytes >= this.size;
  }

  /** Lines in the indexed bytes; a last one without a line end counts when all bytes are indexed. */
  get lines(): number {
    if (!this.complete) return this.index.newlines;
    try {
      return totalLines(this.index, openStream(this.#handle), newlineUnit(this.encoding));
    } catch {
      // The file became shorter just now; the next look at it finds out.
      return this.index.newlines;
    }
  }

  /** The numbers its lines are shown with. */
  get numbers(): LineNumbers {
    if (this.gaps.length === 0) return new LineNumbers([], [], this.lines, null);
    const gaps = lineGaps(this.gaps, openStream(this.#handle), this.index, newlineUnit(this.encoding));
    return new LineNumbers(this.gaps, gaps, this.lines, this.complete ? this.knownLines : null);
  }

  /** Sentences a reader should know about the text, or about its lines `first` to `last`. */
  notes(first?: number, last?: number): string[] {
    const missing = this.gaps.length === 0 ? [] : this.numbers.missing(first, last);
    return this.problem === null ? missing : [this.problem, ...missing];
  }

  /** Where more may be kept about the text: beside a capture that has ended. Null elsewhere. */
  get capture(): { folder: string; id: string } | null {
    return null;
  }

  text(): TextHandle {
    return { stream: this.#handle, index: this.index.handle(), encoding: this.encoding };
  }

  get stream(): StreamHandle {
    return this.#handle;
  }

  /**
   * When the text was last written to, in milliseconds since 1970: says which year and day lines mean that name none.
   */
  get writtenBy(): number {
    return Date.now();
  }

  /** Time of the last write to the file that holds the byte at `offset`. */
  writtenByOf(_offset: number): number {
    return this.writtenBy;
  }

  /** Nothing but a descriptor that is held keeps the bytes on the disk. */
  get isUnlinked(): boolean {
    return false;
  }

  /** Stream and arrival time of each part of the text. Null if no arrivals were recorded. */
  arrivals(): CaptureArrivals | null {
    return null;
  }

  /** Resolves with false once the bytes that were read have changed or vanished. */
  abstract holds(): Promise<boolean>;

  /** Keeps the bytes readable until the promise settles, even after `close`. Throws `changed` when it is closed. */
  async using<T>(work: () => Promise<T>): Promise<T> {
    // The descriptor's number may be another file's by now.
    if (this.#closing && this.#users === 0) {
      throw new SpillwayError('changed', 'the file was replaced before it was read', 'ask again');
    }
    this.#users += 1;
    try {
      return await work();
    } finally {
      this.#users -= 1;
      if (this.#closing && this.#users === 0) this.release();
    }
  }

  close(): void {
    if (this.#closing) return;
    this.#closing = true;
    if (this.#users === 0) this.release();
  }

  /** The same text, and more of it. What kind of text it is may show only now. */
  protected extend(handle: StreamHandle): void {
    this.#handle = handle;
    if (this.#head.length >= Math.min(BINARY_SNIFF_BYTES, handle.size)) return;
    this.#head = sniff(handle);
    if (this.index.indexedBytes === 0) this.#encoding = this.#hints.encoding ?? detectEncoding(this.#head);
    this.#contentType = this.#detected();
  }

  protected declare(declared: ContentType | null): void {
    this.#hints = { ...this.#hints, declared };
    this.#contentType = this.#detected();
  }

  /** Closes the descriptors. */
  protected abstract release(): void;

  #detected(): ContentType {
    const { encoding, path, declared } = this.#hints;
    const detected = detectContentType(this.#head, { size: this.size, encoding, path });
    return detected === 'binary' ? detected : (declared ?? detected);
  }
}

function sniff(handle: StreamHandle): Buffer {
  const head = Buffer.alloc(Math.min(BINARY_SNIFF_BYTES, handle.size));
  return head.subarray(0, openStream(handle).read(head, 0));
}
