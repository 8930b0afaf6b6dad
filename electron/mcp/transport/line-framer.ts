/**
 * Splits bytes into lines in linear time: keeps chunks in a list and joins them once, when their line ends. Does not
 * keep a line over the limit, but scans it for the id that an error reply needs.
 */
import { LF } from '../../../shared/text/codes.ts';
import { TopLevelId } from './top-level-id.ts';

/** A line without its newline; or, for a line that was too long, its id and its length in bytes. */
export type FramedLine =
  | { readonly kind: 'line'; readonly text: string }
  | { readonly kind: 'oversized'; readonly bytes: number; readonly id: string | number | null };

export class LineFramer {
  readonly #maxBytes: number;
  #chunks: Uint8Array[] = [];
  #bytes = 0;
  /** Set while the present line is over the limit. */
  #oversized: TopLevelId | null = null;

  /** `maxBytes`: the longest line that is given whole. */
  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** The lines that `chunk` completes. The chunk must not be reused by its owner afterwards. */
  push(chunk: Uint8Array): FramedLine[] {
    const frames: FramedLine[] = [];
    let start = 0;
    for (let end = chunk.indexOf(LF); end !== -1; end = chunk.indexOf(LF, start)) {
      this.#keep(chunk.subarray(start, end));
      frames.push(this.#take());
      start = end + 1;
    }
    if (start < chunk.length) this.#keep(chunk.subarray(start));
    return frames;
  }

  /** Returns the unfinished last line when the stream ends; null when there is none. */
  end(): FramedLine | null {
    return this.#bytes === 0 ? null : this.#take();
  }

  #keep(part: Uint8Array): void {
    this.#bytes += part.length;
    if (this.#oversized !== null) {
      this.#oversized.push(part);
      return;
    }
    this.#chunks.push(part);
    if (this.#bytes <= this.#maxBytes) return;
    this.#oversized = new TopLevelId();
    for (const kept of this.#chunks) this.#oversized.push(kept);
    this.#chunks = [];
  }

  #take(): FramedLine {
    const frame: FramedLine =
      this.#oversized !== null
        ? { kind: 'oversized', bytes: this.#bytes, id: this.#oversized.id }
        : { kind: 'line', text: Buffer.concat(this.#chunks, this.#bytes).toString('utf8') };
    this.#chunks = [];
    this.#bytes = 0;
    this.#oversized = null;
    return frame;
  }
}
