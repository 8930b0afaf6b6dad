/**
 * A line as a person would see it (CONTRACT 1, "line text"): what one line of a terminal shows after the
 * line's bytes were written to it from its first column.
 *
 * Applied: CR, backspace, and the sequences that move or erase within the line (CSI C D G ` a I Z K J P @ X b,
 * save and restore, 4 h and 4 l), and DEC's line drawing (ESC ( 0, shift out and in). A control within a sequence
 * is applied first; the rest of the sequence follows. Only `styledLine` reads SGR (CSI m). Form feeds and vertical
 * tabs become spaces, which keeps the words beside them apart. Removed: every other escape sequence and control
 * character; tabs stay. Movement between lines has no effect. Decisions for hostile or broken input:
 * - A string sequence (title, link, DCS, APC, PM, SOS) without its terminator in the line loses its introducer
 *   alone, so that the rest of the line can't be hidden.
 * - The cursor can't be moved past column 1024 or the end of the text, whichever is further: a program that
 *   asks for column 9999 means the right edge.
 * - Filling, shifting and repeating cells is paid from a budget proportional to the line's length; when it is
 *   spent, the line's remaining controls are removed without effect. Time and memory stay linear.
 * - Colours start at default on every line.
 */
import type { StyleRun } from '../api/rows.ts';
import { CellLine } from './cell-line.ts';
import { CR, ESC } from './codes.ts';
import { type Control, newControl, parseControl, StyleState } from './escape-sequences.ts';

/** The text of one decoded line, given without its LF; a CR at its end belongs to the line ending. */
export function lineText(raw: string): string {
  const end = lineEnd(raw);
  if (!controlBefore(raw, end)) return end === raw.length ? raw : raw.slice(0, end);
  return new LineBuilder(raw, end, false).text();
}

/** As `lineText`, with the colours and attributes of its runs; `runs` is null when all is default. */
export function styledLine(raw: string): { text: string; runs: StyleRun[] | null } {
  const end = lineEnd(raw);
  if (!controlBefore(raw, end)) return { text: end === raw.length ? raw : raw.slice(0, end), runs: null };
  return new LineBuilder(raw, end, true).styled();
}

const CONTROLS = /[\x00-\x08\x0a-\x1f\x7f-\x9f]/;

function lineEnd(raw: string): number {
  return raw.charCodeAt(raw.length - 1) === CR ? raw.length - 1 : raw.length;
}

function controlBefore(raw: string, end: number): boolean {
  const at = raw.search(CONTROLS);
  return at >= 0 && at < end;
}

/** Cells that controls may fill or move: this many for each character of the line, and this many more. */
const BUDGET_FACTOR = 32;
const BUDGET_BASE = 1 << 16;
/** Counts and columns beyond this are taken as this. */
const MAX_PARAMETER = 1 << 24;

const BS = 0x08;
const VT = 0x0b;
const FF = 0x0c;
const CONTROL = /[\x00-\x08\x0a-\x1f\x7f-\x9f]/g;

