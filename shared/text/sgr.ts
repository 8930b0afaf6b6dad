/** Colours and attributes as SGR sequences (ECMA-48 CSI m, with xterm's 256 and RGB colours) set them. */

import type { StyleRun } from '../api/rows.ts';
import { STYLE } from '../api/rows.ts';

const DEFAULT = -1;
/** Marks an RGB colour, which shares its number with the palette's 0-255. */
const RGB = 0x1000000;

/** The current style of a line being read, and the numbers of the styles met so far; 0 is the default style. */
export class StyleState {
  #fg = DEFAULT;
  #bg = DEFAULT;
  #style = 0;
  #current = 0;
  readonly #ids = new Map<string, number>();
  readonly #known: Omit<StyleRun, 'start' | 'end'>[] = [{ style: 0 }];

  /** The number of the style in force. */
  get current(): number {
    return this.#current;
  }

  /** A run of text in a style that was in force. */
  run(id: number, start: number, end: number): StyleRun {
    return { start, end, ...this.#known[id]! };
  }

  reset(): void {
    this.#fg = DEFAULT;
    this.#bg = DEFAULT;
    this.#style = 0;
    this.#current = 0;
  }

  /** Applies the parameters of one CSI m, such as `1;38;5;208`. */
  apply(params: string): void {
    const parts = params.split(';');
    for (let i = 0; i < parts.length; i++) {
      const part = parts[i]!;
      const code = part === '' ? 0 : Number.parseInt(part, 10);
      if (code !== 38 && code !== 48 && code !== 58) {
        this.#set(code, part);
        continue;
      }
      const colon = part.includes(':');
      const colour = colon ? colonColour(part) : listColour(parts, i);
      if (!colon) i += colour.used;
      if (colour.value !== null && code === 38) this.#fg = colour.value;
      if (colour.value !== null && code === 48) this.#bg = colour.value;
    }
    this.#current = this.#intern();
  }

  #set(code: number, part: string): void {
    if (code === 0) this.reset();
    else if (code === 4 && part.startsWith('4:0')) this.#style &= ~STYLE.underline;
    else if (ON[code] !== undefined) this.#style |= ON[code];
    else if (OFF[code] !== undefined) this.#style &= ~OFF[code];
    else if (code >= 30 && code <= 37) this.#fg = code - 30;
    else if (code === 39) this.#fg = DEFAULT;
    else if (code >= 40 && code <= 47) this.#bg = code - 40;
    else if (code === 49) this.#bg = DEFAULT;
    else if (code >= 90 && code <= 97) this.#fg = code - 82;
    else if (code >= 100 && code <= 107) this.#bg = code - 92;
  }

  #intern(): number {
    if (this.#fg === DEFAULT && this.#bg === DEFAULT && this.#style === 0) return 0;
    const key = `${this.#fg} ${this.#bg} ${this.#style}`;
    const known = this.#ids.get(key);
    if (known !== undefined) return known;
    const run: Omit<StyleRun, 'start' | 'end'> = { style: this.#style };
    if (this.#fg !== DEFAULT) run.fg = colourOf(this.#fg);
    if (this.#bg !== DEFAULT) run.bg = colourOf(this.#bg);
    const id = this.#known.push(run) - 1;
    this.#ids.set(key, id);
    return id;
  }
}

const ON: Record<number, number> = {
  1: STYLE.bold,
  2: STYLE.dim,
  3: STYLE.italic,
  4: STYLE.underline,
  7: STYLE.inverse,
  8: STYLE.hidden,
  9: STYLE.strike,
  21: STYLE.underline,
};
const OFF: Record<number, number> = {
  22: STYLE.bold | STYLE.dim,
  23: STYLE.italic,
  24: STYLE.underline,
  27: STYLE.inverse,
  28: STYLE.hidden,
  29: STYLE.strike,
};

function colourOf(value: number): number | string {
  return value < RGB ? value : `#${(value - RGB).toString(16).padStart(6, '0')}`;
}

type Parsed = { value: number | null; used: number };

/** `38;5;n` and `38;2;r;g;b`, whose arguments are parameters of their own. */
function listColour(parts: readonly string[], at: number): Parsed {
  const mode = parts[at + 1];
  if (mode === '5') return { value: palette(parts[at + 2]), used: 2 };
  if (mode === '2') return { value: rgb(parts[at + 2], parts[at + 3], parts[at + 4]), used: 4 };
  return { value: null, used: 1 };
}

/** `38:5:n`, `38:2::r:g:b` (the empty place is the colour space) and the common `38:2:r:g:b`. */
function colonColour(part: string): Parsed {
  const sub = part.split(':', 7);
  if (sub[1] === '5') return { value: palette(sub[2]), used: 0 };
  if (sub[1] !== '2') return { value: null, used: 0 };
  const first = sub.length >= 6 ? 3 : 2;
  return { value: rgb(sub[first], sub[first + 1], sub[first + 2]), used: 0 };
}

function palette(text: string | undefined): number | null {
  return byteValue(text);
}

function rgb(r: string | undefined, g: string | undefined, b: string | undefined): number | null {
  const red = byteValue(r);
  const green = byteValue(g);
  const blue = byteValue(b);
  if (red === null || green === null || blue === null) return null;
  return RGB + red * 0x10000 + green * 0x100 + blue;
}

/** 0-255; an empty parameter is 0, as everywhere in SGR. */
function byteValue(text: string | undefined): number | null {
  if (text === undefined || text === '') return 0;
  const value = Number.parseInt(text, 10);
  return value >= 0 && value <= 255 ? value : null;
}
