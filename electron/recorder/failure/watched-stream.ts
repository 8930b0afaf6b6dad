/**
 * Scans a stream of a running command for lines that may explain its failure. It reads the stored bytes after they
 * are recorded, never delays the command, and takes at most a share of the time; the rest is scanned when the
 * command has failed.
 */
import { closeSync, openSync, readSync } from 'node:fs';
import type { FailureText } from '../../reader/failure/log-lines.ts';
import { FailureScanner } from '../../reader/failure/scan/scanner.ts';
import type { ScannedStream } from '../../reader/failure/streams.ts';
import { detectContentType, isMostlyText } from '../../reader/text/content-type.ts';
import { detectEncoding } from '../../reader/text/encoding.ts';
import type { Sample } from '../preview/stream-sample.ts';
import type { RecordedStreamName } from '../streams/recorded-stream.ts';

/** A shorter stream is scanned at its end alone, from memory. */
const FOLLOW_BYTES = 1024 * 1024;
const STEP_BYTES = 256 * 1024;
/** Scanning the rest of a longer stream would take longer than a person notices. */
const LONG_BYTES = 256 * 1024 * 1024;
/** Most bytes to read at the end of the part not watched in time: the last ones. */
const catchUpBytes = (totalBytes: number) => (totalBytes > LONG_BYTES ? 4 : 32) * 1024 * 1024;

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
    if (sample.totalBytes === 0 || detectEncoding(sample.head) !== 'utf-8') return null;
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
