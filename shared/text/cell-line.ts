/**
 * One line of a terminal as cells, without a right margin. A wide character takes two cells, a tab those up
 * to the next multiple of 8; what is left of either when a part of it is overwritten becomes spaces.
 */
import { eastAsianWidth } from 'get-east-asian-width';

/** Furthest column that cursor movement, insertion or repetition reaches beyond the text. */
const REACH_CELLS = 1024;
/** Beyond this column a tab takes one cell, so that a line of tabs can't ask for eight cells a byte. */
const TAB_ALIGNED_CELLS = 1 << 20;
/** Cells kept between lines; more is given back. */
const SCRATCH_CELLS = 1 << 16;

/** A cell never written, or erased. Others hold a code point, or one of these: */
const BLANK = 0;
const TAB = 9;
const SPACE = 0x20;
const TAB_REST = 0xfffffffe;
const WIDE_REST = 0xffffffff;
/** A character with marks: the rest of the number is its place in `#marked`. */
const MARKED = 0x80000000;

let scratchCodes = new Uint32Array(1024);
let scratchStyles = new Uint32Array(1024);

/** Only one may be in use at a time: they share their memory. */
export class CellLine {
  #codes = scratchCodes;
  #styles = scratchStyles;
  #length = 0;
  #column = 0;
  /** The cell that counts as the first column. */
  #first = 0;
  #savedColumn: number | null = null;
  #lastPrinted = 0;
  #budget: number;
  readonly #marked: string[] = [];

  /** Whether what is written moves the rest of the line. */
  isInserting = false;

  /** `budget` is how many cells may be filled or moved on behalf of controls. */
  constructor(budget: number) {
    this.#budget = budget;
  }

  /** False once controls have cost more than the line may. */
  get takesControls(): boolean {
    return this.#budget > 0;
  }

  /** Prints text that has no controls but tabs. */
  write(text: string, style: number): void {
    for (let i = 0; i < text.length; i++) {
      const code = text.codePointAt(i)!;
      if (code > 0xffff) i++;
      if (code === TAB) this.#writeTab(style);
      else {
        const width = cellWidth(code);
        if (width === 0) this.#attach(code);
        else this.#put(code, width, style);
      }
    }
  }

  home(): void {
    this.#column = this.#first;
  }

  /** Keeps the present cells: the cursor no longer moves to the left of this point. */
  beginHere(): void {
    this.#first = this.#column;
  }

  left(count: number): void {
    this.#column = Math.max(this.#first, this.#column - count);
  }

  right(count: number): void {
    this.#column = Math.max(this.#column, Math.min(this.#column + count, this.#reach() - 1));
  }

  /** `column` counts from 0. */
  moveTo(column: number): void {
    this.#column = Math.min(this.#first + column, this.#reach() - 1);
  }

  tabForward(count: number): void {
    const column = this.#column;
    this.right((Math.floor(column / 8) + Math.min(count, REACH_CELLS)) * 8 - column);
  }

  tabBack(count: number): void {
    this.#column = Math.max(this.#first, (Math.ceil(this.#column / 8) - count) * 8);
  }

  save(): void {
    this.#savedColumn = this.#column;
  }

