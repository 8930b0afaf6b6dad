/**
 * One text of a document: from opening until it is truncated or replaced. A grown text is the same. Its kinds read the
 * bytes of a file (file-origin.ts) or of a capture's stream (capture-origin.ts).
 */
import { isAscii } from 'node:buffer';
import type { Artifact, ContentType, StreamName } from '../../../shared/artifact.ts';
import { SpillwayError, toSpillwayError } from '../../../shared/errors.ts';
import { chosenForm, type FormatChoice, type LogFormat, printsTimes } from '../../../shared/log-format.ts';
import { type TimeFacts, UNKNOWN_FORM } from '../../../shared/text/line-time.ts';

import { BINARY_SNIFF_BYTES, detectContentType, isOnlyNuls } from '../../reader/bytes/content-type.ts';
import { detectEncoding, newlineUnit } from '../../reader/bytes/encoding.ts';
import type { StreamHandle } from '../../reader/bytes/open-stream.ts';
import { BlockIndex } from '../../reader/lines/block-index.ts';
import { type LineGap, shownLine, storedFrom, storedTo, type TextGap } from '../../reader/lines/line-gaps.ts';
import type { LearntFormat } from '../../reader/lines/log-format.ts';
import type { EntryForm } from '../../reader/views/entry-bounds.ts';
import { createBeat } from '../../workers/call-watch.ts';
import type { Pool } from '../../workers/pool.ts';
import type { TextHandle } from '../../workers/tasks.ts';
import type { CaptureArrivals } from './origins/arrivals.ts';

/** How a text is to be read where what is detected is wrong. */
export interface Reading {
  encoding?: string | undefined;
  format?: FormatChoice | undefined;
  /** A person's patterns of lines, whose named groups are fields. */
  fieldPatterns?: readonly string[] | undefined;
}

interface TextHints extends Reading {
  path?: string | undefined;
  /** Why the text is incomplete, as a sentence. */
  problem?: string | null;
  /** Content type given with the text. Binary content is `binary` even so. */
  declared?: ContentType | null;
}

const NO_MEMBERS: ReadonlySet<string> = new Set();

export abstract class Generation {
  readonly index = new BlockIndex();
  /**
   * Number of this text in its document, from 1; set by the document. Replies with another number belong to another
   * text.
   */
  number = 0;
  /** Why the text is incomplete or uncertain, as a sentence. */
  problem: string | null;
  /** Gaps: bytes that arrived and are not in the text, in order. */
  gaps: readonly TextGap[] = [];
  /** The same in lines, as far as they were counted when the indexer last looked. */
  lineGaps: readonly LineGap[] = [];
  /** Whether the last of the counted bytes are a line without a line end. */
  endsInLine = false;
  /** Total lines, including those in gaps, if the capture's record says so; else null. */
  protected knownLines: number | null = null;
  #hints: TextHints;
  #handle: StreamHandle;
  #head: Buffer;
  #learnt: (LearntFormat & { size: number }) | null = null;
  #encoding: string;
  #contentType: ContentType;
  #users = 0;
  #isPatternSlow = false;
  #closing = false;

