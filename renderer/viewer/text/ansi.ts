/** Converts a row's style runs to pieces of text to draw: a class for the 16 colours, a style for computed ones. */
import { useMemo } from 'react';
import { type Colour, STYLE, type StyleRun } from '../../../shared/api/rows.ts';
import { type Theme, useTheme } from '../../ui/theme/theme.ts';

/** The theme's colours: 16 of the terminal palette, and the text's own. */
export interface AnsiPalette {
  ansi: readonly Rgb[];
  /** The 16 colours as backgrounds. */
  behind: readonly Rgb[];
  text: Rgb;
  background: Rgb;
  /** The background of selected lines. */
  selected: Rgb;
}

export interface StyledPiece {
  text: string;
  /** Class names of `RowText.module.css`. */
  classes: readonly string[];
  style: { color?: string; backgroundColor?: string } | null;
}

/** Returns pieces that cover the whole text in order; text outside runs is plain. */
export function piecesOf(text: string, runs: readonly StyleRun[], palette: AnsiPalette): StyledPiece[] {
  const pieces: StyledPiece[] = [];
  let at = 0;
  for (const run of runs) {
    const start = Math.max(at, run.start);
    const end = Math.min(text.length, run.end);
    if (end <= start) continue;
    if (start > at) pieces.push({ text: text.slice(at, start), classes: [], style: null });
    pieces.push({ text: text.slice(start, end), ...look(run, palette) });
    at = end;
  }
  if (at < text.length) pieces.push({ text: text.slice(at), classes: [], style: null });
  return pieces;
}

const FLAGS = ['bold', 'dim', 'italic', 'underline', 'strike', 'hidden'] as const;

function look(run: StyleRun, palette: AnsiPalette): Omit<StyledPiece, 'text'> {
  const classes: string[] = FLAGS.filter((flag) => run.style & STYLE[flag]);
  const inverse = (run.style & STYLE.inverse) !== 0;
  const dim = (run.style & STYLE.dim) !== 0;
  const plainColour = typeof run.fg === 'number' && run.fg < 16 ? run.fg : null;
  if (run.bg === undefined && !inverse && !dim && (run.fg === undefined || plainColour !== null)) {
    if (plainColour !== null) classes.push(`fg${plainColour}`);
    return { classes, style: null };
  }
  const [front, back] = inverse ? [run.bg, run.fg] : [run.fg, run.bg];
  const plain = inverse
    ? { text: palette.background, background: palette.text }
    : { text: palette.text, background: palette.background };
  const background = back === undefined ? plain.background : rgbOf(back, palette.behind);
  // On a coloured background, text without a colour gets the more readable of the theme's two.
  const uncoloured = back === undefined ? plain.text : clearer(palette, background);
  const text = front === undefined ? uncoloured : rgbOf(front, palette.ansi);
  const color = readableOn(dim ? mix(text, background, 0.4) : text, background);
  if (run.bg !== undefined || inverse)
    return { classes, style: { color: toHex(color), backgroundColor: toHex(background) } };
  // Both surfaces are light, or both dark: a colour made readable on the second stays readable on the first.
  return { classes, style: { color: toHex(readableOn(color, palette.selected)) } };
}

function clearer({ text, background }: AnsiPalette, on: Rgb): Rgb {
  return contrast(text, on) >= contrast(background, on) ? text : background;
}

function rgbOf(colour: Colour, sixteen: readonly Rgb[]): Rgb {
  if (typeof colour === 'string') return parseHex(colour);
  return sixteen[colour] ?? cubeColour(colour);
}

/** Reads the theme's colours as numbers from the custom properties of tokens.css. */
export function usePalette(): AnsiPalette {
  const theme = useTheme();
  return useMemo(() => readPalette(theme), [theme]);
}

/** Black and white, whose readable shades for text don't suit as backgrounds. */
const BEHIND = [0, 7, 8, 15];

function readPalette(theme: Theme): AnsiPalette {
  const computed = getComputedStyle(document.documentElement);
  const property = (name: string) => {
    const [light = '', dark = light] = computed.getPropertyValue(name).match(/#[0-9a-f]+/gi) ?? [];
    return parseHex(theme === 'dark' ? dark : light);
  };
  return {
    ansi: Array.from({ length: 16 }, (_, index) => property(`--ansi-${index}`)),
    text: property('--text'),
    background: property('--text-surface'),
    selected: property('--selected'),
    behind: Array.from({ length: 16 }, (_, index) =>
      property(`--ansi-${BEHIND.includes(index) ? 'behind-' : ''}${index}`),
    ),
  };
}

// Makes programs' colours readable: keeps a contrast of at least 4.5 to 1 (WCAG 2 AA) by moving the text's colour
// towards black or white, never the background's.

/** Each 0-255. */
export type Rgb = readonly [number, number, number];

export const READABLE_CONTRAST = 4.5;

/** `#rrggbb` or `#rgb`. */
export function parseHex(hex: string): Rgb {
  const text = hex.trim().replace('#', '');
  const full = text.length === 3 ? [...text].map((digit) => digit + digit).join('') : text;
  const value = Number.parseInt(full, 16);
  return [(value >> 16) & 255, (value >> 8) & 255, value & 255];
}

export function toHex(rgb: Rgb): string {
  return `#${rgb.map((part) => Math.round(part).toString(16).padStart(2, '0')).join('')}`;
}

/** Returns entries 16-255 of the 256-colour palette: a 6 x 6 x 6 cube, then 24 greys. */
export function cubeColour(index: number): Rgb {
  if (index >= 232) {
    const grey = 8 + (index - 232) * 10;
    return [grey, grey, grey];
  }
  const level = (step: number) => (step === 0 ? 0 : 55 + step * 40);
  const cell = index - 16;
  return [level(Math.floor(cell / 36)), level(Math.floor(cell / 6) % 6), level(cell % 6)];
}

/** Returns the contrast as defined by WCAG 2: 1 to 21. */
export function contrast(a: Rgb, b: Rgb): number {
  const [light, dark] = [luminance(a), luminance(b)].sort((x, y) => y - x) as [number, number];
  return (light + 0.05) / (dark + 0.05);
}

/** Returns `text`, or its nearest shade towards black or white that is readable on `background`. */
export function readableOn(text: Rgb, background: Rgb, wanted = READABLE_CONTRAST): Rgb {
  if (contrast(text, background) >= wanted) return text;
  const towards: Rgb =
    contrast([255, 255, 255], background) > contrast([0, 0, 0], background) ? [255, 255, 255] : [0, 0, 0];
  let near = 0;
  let far = 1;
  for (let step = 0; step < 8; step += 1) {
    const middle = (near + far) / 2;
    if (contrast(mix(text, towards, middle), background) >= wanted) far = middle;
    else near = middle;
  }
  return mix(text, towards, far);
}

/** Mixes two colours: `part` of the way from `a` to `b`, rounded. */
function mix(a: Rgb, b: Rgb, part: number): Rgb {
  const at = (index: 0 | 1 | 2) => Math.round(a[index] + (b[index] - a[index]) * part);
  return [at(0), at(1), at(2)];
}

function luminance([red, green, blue]: Rgb): number {
  return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue);
}

function linear(part: number): number {
  const value = part / 255;
  return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
}
