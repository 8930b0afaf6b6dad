/** Watches a running command's streams for lines that may explain its failure. */

import { closeSync, openSync, readSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Cause } from '../../../shared/artifact.ts';
import { TIMED_OUT_AFTER } from '../../../shared/recording.ts';
import { formatDuration } from '../../../shared/text/format.ts';
import { combinedLine } from '../../reader/bytes/combined-line.ts';
import { detectContentType, isMostlyText } from '../../reader/bytes/content-type.ts';
import { detectUnicode } from '../../reader/bytes/encoding.ts';
import { causeText } from '../../reader/failure/cause-text.ts';
import { explainStreams, type ScannedStream } from '../../reader/failure/explain.ts';
import type { Explanation } from '../../reader/failure/explanation.ts';
import { type FailureText, LogLines } from '../../reader/failure/log-lines.ts';
import { rehearsal } from '../../reader/failure/rehearsal.ts';
import { FailureScanner } from '../../reader/failure/scan/scanner.ts';
import { KEPT_BYTES, keepExplained } from '../../store/contents/explained.ts';
import { decodeArrivalRun } from '../../store/format/times.ts';
import type { RecordedStreamName } from './outcome.ts';
import type { Sample } from './preview.ts';
import type { Recording } from './recording.ts';

export interface ExplainedRun {
  cause: Cause | null;
  /** Every stream was read; one in UTF-16 is not. */
  isAll: boolean;
  /** By stream, for previews of any size. */
  explanations: ReadonlyMap<RecordedStreamName, Explanation>;
}

/** Largest share of the elapsed time that watching may take. */
const TIME_SHARE = 0.12;
const FREE_MS = 20;
/** Pause after watching has taken its share. */
const REST_MS = 25;

/** The last line is looked for in so many bytes at the end. */
const END_BYTES = 16 * 1024;

export class FailureWatch {
  readonly #recording: Recording;
  readonly #streams: WatchedStream[];
  readonly #begun = performance.now();
  #spent = 0;
  #rehearsal: Generator<void> | null = null;
  #next: NodeJS.Timeout | NodeJS.Immediate | null = null;

  constructor(recording: Recording, names: readonly RecordedStreamName[]) {
    this.#recording = recording;
    this.#streams = names.map((name) => new WatchedStream(name, () => recording.filePath(name)));
  }

  /** Call after output was passed on. */
  wake(): void {
    if (this.#next === null && this.#behind() !== undefined) this.#next = setImmediate(() => this.#step());
  }

  /**
   * Explains the output and stops watching. Skips streams that cannot be read. `timeout`: the milliseconds after which
   * the command was ended; then a line that does not say plainly what failed is not the cause.
   */
  explain(sampleOf: (stream: RecordedStreamName) => Sample, timeout: number | null = null): ExplainedRun {
    this.stop();
    const isAll = this.#streams.every(({ name }) => isUtf8(sampleOf(name)));
    try {
      const scanned = this.#streams.flatMap((stream) => stream.finish(sampleOf(stream.name)) ?? []);
      const { explanations, cause } = explainStreams(scanned);
      this.#keep(scanned, explanations);
      if (timeout !== null && !(cause && explanations.get(cause.stream)?.tellsOfFailure))
        return { cause: this.#lastPrinted(scanned, timeout), isAll, explanations };
      if (cause === null) return { cause, isAll, explanations };
      const { stream, line_number, text } = cause;
      const offset = explanations.get(stream)?.ranked.find(({ number }) => number === line_number)?.offset;
      return {
        cause: { stream, line_number, ...this.#placeOf(scanned, stream, line_number, offset), text },
        isAll,
        explanations,
      };
    } finally {
      this.close();
    }
  }

  /** The last line of all streams, as far as their order is known. */
  #lastPrinted(scanned: readonly ScannedStream<RecordedStreamName>[], timeout: number): Cause | null {
    const ends = scanned.flatMap(({ name: stream, scanner, text }) => {
      const lines = new LogLines(text, scanner.lines);
      lines.loadTail(END_BYTES);
      return lines.last(1).map(({ number: line_number, offset, text }) => ({
        ...{ stream, line_number, ...this.#placeOf(scanned, stream, line_number, offset) },
        text: causeText(`${TIMED_OUT_AFTER}${formatDuration(timeout)}; it last printed: ${text.trim()}`),
      }));
    });
    return ends.sort((a, b) => (b.combined_line ?? 0) - (a.combined_line ?? 0))[0] ?? null;
  }

  #placeOf(
    scanned: readonly ScannedStream<RecordedStreamName>[],
    stream: RecordedStreamName,
    line: number,
    offset: number | undefined,
  ): Pick<Cause, 'combined_line'> {
    const combined = offset === undefined ? null : this.#combinedLine(scanned, stream, line, offset);
    return combined === null ? {} : { combined_line: combined };
  }

  /** Returns null where the number is not known, as of a stream that can't be scanned beside another. */
  #combinedLine(
    scanned: readonly ScannedStream<RecordedStreamName>[],
    stream: RecordedStreamName,
    number: number,
    offset: number,
  ): number | null {
    const texts = this.#streams.map(({ name }) => {
      const { bytes, newlines } = this.#recording.progress(name);
      return {
        text: scanned.find((one) => one.name === name)?.text ?? { size: bytes, read: () => 0 },
        newlines,
      };
    });
    const at = this.#streams.findIndex(({ name }) => name === stream);
    return combinedLine(texts, at, { number, offset }, decodeArrivalRun(this.#recording.arrivals()));
  }

  /**
   * Stores the explanation, which takes long to find again. The record still says `running`, so the file always has
   * one.
   */
  #keep(
    scanned: readonly ScannedStream<RecordedStreamName>[],
    explanations: ReadonlyMap<RecordedStreamName, Explanation>,
  ): void {
    const large = scanned.flatMap(({ name, text: { size } }) => {
      const explanation = explanations.get(name);
      const isWhole = this.#streams.some((stream) => stream.name === name && stream.isWhole);
      return explanation && isWhole && size >= KEPT_BYTES ? [{ name, bytes: size, explanation }] : [];
    });
    const [first] = large;
    const path = first ? this.#recording.filePath(first.name) : null;
    const id = this.#recording.artifactId;
    if (path !== null && id !== null) keepExplained(dirname(path), id, large);
  }