  restore(): void {
    if (this.#savedColumn !== null) this.#column = this.#savedColumn;
  }

  eraseToEnd(): void {
    if (this.#column >= this.#length) return;
    this.#split(this.#column);
    this.#length = this.#column;
  }

  eraseToStart(): void {
    this.#erase(this.#first, this.#column + 1);
  }

  eraseAll(): void {
    this.#erase(this.#first, this.#length);
  }

  eraseChars(count: number): void {
    this.#erase(this.#column, this.#column + count);
  }

  deleteChars(count: number): void {
    const from = this.#column;
    if (from >= this.#length) return;
    const removed = Math.min(count, this.#length - from);
    this.#split(from);
    this.#split(from + removed);
    this.#codes.copyWithin(from, from + removed, this.#length);
    this.#styles.copyWithin(from, from + removed, this.#length);
    this.#length -= removed;
    this.#budget -= this.#length - from;
  }

  /** Text pushed beyond the reach is lost, as at a terminal's right margin. */
  insertBlanks(count: number): void {
    const from = this.#column;
    if (from >= this.#length) return;
    this.#split(from);
    const length = Math.min(this.#length + count, this.#reach());
    const inserted = Math.min(count, length - from);
    this.#reserve(length);
    this.#codes.copyWithin(from + inserted, from, length - inserted);
    this.#styles.copyWithin(from + inserted, from, length - inserted);
    this.#blank(from, from + inserted);
    this.#length = length;
    this.#budget -= length - from;
  }

  /** Prints the character last printed again. */
  repeat(count: number, style: number): void {
    const code = this.#lastPrinted;
    if (code === 0) return;
    const width = cellWidth(code);
    const end = this.#reach();
    for (let left = count; left > 0 && this.#column + width <= end; left--) {
      this.#put(code, width, style);
      this.#budget -= 2;
    }
  }

  /** Gives the line's runs of one style in order; blanks at its end that were only erased are left out. */
  read(piece: (text: string, style: number) => void): void {
    const codes = this.#codes;
    let length = this.#length;
    while (length > 0 && codes[length - 1] === BLANK) length--;
    let chunk: number[] = [];
    let text = '';
    let style = 0;
    for (let i = 0; i < length; i++) {
      const code = codes[i]!;
      if (code === WIDE_REST || code === TAB_REST) continue;
      if (this.#styles[i] !== style) {
        piece(text + String.fromCodePoint(...chunk), style);
        chunk = [];
        text = '';
        style = this.#styles[i]!;
      }
      if (code >= MARKED) {
        text += String.fromCodePoint(...chunk) + this.#marked[code - MARKED]!;
        chunk = [];
      } else if (chunk.push(code === BLANK ? SPACE : code) === 4096) {
        text += String.fromCodePoint(...chunk);
        chunk = [];
      }
    }
    piece(text + String.fromCodePoint(...chunk), style);
    if (scratchCodes.length > SCRATCH_CELLS) {
      scratchCodes = new Uint32Array(SCRATCH_CELLS);
      scratchStyles = new Uint32Array(SCRATCH_CELLS);
    }
  }

  #put(code: number, width: 1 | 2 | 0, style: number): void {
    const column = this.#column;
    const end = column + width;
    if (this.isInserting && this.takesControls) this.insertBlanks(width);
    this.#reserve(end);
    if (column < this.#length) {
      this.#split(column);
      this.#split(end);
    } else this.#fillGap(column);
    this.#codes[column] = code;
    this.#styles[column] = style;
    if (width === 2) {
      this.#codes[column + 1] = WIDE_REST;
      this.#styles[column + 1] = style;
    }
    if (end > this.#length) this.#length = end;
    this.#column = end;
    this.#lastPrinted = code;
  }

  /** At the end of the text a tab is printed; within it, it only moves. */
  #writeTab(style: number): void {
    const column = this.#column;
    const end = column < TAB_ALIGNED_CELLS ? (Math.floor(column / 8) + 1) * 8 : column + 1;
    if (column >= this.#length) {
      this.#reserve(end);
      this.#fillGap(column);
      this.#codes[column] = TAB;
      this.#codes.fill(TAB_REST, column + 1, end);
      this.#styles.fill(style, column, end);
      this.#length = end;
    }
    this.#column = end;
  }

  #attach(code: number): void {
    let at = this.#column - 1;
    if (at >= 0 && at < this.#length && this.#codes[at] === WIDE_REST) at--;
    if (at < 0 || at >= this.#length) return;
    const under = this.#codes[at]!;
    if (under === TAB || under === TAB_REST) return;
    const mark = String.fromCodePoint(code);
    if (under >= MARKED) this.#marked[under - MARKED] += mark;
    else {
      const place = this.#marked.push(String.fromCodePoint(under === BLANK ? SPACE : under) + mark) - 1;
      this.#codes[at] = MARKED + place;
    }
  }

  /** Makes `at` the beginning of a cell group: a character or tab that lies across it becomes spaces. */
  #split(at: number): void {
    if (at >= this.#length || this.#codes[at]! < TAB_REST) return;
    const rest = this.#codes[at]!;
    let from = at - 1;
    while (from > 0 && this.#codes[from] === rest) from--;
    let to = at;
    const limit = rest === WIDE_REST ? at + 1 : this.#length;
    while (to < limit && this.#codes[to] === rest) to++;
    this.#codes.fill(SPACE, from, to);
  }

  #erase(from: number, to: number): void {
    if (from >= this.#length) return;
    this.#split(from);
    if (to >= this.#length) {
      this.#length = from;
      return;
    }
    this.#split(to);
    this.#blank(from, to);
    this.#budget -= to - from;
  }

  #fillGap(to: number): void {
    if (to === this.#length) return;
    this.#blank(this.#length, to);
    this.#budget -= to - this.#length;
    this.#length = to;
  }

  #blank(from: number, to: number): void {
    this.#codes.fill(BLANK, from, to);
    this.#styles.fill(0, from, to);
  }

  #reach(): number {
    return Math.max(this.#length + 1, REACH_CELLS);
  }

  #reserve(cells: number): void {
    if (cells <= this.#codes.length) return;
    const codes = new Uint32Array(Math.max(cells, this.#codes.length * 2));
    const styles = new Uint32Array(codes.length);
    codes.set(this.#codes.subarray(0, this.#length));
    styles.set(this.#styles.subarray(0, this.#length));
    this.#codes = scratchCodes = codes;
    this.#styles = scratchStyles = styles;
  }
}

/** Cells of a code point that is not a control: 0 for what attaches to the character before it. */
export function cellWidth(codePoint: number): 0 | 1 | 2 {
  if (codePoint < 0x300) return 1;
  if (codePoint >= 0xd800 && codePoint <= 0xdfff) return 1;
  // Vowels and final consonants of decomposed Hangul join the wide syllable they follow.
  if (codePoint >= 0x1160 && codePoint <= 0x11ff) return 0;
  attaches ??= /[\p{Mn}\p{Me}\p{Cf}]/u;
  if (attaches.test(String.fromCodePoint(codePoint))) return 0;
  return eastAsianWidth(codePoint) === 2 ? 2 : 1;
}

/** Combining marks, joiners, variation selectors and other format characters. Its tables take 0.1 MB. */
let attaches: RegExp | null = null;
