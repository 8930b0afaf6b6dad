/** Writes to the client: the server's bytes, and lines of the proxy's own, never in the middle of a server's line. */
import type { Writable } from 'node:stream';
import { LF } from '../../../shared/text/codes.ts';

export class ClientWriter {
  /** Aborted once the client has closed its end. */
  readonly gone: AbortSignal;
  readonly #stream: Writable;
  #turn: Promise<void> = Promise.resolve();

  constructor(stream: Writable) {
    const gone = new AbortController();
    this.gone = gone.signal;
    this.#stream = stream;
    const leave = () => gone.abort();
    stream.once('close', leave).on('error', leave);
    // Each waiting write listens for `drain`.
    stream.setMaxListeners(0);
  }

  /** Waits until no other writer is in the middle of a line. Resolves with a function that ends the turn. */
  async take(): Promise<() => void> {
    const before = this.#turn;
    let release = () => {};
    this.#turn = new Promise((resolve) => {
      release = resolve;
    });
    await before;
    return release;
  }

  /** Needs the turn. Resolves when the stream takes more, or the client has closed its end. */
  async write(bytes: Uint8Array): Promise<void> {
    await writeOn(this.#stream, bytes, this.gone);
  }

  /** Writes one line of the proxy's own. */
  async line(message: object): Promise<void> {
    const release = await this.take();
    await this.write(Buffer.from(`${JSON.stringify(message)}\n`));
    release();
  }

  /** Resolves when everything is handed to the system, or the client has closed its end. */
  async flushed(): Promise<void> {
    await this.#turn;
    if (this.gone.aborted || this.#stream.writableLength === 0) return;
    await new Promise<void>((resolve) => {
      this.gone.addEventListener('abort', () => resolve(), { once: true });
      this.#stream.write('', () => resolve());
    });
  }
}

/** Resolves when the stream takes more; at once if `gone` is aborted. */
export async function writeOn(stream: Writable, bytes: Uint8Array, gone: AbortSignal): Promise<void> {
  if (gone.aborted || stream.write(bytes)) return;
  await new Promise<void>((resolve) => {
    const done = () => {
      stream.off('drain', done);
      gone.removeEventListener('abort', done);
      resolve();
    };
    stream.once('drain', done);
    gone.addEventListener('abort', done, { once: true });
  });
}

/**
 * Splits a byte stream into lines without changing a byte. Holds a line of interest until it ends. Passes other lines,
 * and lines over the limit, in parts as they arrive.
 */
export type PassedLine =
  /** A whole line with its newline. The last line of the stream may lack one. */
  | { readonly kind: 'line'; readonly bytes: Buffer }
  /** Bytes of lines that are not held. `ends` says that the last byte is a newline. */
  | { readonly kind: 'part'; readonly bytes: Uint8Array; readonly ends: boolean };

export class PassingLines {
  readonly #maxBytes: number;
  readonly #isOfInterest: () => boolean;
  #kept: Uint8Array[] = [];
  #keptBytes = 0;
  /** True in the middle of a line that is not held. */
  #passing = false;

  /** `maxBytes` limits a held line. `isOfInterest` is asked at the start of each line. */
  constructor(maxBytes: number, isOfInterest: () => boolean) {
    this.#maxBytes = maxBytes;
    this.#isOfInterest = isOfInterest;
  }

  /** Returns the pieces that can pass now. The caller must not reuse the chunk. */
  push(chunk: Uint8Array): PassedLine[] {
    const pieces: PassedLine[] = [];
    let start = 0;
    while (start < chunk.length) {
      if (!this.#passing && this.#keptBytes === 0 && !this.#isOfInterest()) {
        // No request is pending, so the rest of the chunk passes.
        return [...pieces, this.#pass(chunk.subarray(start))];
      }
      const end = chunk.indexOf(LF, start) + 1 || chunk.length;
      const part = chunk.subarray(start, end);
      start = end;
      pieces.push(...(this.#passing ? [this.#pass(part)] : this.#keep(part)));
    }
    return pieces;
  }

  /** Returns the bytes after the last newline, at the end of the stream. */
  end(): PassedLine | null {
    return this.#keptBytes === 0 ? null : { kind: 'line', bytes: this.#take() };
  }

  #pass(bytes: Uint8Array): PassedLine {
    const ends = bytes[bytes.length - 1] === LF;
    this.#passing = !ends;
    return { kind: 'part', bytes, ends };
  }

  #keep(part: Uint8Array): PassedLine[] {
    this.#kept.push(part);
    this.#keptBytes += part.length;
    if (part[part.length - 1] === LF) return [{ kind: 'line', bytes: this.#take() }];
    return this.#keptBytes > this.#maxBytes ? [this.#pass(this.#take())] : [];
  }

  #take(): Buffer {
    const line = Buffer.concat(this.#kept, this.#keptBytes);
    this.#kept = [];
    this.#keptBytes = 0;
    return line;
  }
}