  stop(): void {
    if (this.#next !== null) {
      clearTimeout(this.#next as NodeJS.Timeout);
      clearImmediate(this.#next as NodeJS.Immediate);
    }
    this.#next = null;
  }

  close(): void {
    this.stop();
    for (const stream of this.#streams) stream.close();
  }

  #step(): void {
    this.#next = null;
    const stream = this.#behind();
    if (stream === undefined) return;
    const start = performance.now();
    if (this.#spent > FREE_MS + TIME_SHARE * (start - this.#begun)) {
      this.#next = setTimeout(() => this.#step(), REST_MS).unref();
      return;
    }
    const got = stream.step();
    const { bytes } = this.#recording.progress(stream.name);
    if (got > 0 && stream.hasTime(bytes)) this.#rehearse(stream.scanned);
    this.#spent += performance.now() - start;
    if (got > 0) this.wake();
  }

  /** Runs one warm-up step between two scan steps, so that output is never delayed for long. */
  #rehearse(sample: Uint8Array): void {
    this.#rehearsal ??= rehearsal(sample);
    this.#rehearsal.next();
  }

  #behind(): WatchedStream | undefined {
    return this.#streams.find((stream) => stream.isBehind(this.#recording.progress(stream.name).bytes));
  }
}

/** A shorter stream is scanned at its end alone, from memory. */
const FOLLOW_BYTES = 1024 * 1024;
const STEP_BYTES = 256 * 1024;
/** Scanning the rest of a longer stream would take longer than a person notices. */
const LONG_BYTES = 256 * 1024 * 1024;
/** Most bytes to read at the end of the part not watched in time: the last ones. */
const catchUpBytes = (totalBytes: number) => (totalBytes > LONG_BYTES ? 4 : 32) * 1024 * 1024;

/**
 * Scans a stream of a running command for lines that may explain its failure. It reads the stored bytes after they
 * are recorded, never delays the command, and takes at most a share of the time; the rest is scanned when the
 * command has failed.
 */
export class WatchedStream {
  readonly name: RecordedStreamName;
  readonly #path: () => string | null;
  #fd: number | null = null;
  #scanner: FailureScanner | null = null;
  /** Bytes that were scanned. */
  #position = 0;
  #isWhole = true;
  #scanned = 0;

  constructor(name: RecordedStreamName, path: () => string | null) {
    this.name = name;
    this.#path = path;
  }

  /** Whether all of it was scanned. */
  get isWhole(): boolean {
    return this.#isWhole;
  }

  /** Whether enough arrived to be worth a step. */
  isBehind(arrived: number): boolean {
    return arrived >= FOLLOW_BYTES && arrived - this.#position >= STEP_BYTES;
  }

  /** True if little is left to scan, or so much that the middle will be left out. */
  hasTime(arrived: number): boolean {
    const behind = arrived - this.#position;
    return behind < STEP_BYTES || behind > catchUpBytes(0);
  }