  /** @param head the first bytes (`sniff`) */
  constructor(handle: StreamHandle, head: Uint8Array, hints: TextHints) {
    this.#handle = handle;
    this.#hints = hints;
    this.problem = hints.problem ?? null;
    this.#head = asBuffer(head).subarray(0, BINARY_SNIFF_BYTES);
    this.#encoding = hints.encoding ?? detectEncoding(head);
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
  get isPartial(): boolean {
    return false;
  }

  /** Names of an archive's members that are text, as far as it is unpacked. */
  get members(): ReadonlySet<string> {
    return NO_MEMBERS;
  }

  /** Waits for more of a growing text. */
  async more(): Promise<void> {}

  get complete(): boolean {
    return !this.isPartial && this.index.indexedBytes >= this.size;
  }

  /** Lines in the indexed bytes. A last one without a line end counts once all bytes are indexed. */
  get lines(): number {
    return this.index.newlines + (this.complete && this.endsInLine ? 1 : 0);
  }

  /** Converts between its stored lines and shown numbers. */
  get numbers(): LineNumbers {
    if (this.gaps.length === 0) return new LineNumbers([], [], this.lines, null);
    return new LineNumbers(this.gaps, this.lineGaps, this.lines, this.complete ? this.knownLines : null);
  }

  /** Sentences a reader should know about the text, or about its lines `first` to `last`. */
  notes(first?: number, last?: number): string[] {
    const missing = this.gaps.length === 0 ? [] : this.numbers.missing(first, last);
    const isUnrecorded = this.#choice.times === 'arrivals' && this.arrivals() === null;
    const times = isUnrecorded ? ['no arrivals were recorded, so times are those that the lines print'] : [];
    const slow = this.#isPatternSlow ? ['fieldPatterns are not used: one made no progress; simplify it'] : [];
    return [...(this.problem === null ? [] : [this.problem]), ...missing, ...times, ...slow];
  }

  /** The capture beside which facts about the text may be stored; null unless it has ended. */
  get capture(): { folder: string; id: string } | null {
    return null;
  }

  text(): TextHandle {
    return { stream: this.#handle, index: this.index.handle(), encoding: this.encoding };
  }

  get stream(): StreamHandle {
    return this.#handle;
  }

  get #choice(): FormatChoice {
    return this.#hints.format ?? {};
  }

  /**
   * Time of the last write to the text, in milliseconds since 1970; gives the year and day of lines that name none.
   */
  get writtenBy(): number {
    return Date.now();
  }

  /** Returns what a line at `offset` does not tell of its time; `learnFormat` finds out more. */
  timeFacts(_offset = 0): TimeFacts {
    const form = this.#learnt?.form ?? chosenForm(UNKNOWN_FORM, this.#choice);
    return { ...form, writtenBy: this.writtenBy };
  }

  /** None once one made no progress on the text's lines. */
  get fieldPatterns(): readonly string[] {
    return this.#isPatternSlow ? [] : (this.#hints.fieldPatterns ?? []);
  }

  /** How the text writes times, levels and entries; null before `learnFormat`. */
  get format(): LogFormat | null {
    return this.#learnt?.format ?? null;
  }

  /** Whether some lines are earlier than lines before them. */
  get timesFall(): boolean {
    return this.#learnt?.timesFall ?? false;
  }

  /** Resolves when the format is known from many lines; again once the text has doubled. */
  async learnFormat(pool: Pool): Promise<void> {
    if (this.#learnt && this.size < this.#learnt.size * 2) return;
    const { size } = this;
    const learn = () => {
      const { writtenBy, fieldPatterns } = this;
      const request = { writtenBy, choice: this.#choice, fieldPatterns };
      // Nothing raises the beat: learning without a person's patterns takes milliseconds.
      const beat = fieldPatterns.length > 0 ? createBeat() : undefined;
      return pool.run('format', { ...this.text(), ...request }, { beat });
    };
    const learnt = await learn().catch((error: unknown) => {
      if (toSpillwayError(error).code !== 'stalled' || this.fieldPatterns.length === 0) throw error;
      this.#isPatternSlow = true;
      return learn();
    });
    this.#learnt = { ...learnt, size };
  }

  /** Resolves with how the entries of the text are told. */
  async entryForm(pool: Pool): Promise<EntryForm> {
    await this.learnFormat(pool);
    return { rule: this.format?.entries ?? 'time', facts: this.timeFacts() };
  }

  /** Resolves with whether only an open descriptor keeps the bytes on the disk. */
  async isUnlinked(): Promise<boolean> {
    return false;
  }

  /** Stream and arrival time of each part of the text. Null if no arrivals were recorded. */
  arrivals(): CaptureArrivals | null {
    return null;
  }

  /** Whether a line's time is the one that it prints, even if arrivals were recorded; false before `learnFormat`. */
  get readsPrinted(): boolean {
    const { times } = this.#choice;
    if (times === 'arrivals' || times === 'none' || this.format === null) return false;
    return times === 'printed' ? this.format.time !== null : printsTimes(this.format);
  }

  /** The arrivals, where they are the times of the lines. */
  arrivalTimes(): CaptureArrivals | null {
    return this.readsPrinted ? null : this.arrivals();
  }

  /** Resolves with false once bytes already read have changed or vanished. */
  abstract holds(): Promise<boolean>;

  /** Keeps the bytes readable until the promise settles, even after `close`. Throws `changed` if already closed. */
  async using<T>(work: () => Promise<T>): Promise<T> {
    // Another file may have the descriptor's number by now.
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

  /** Extends the text. Its content type may be detected only now. */
  protected async extend(handle: StreamHandle, pool: Pool): Promise<void> {
    const isKnown = this.#head.length >= Math.min(BINARY_SNIFF_BYTES, handle.size);
    const head = isKnown ? null : await sniff(handle, pool);
    this.#handle = handle;
    if (head === null) return;
    this.#head = asBuffer(head).subarray(0, BINARY_SNIFF_BYTES);
    const encoding = this.#hints.encoding ?? detectEncoding(head);
    // The lines that are counted stay.
    const isSameUnit = newlineUnit(encoding) === newlineUnit(this.#encoding);
    if (this.index.indexedBytes === 0 || isSameUnit) this.#encoding = encoding;
    this.#contentType = this.#detected();
  }

  protected declare(declared: ContentType | null): void {
    this.#hints = { ...this.#hints, declared };
    this.#contentType = this.#detected();
  }

  /** Closes the descriptors. */
  protected abstract release(): void;

  #detected(): ContentType {
    const { path, declared } = this.#hints;
    // The encoding stays once lines are counted, even if a longer head would tell another.
    const detected = detectContentType(this.#head, { size: this.size, encoding: this.#encoding, path });
    if (declared === null || declared === undefined || declared === 'unknown') return detected;
    // A recorder of agents' commands takes any NUL for binary data.
    return declared === 'binary' && newlineUnit(this.#encoding) !== 'byte' ? detected : declared;
  }
}

const ENDING_SNIFF_BYTES = 32 * 1024;

/** Reads the first bytes of a text; where they are ASCII, also its last; where they are NULs alone, half of each. */
export async function sniff(stream: StreamHandle, pool: Pool): Promise<Uint8Array> {
  const bytes = Math.min(BINARY_SNIFF_BYTES, stream.size);
  if (stream.type === 'bytes') return stream.bytes.subarray(0, bytes);
  const head = await pool.run('read', { stream, at: 0, bytes });
  if (bytes === stream.size) return head;
  // Its first foreign character may be far behind; enough of them tell the encoding.
  if (isAscii(head) && !head.includes(0)) {
    const ending = Math.min(ENDING_SNIFF_BYTES, stream.size - bytes);
    return Buffer.concat([head, await pool.run('read', { stream, at: stream.size - ending, bytes: ending })]);
  }
  if (!isOnlyNuls(head)) return head;
  const half = bytes / 2;
  const end = await pool.run('read', { stream, at: stream.size - half, bytes: half });
  return Buffer.concat([head.subarray(0, half), end]);
}

/** Resolves with the offset of the first line of that time or a later one; null if no line has a time. */
export async function offsetAtTime(generation: Generation, time: number, pool: Pool): Promise<number | null> {
  await generation.learnFormat(pool);
  return pool.run('offsetAtTime', { ...generation.text(), time, facts: generation.timeFacts() });
}

function asBuffer({ buffer, byteOffset, length }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, length);
}

/** Declares the origin of a document's text: a file (file-origin.ts) or a stream of a capture (capture-origin.ts). */
export interface Origin {
  readonly stream: StreamName;
  /**
   * Compares the file with `held`, the text read before. Resolves with null if nothing changed, and with `held`,
   * perhaps grown, if it is the same text. Throws system errors or a SpillwayError.
   */
  check(held: Generation | null): Promise<Checked | null>;
  /** The line count of the whole stream became known. */
  counted?(artifact: Artifact, generation: Generation): void;
}

export interface Checked {
  generation: Generation;
  artifact: Artifact;
  /** A sentence for the person about a change of the text; null without one. */
  notice: string | null;
}

/** Converts between stored lines and the numbers shown: those the lines had on arrival (reader/lines/line-gaps.ts). */
export class LineNumbers {
  readonly gaps: readonly LineGap[];
  /** Number of lines, including missing ones. */
  readonly total: number;
  /** Number of stored lines. */
  readonly stored: number;
  readonly #texts: readonly TextGap[];

  /**
   * @param texts the gaps in bytes, in order
   * @param total if known; else the missing lines plus the stored ones
   */
  constructor(texts: readonly TextGap[], gaps: readonly LineGap[], stored: number, total: number | null) {
    this.#texts = texts;
    this.gaps = gaps;
    this.stored = stored;
    this.total = total ?? gaps.reduce((sum, gap) => sum + gap.lines, stored);
  }

  shown(stored: number): number {
    return shownLine(this.gaps, stored);
  }

  shownOrNull(stored: number | null): number | null {
    return stored === null ? null : this.shown(stored);
  }

  /** Returns the first stored line with this number or a higher one. */
  from(shown: number): number {
    return storedFrom(this.gaps, shown);
  }

  /** Returns the last stored line with this number or a lower one; 0 if there is none. */
  to(shown: number): number {
    return Math.min(this.stored, storedTo(this.gaps, shown));
  }

  /** Returns a sentence for each gap in the lines `first` to `last` (shown numbers). */
  missing(first = 1, last = Number.POSITIVE_INFINITY): string[] {
    const notes: string[] = [];
    let before = 0;
    let gap = 0;
    for (const text of this.#texts) {
      const bytes = `${text.bytes.toLocaleString('en')} bytes${text.where}`;
      if (text.lines === 0) {
        notes.push(`${bytes} are missing at offset ${text.offset}, because ${text.why}`);
        continue;
      }
      const lines = this.gaps[gap];
      gap += 1;
      if (!lines) continue;
      const from = lines.after + before + 1;
      before += lines.lines;
      const to = lines.after + before;
      const rest = lines.cutsLine ? from - 1 : null;
      if (to < first || (rest ?? from) > last) continue;
      notes.push(`${whichLines(from, to, rest)} missing (${bytes}), because ${text.why}`);
    }
    return notes;
  }
}

/** `rest`: the line before `from`, if its rest is missing. */
function whichLines(from: number, to: number, rest: number | null): string {
  const cut = rest === null ? '' : `the rest of line ${rest}`;
  if (to < from) return `${cut} is`;
  const whole = from === to ? `line ${from}` : `lines ${from} to ${to}`;
  if (rest !== null) return `${cut} and ${whole} are`;
  return from === to ? `${whole} is` : `${whole} are`;
}
