/** Colours and attributes as SGR sequences (ECMA-48 CSI m, with xterm's 256 and RGB colours) set them. */
import { STYLE, type StyleRun } from '../api/rows.ts';
import { ESC } from './codes.ts';

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

// Finds the extent and meaning of the control at a position of a string: ECMA-48 escape sequences and C1
// controls (U+0080-9F, taken as their ESC forms). Every character is looked at a bounded number of times.

/** The kind of a control in a line: `csi`, `escape` (ESC and one final), `other`: removed. */
type ControlKind = 'csi' | 'escape' | 'other';

/** The control last parsed; one object, overwritten, because lines can hold millions. */
export type Control = {
  kind: ControlKind;
  /** The character code that says what to do, of `csi` and `escape`. */
  final: number;
  /** Extent of a CSI's parameter characters, a private prefix such as `?` included. */
  paramsStart: number;
  paramsEnd: number;
  /** A CSI with intermediate characters is another function than its final alone. */
  intermediates: boolean;
  /** Where reading goes on. */
  end: number;
};

/** Returns one for `parseControl` to overwrite. */
export const newControl = (): Control => ({
  kind: 'other',
  final: 0,
  paramsStart: 0,
  paramsEnd: 0,
  intermediates: false,
  end: 0,
});

/** Parses the ESC or C1 control at `at`; nothing at or after `limit` is part of it. */
export function parseControl(text: string, at: number, limit: number, into: Control): Control {
  let code = text.charCodeAt(at);
  let next = at + 1;
  if (code === ESC) {
    const second = next < limit ? text.charCodeAt(next) : 0;
    if (second >= 0x40 && second <= 0x5f) {
      code = second + 0x40;
      next++;
    } else return parseEscape(text, at, limit, into);
  }
  if (code === 0x9b) return parseCsi(text, next, limit, into);
  if (code === 0x9d) return parseString(text, next, limit, true, into);
  if (code === 0x90 || code === 0x98 || code === 0x9e || code === 0x9f) {
    return parseString(text, next, limit, false, into);
  }
  return finish(into, 'other', 0, next);
}

function finish(into: Control, kind: ControlKind, final: number, end: number): Control {
  into.kind = kind;
  into.final = final;
  into.end = end;
  return into;
}

/** ESC 7, ESC 8, ESC c and the like; ESC with intermediates (charsets); a bare ESC. */
function parseEscape(text: string, at: number, limit: number, into: Control): Control {
  let i = at + 1;
  while (i < limit && isIntermediate(text.charCodeAt(i))) i++;
  const final = i < limit ? text.charCodeAt(i) : 0;
  if (final < 0x30 || final > 0x7e) return finish(into, 'other', 0, i);
  return finish(into, i === at + 1 ? 'escape' : 'other', final, i + 1);
}

/** A broken CSI loses its introducer and parameters; what broke it is read as usual. */
function parseCsi(text: string, start: number, limit: number, into: Control): Control {
  let i = start;
  while (i < limit && isParameter(text.charCodeAt(i))) i++;
  into.paramsStart = start;
  into.paramsEnd = i;
  while (i < limit && isIntermediate(text.charCodeAt(i))) i++;
  into.intermediates = i > into.paramsEnd;
  const final = i < limit ? text.charCodeAt(i) : 0;
  if (final < 0x40 || final > 0x7e) return finish(into, 'other', 0, i);
  return finish(into, 'csi', final, i + 1);
}

/** Anything that ends a control string, or shows that it was never ended. */
const STRING_STOP = /[\x07\x18\x1a\x1b\x80-\x9f]/g;

/** A title, link or device string up to ST (or BEL, for OSC); unterminated, only its introducer. */
function parseString(text: string, start: number, limit: number, isOsc: boolean, into: Control): Control {
  let from = start;
  for (;;) {
    STRING_STOP.lastIndex = from;
    const stop = STRING_STOP.exec(text)?.index ?? limit;
    if (stop >= limit) break;
    const code = text.charCodeAt(stop);
    if (code === 0x9c) return finish(into, 'other', 0, stop + 1);
    if (code === 0x07) {
      if (isOsc) return finish(into, 'other', 0, stop + 1);
      from = stop + 1;
      continue;
    }
    if (code === ESC && stop + 1 < limit && text.charCodeAt(stop + 1) === 0x5c) {
      return finish(into, 'other', 0, stop + 2);
    }
    break;
  }
  return finish(into, 'other', 0, start);
}

function isParameter(code: number): boolean {
  return code >= 0x30 && code <= 0x3f;
}

function isIntermediate(code: number): boolean {
  return code >= 0x20 && code <= 0x2f;
}