  /** The bytes that the last step scanned; the next step reads into the same memory. */
  get scanned(): Uint8Array {
    return BUFFER.subarray(0, this.#scanned);
  }

  /** Scans the next stored bytes; returns how many. */
  step(): number {
    this.#fd ??= opened(this.#path());
    if (this.#fd === null) return 0;
    this.#scanner ??= new FailureScanner();
    const got = readAt(this.#fd, BUFFER, this.#position);
    this.#scanner.push(BUFFER.subarray(0, got));
    this.#position += got;
    this.#scanned = got;
    return got;
  }

  /** Scans the rest. Returns null unless it is UTF-8, perhaps with a few NULs. The result can be read until `close`. */
  finish(sample: Sample): ScannedStream<RecordedStreamName> | null {
    if (sample.totalBytes === 0 || !isUtf8(sample)) return null;
    if (isBinary(sample) && !isMostlyText(sample.head)) return null;
    const text = this.#text(sample);
    const scanner = this.#scanner ?? new FailureScanner(sample.totalBytes);
    const { totalBytes, newlines } = sample;
    const tailStart = totalBytes - sample.tail.length;
    const catchUpStart = totalBytes - catchUpBytes(totalBytes);
    if (this.#position < catchUpStart)
      this.#skip(scanner, text, catchUpStart, newlines) || this.#skip(scanner, text, tailStart, newlines);
    // Beyond the cap, or on a full disk, the middle is not stored. The end is in memory.
    if (!this.#scanOn(scanner, text)) {
      this.#isWhole = false;
      if (this.#skip(scanner, text, tailStart, newlines)) this.#scanOn(scanner, text);
      else scanner.skipTo(totalBytes, newlines + 1);
    }
    scanner.finish();
    return { name: this.name, scanner, text };
  }

  close(): void {
    if (this.#fd !== null) closeSync(this.#fd);
    this.#fd = null;
  }

  /**
   * Skips to the first line that begins after `from`. Returns false if there is none, or if the text can't be read
   * from there to its end: its lines are counted from the end, because all were counted.
   */
  #skip(scanner: FailureScanner, text: FailureText, from: number, newlines: number): boolean {
    let at = Math.max(this.#position, from);
    let first = -1;
    let lines = 0;
    while (at < text.size) {
      const got = text.read(BUFFER, at);
      if (got <= 0) return false;
      const part = BUFFER.subarray(0, got);
      for (let end = part.indexOf(10); end >= 0; end = part.indexOf(10, end + 1)) {
        if (first < 0) first = at + end + 1;
        else lines += 1;
      }
      at += got;
    }
    if (first < 0) return false;
    this.#isWhole = false;
    scanner.skipTo(first, newlines - lines);
    this.#position = first;
    return true;
  }

  /** Scans to the end of the text; returns false where bytes before the end can't be read. */
  #scanOn(scanner: FailureScanner, text: FailureText): boolean {
    while (this.#position < text.size) {
      const got = text.read(BUFFER, this.#position);
      if (got <= 0) return false;
      scanner.push(BUFFER.subarray(0, got));
      this.#position += got;
    }
    return true;
  }

  /** The beginning and the end from memory, the rest from the file as far as it is stored. */
  #text({ head, tail, totalBytes }: Sample): FailureText {
    if (head.length < totalBytes) this.#fd ??= opened(this.#path());
    const tailStart = totalBytes - tail.length;
    const part = (bytes: Uint8Array, position: number) => {
      if (position < head.length) return head.copy(bytes, 0, position);
      if (position >= tailStart) return tail.copy(bytes, 0, position - tailStart);
      return this.#fd === null ? 0 : readAt(this.#fd, bytes, position);
    };
    return {
      size: totalBytes,
      read: (bytes, position) => {
        let done = 0;
        while (done < bytes.length) {
          const got = part(bytes.subarray(done), position + done);
          if (got <= 0) break;
          done += got;
        }
        return done;
      },
    };
  }
}

const isUtf8 = ({ head }: Sample): boolean => detectUnicode(head) === 'utf-8';

function isBinary({ head, totalBytes }: Sample): boolean {
  return detectContentType(head, { size: totalBytes }) === 'binary';
}

const BUFFER = Buffer.allocUnsafeSlow(STEP_BYTES);

function opened(path: string | null): number | null {
  try {
    return path === null ? null : openSync(path, 'r');
  } catch {
    return null;
  }
}

function readAt(fd: number, bytes: Uint8Array, position: number): number {
  try {
    return readSync(fd, bytes, 0, bytes.length, position);
  } catch {
    return 0;
  }
}