const SO = 0x0e;
const SI = 0x0f;
const C0 = /[\x00-\x1f]/g;
const INTERRUPTED = /(?:\x1b\[|\x9b)[\x00-\x17\x19\x1c-\x3f]*[@-~]/y;
/** DEC's special graphics, from `_` on. */
const GRAPHICS = '\u00a0◆▒␉␌␍␊°±␤␋┘┐┌└┼⎺⎻─⎼⎽├┤┴┬│≤≥π≠£·';
const DRAWN = /^[a-z_\x20~`]+$/;
const drawn = (char: string) => GRAPHICS[char.charCodeAt(0) - 0x5f]!;

type Piece = { text: string; style: number };

/**
 * Reads one line with controls. As long as they only colour, title or link, text is simply appended; the
 * first that moves or erases turns what there is into cells.
 */
class LineBuilder {
  #raw: string;
  readonly #styles: StyleState | null;
  #pieces: Piece[] = [];
  #cells: CellLine | null = null;
  /** The cursor is at the first column of the pieces: cells are only made once something is printed there. */
  #home = false;
  readonly #control = newControl();
  /** True for each of G0 and G1 that holds DEC's line drawing; `#set` is the one in use. */
  readonly #drawing = [false, false];
  #set = 0;

  /** Reads `raw` up to `end`; without `styles`, SGR is not parsed. */
  constructor(raw: string, end: number, styles: boolean) {
    this.#raw = raw;
    this.#styles = styles ? new StyleState() : null;
    let i = 0;
    while (i < end) {
      const code = raw.charCodeAt(i);
      if (code >= 0x20 && code < 0x7f) {
        CONTROL.lastIndex = i + 1;
        const stop = Math.min(CONTROL.exec(raw)?.index ?? end, end);
        this.#print(raw.slice(i, stop));
        i = stop;
      } else i = this.#readAt(i, code, end);
    }
  }

  text(): string {
    let text = '';
    for (const piece of this.#result()) text += piece.text;
    return text;
  }

  styled(): { text: string; runs: StyleRun[] | null } {
    let text = '';
    const runs: StyleRun[] = [];
    let lastStyle = 0;
    for (const piece of this.#result()) {
      if (piece.text === '') continue;
      const start = text.length;
      text += piece.text;
      if (piece.style !== 0 && piece.style === lastStyle) runs[runs.length - 1]!.end = text.length;
      else if (piece.style !== 0) runs.push(this.#styles!.run(piece.style, start, text.length));
      lastStyle = piece.style;
    }
    return { text, runs: runs.length === 0 ? null : runs };
  }

  #result(): Piece[] {
    if (this.#cells === null) return this.#pieces;
    const pieces: Piece[] = [];
    this.#cells.read((text, style) => pieces.push({ text, style }));
    this.#cells = null;
    this.#pieces = pieces;
    return pieces;
  }

  /** A character that is not printable ASCII; returns where reading goes on. */
  #readAt(at: number, code: number, end: number): number {
    if (code === CR) {
      if (this.#cells === null) this.#home = this.#pieces.length > 0;
      else if (this.#cells.takesControls) this.#cells.home();
      return at + 1;
    }
    if (code === ESC || (code >= 0x80 && code <= 0x9f)) {
      const control = parseControl(this.#raw, at, end, this.#control);
      if (control.kind === 'other') {
        const behind = this.#interrupted(at, control.end, end);
        if (behind > 0) return behind;
        this.#designate(at, control.end);
      }
      if (control.kind === 'csi') this.#csi(control);
      else if (control.kind === 'escape') this.#escape(control.final);
      else if (isOutputEnd(this.#raw, control.end)) this.#endOutput();
      return control.end;
    }
    if (code === SO || code === SI) this.#shift(code, at, end);
    else if (code === BS) this.#inCells((cells) => cells.left(1));
    else if (code === VT || code === FF) this.#print(' ');
    else if (code === 0x09 || code >= 0xa0) {
      CONTROL.lastIndex = at + 1;
      const stop = Math.min(CONTROL.exec(this.#raw)?.index ?? end, end);
      this.#print(this.#raw.slice(at, stop));
      return stop;
    }
    return at + 1;
  }

  /**
   * Applies a CSI with controls within it, as a terminal does: first these, then the sequence. Returns where reading
   * goes on; 0 for another sequence.
   */
  #interrupted(at: number, broken: number, end: number): number {
    const by = broken < end ? this.#raw.charCodeAt(broken) : ESC;
    if (by >= 0x20 || by === ESC || by === 0x18 || by === 0x1a) return 0;
    INTERRUPTED.lastIndex = at;
    const found = INTERRUPTED.exec(this.#raw)?.[0];
    if (found === undefined || at + found.length > end) return 0;
    const raw = this.#raw;
    for (const control of found.slice(1).match(C0) ?? []) this.#readControl(control.charCodeAt(0));
    this.#raw = `\x1b[${found.replace(/^(?:\x1b\[|\x9b)/, '').replace(C0, '')}`;
    const control = parseControl(this.#raw, 0, this.#raw.length, this.#control);
    if (control.kind === 'csi') this.#csi(control);
    this.#raw = raw;
    return at + found.length;
  }

  #readControl(code: number): void {
    const raw = this.#raw;
    this.#raw = String.fromCharCode(code);
    this.#readAt(0, code, 1);
    this.#raw = raw;
  }

  /** `ESC ( 0` and `ESC ) 0`: which characters a set holds. */
  #designate(at: number, end: number): void {
    if (end !== at + 3 || this.#raw.charCodeAt(at) !== ESC) return;
    const set = this.#raw[at + 1] === '(' ? 0 : this.#raw[at + 1] === ')' ? 1 : -1;
    if (set >= 0) this.#drawing[set] = this.#raw[at + 2] === '0';
  }

  /** A program that draws lines with shifts names the set once, in another line: shifted in again, it was one. */
  #shift(code: number, at: number, end: number): void {
    this.#set = code === SO ? 1 : 0;
    if (code !== SO || this.#drawing[1]) return;
    const back = this.#raw.indexOf('\x0f', at);
    if (back > at && back < end && DRAWN.test(this.#raw.slice(at + 1, back))) this.#drawing[1] = true;
  }

  #print(plain: string): void {
    const style = this.#styles?.current ?? 0;
    const text = this.#drawing[this.#set] ? plain.replace(/[_-~]/g, drawn) : plain;
    if (this.#home) this.#toCells();
    if (this.#cells !== null) this.#cells.write(text, style);
    else this.#pieces.push({ text, style });
  }

  #csi(control: Control): void {
    if (control.intermediates) return;
    if (control.final === 0x68 || control.final === 0x6c) {
      this.#setMode(control);
      return;
    }
    const { paramsStart, paramsEnd, final } = control;
    const prefix = paramsEnd > paramsStart ? this.#raw.charCodeAt(paramsStart) : 0;
    const isPrivate = prefix >= 0x3c;
    if (final === 0x6d) {
      if (!isPrivate) this.#styles?.apply(this.#raw.slice(paramsStart, paramsEnd));
      return;
    }
    // The selective erasures, CSI ? K and CSI ? J, erase what is not protected; nothing is here.
    const erases = final === 0x4b || final === 0x4a;
    if (isPrivate && !(erases && prefix === 0x3f)) return;
    const value = this.#parameter(isPrivate ? paramsStart + 1 : paramsStart, paramsEnd);
    if (erases) this.#erase(value);
    else this.#move(final, value);
  }

  /** CSI 4 h: what is printed moves the rest of the line to the right. */
  #setMode({ paramsStart, paramsEnd, final }: Control): void {
    if (this.#raw.slice(paramsStart, paramsEnd) !== '4') return;
    this.#inCells((cells) => {
      cells.isInserting = final === 0x68;
    });
  }

  #erase(what: number): void {
    if (what > 3) return;
    if (this.#cells === null && what !== 1) {
      if (this.#home) this.#pieces = [];
      this.#home = false;
      if (what === 0 || this.#pieces.length === 0) return;
    }
    this.#inCells((cells) => {
      if (what === 0) cells.eraseToEnd();
      else if (what === 1) cells.eraseToStart();
      else cells.eraseAll();
    });
  }

  #move(final: number, value: number): void {
    const apply = MOVES[final];
    if (apply === undefined) return;
    this.#inCells((cells) => apply(cells, value, this.#styles?.current ?? 0));
  }

  #escape(final: number): void {
    if (final === 0x37) this.#inCells((cells) => cells.save());
    else if (final === 0x38) this.#inCells((cells) => cells.restore());
    else if (final === 0x63) this.#styles?.reset();
  }

  /** A shell that finds the line unended goes on in the next row of the screen; here, after what the line holds. */
  #endOutput(): void {
    if (!this.#home && this.#pieces.some(({ text }) => text !== '')) this.#toCells();
    this.#cells?.beginHere();
  }

  #inCells(act: (cells: CellLine) => void): void {
    if (this.#cells === null) this.#toCells();
    if (this.#cells!.takesControls) act(this.#cells!);
  }

  #toCells(): void {
    const cells = new CellLine(this.#raw.length * BUDGET_FACTOR + BUDGET_BASE);
    for (const piece of this.#pieces) cells.write(piece.text, piece.style);
    if (this.#home) cells.home();
    this.#home = false;
    this.#pieces = [];
    this.#cells = cells;
  }

  /** The first parameter of a CSI, 0 when it is not given. */
  #parameter(start: number, end: number): number {
    let value = 0;
    for (let i = start; i < end; i++) {
      const digit = this.#raw.charCodeAt(i) - 0x30;
      if (digit > 9) break;
      value = Math.min(value * 10 + digit, MAX_PARAMETER);
    }
    return value;
  }
}

const OUTPUT_END = /\x1b\]633;Spillway=[0-9a-f]*;E\x07$/;
/** Longer than the mark ever is. */
const OUTPUT_END_CHARS = 64;

/**
 * True when the prompt mark that ends a command's output (recorder/terminal/shell-integration/prompt-marks.ts) ends at
 * `end`.
 */
function isOutputEnd(raw: string, end: number): boolean {
  if (raw.charCodeAt(end - 1) !== 0x07 || raw[end - 2] !== 'E') return false;
  return OUTPUT_END.test(raw.slice(Math.max(0, end - OUTPUT_END_CHARS), end));
}

type Move = (cells: CellLine, value: number, style: number) => void;

/** By final character; a count of 0 means 1. */
const MOVES: Record<number, Move> = {
  [code('C')]: (cells, n) => cells.right(n || 1),
  [code('a')]: (cells, n) => cells.right(n || 1),
  [code('D')]: (cells, n) => cells.left(n || 1),
  [code('G')]: (cells, n) => cells.moveTo((n || 1) - 1),
  [code('`')]: (cells, n) => cells.moveTo((n || 1) - 1),
  [code('I')]: (cells, n) => cells.tabForward(n || 1),
  [code('Z')]: (cells, n) => cells.tabBack(n || 1),
  [code('P')]: (cells, n) => cells.deleteChars(n || 1),
  [code('@')]: (cells, n) => cells.insertBlanks(n || 1),
  [code('X')]: (cells, n) => cells.eraseChars(n || 1),
  [code('b')]: (cells, n, style) => cells.repeat(n || 1, style),
  [code('s')]: (cells) => cells.save(),
  [code('u')]: (cells) => cells.restore(),
};

function code(character: string): number {
  return character.charCodeAt(0);
}
