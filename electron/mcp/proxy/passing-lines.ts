/**
 * Cuts bytes that pass through into lines, without changing or losing one. A line that is of interest is kept until it
 * ends. One that is of none, or that outgrows the limit, goes on in parts as it comes.
 */

export type Piece =
  /** A whole line with its newline; the stream's last may have none. */
  | { readonly kind: 'line'; readonly bytes: Buffer }
  /** Bytes of lines that are not kept. `ends`: the last of them is a newline. */
  | { readonly kind: 'part'; readonly bytes: Uint8Array; readonly ends: boolean };

const NEWLINE = 0x0a;

export class PassingLines {
  readonly #maxBytes: number;
  readonly #isOfInterest: () => boolean;
  #kept: Uint8Array[] = [];
  #keptBytes = 0;
  /** In the middle of a line that is not kept. */
  #passing = false;

  /** `maxBytes`: the longest line that is kept. `isOfInterest` is asked where a line begins. */
  constructor(maxBytes: number, isOfInterest: () => boolean) {
    this.#maxBytes = maxBytes;
    this.#isOfInterest = isOfInterest;
  }

  /** Returns what may go on now. The chunk must not be reused by its owner. */
  push(chunk: Uint8Array): Piece[] {
    const pieces: Piece[] = [];
    let start = 0;
    while (start < chunk.length) {
      if (!this.#passing && this.#keptBytes === 0 && !this.#isOfInterest()) {
        // Nothing that a request waits for: all of it passes.
        return [...pieces, this.#pass(chunk.subarray(start))];
      }
      const end = chunk.indexOf(NEWLINE, start) + 1 || chunk.length;
      const part = chunk.subarray(start, end);
      start = end;
      pieces.push(...(this.#passing ? [this.#pass(part)] : this.#keep(part)));
    }
    return pieces;
  }

  /** Returns what came after the last newline, when the stream ends there. */
  end(): Piece | null {
    return this.#keptBytes === 0 ? null : { kind: 'line', bytes: this.#take() };
  }

  #pass(bytes: Uint8Array): Piece {
    const ends = bytes[bytes.length - 1] === NEWLINE;
    this.#passing = !ends;
    return { kind: 'part', bytes, ends };
  }

  #keep(part: Uint8Array): Piece[] {
    this.#kept.push(part);
    this.#keptBytes += part.length;
    if (part[part.length - 1] === NEWLINE) return [{ kind: 'line', bytes: this.#take() }];
    return this.#keptBytes > this.#maxBytes ? [this.#pass(this.#take())] : [];
  }

  #take(): Buffer {
    const line = Buffer.concat(this.#kept, this.#keptBytes);
    this.#kept = [];
    this.#keptBytes = 0;
    return line;
  }
}
