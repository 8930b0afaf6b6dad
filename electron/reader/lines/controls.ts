/**
 * Controls that line text leaves out or applies (all but tab, LF and the CR of CRLF): none; only colours, which are
 * `ESC [ … m` with up to 32 digits and separators, and `ESC [ K`; or others.
 */
export const CONTROLS = { none: 0, colours: 1, others: 2 } as const;
export type Controls = (typeof CONTROLS)[keyof typeof CONTROLS];

// Collects the seams of colours. A seam is the byte before a colour and the byte after it, as
// `before << 8 | behind`. Texts have few different ones, so that a search knows without looking that no colour splits
// what it looks for.

/** A byte of a seam that is not known. In UTF-8, text before or after a colour seldom has it there. */
export const UNKNOWN_BYTE = 0x80;
const SEAMS = 0x1_0000;

export class SeamTable {
  readonly #marks: Uint8Array;
  readonly #words: Uint32Array;

  /** @param marks a byte for each seam, which is not 0 once it was met; aligned to four bytes */
  constructor(marks = new Uint8Array(SEAMS)) {
    this.#marks = marks;
    this.#words = new Uint32Array(marks.buffer, marks.byteOffset, SEAMS / 4);
  }

  mark(before: number, behind: number): void {
    this.#marks[(before << 8) | behind] = 1;
  }

  /** Returns the seams met since the last call, each once, rising. */
  take(): Uint16Array {
    const seams: number[] = [];
    const words = this.#words;
    for (let i = 0; i < words.length; i += 1) {
      if (words[i] === 0) continue;
      for (let seam = i * 4; seam < i * 4 + 4; seam += 1) if (this.#marks[seam] !== 0) seams.push(seam);
      words[i] = 0;
    }
    // The counter marks that of two NULs where there is none; a text with NULs has other controls than colours.
    return Uint16Array.from(seams[0] === 0 ? seams.slice(1) : seams);
  }
}
