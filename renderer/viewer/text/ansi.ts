/** Converts a row's style runs to pieces of text to draw: a class for the 16 colours, a style for computed ones. */

import { useMemo } from 'react';
import { type Colour, STYLE, type StyleRun } from '../../../shared/api/rows.ts';
import { useTheme } from '../../ui/theme/theme.ts';
import { contrast, cubeColour, mix, parseHex, type Rgb, readableOn, toHex } from './colour.ts';

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
  // biome-ignore lint/correctness/useExhaustiveDependencies: the properties' values change with the theme
  return useMemo(readPalette, [theme]);
}

/** Black and white, whose readable shades for text don't suit as backgrounds. */
const BEHIND = [0, 7, 8, 15];

function readPalette(): AnsiPalette {
  const computed = getComputedStyle(document.documentElement);
  const property = (name: string) => parseHex(computed.getPropertyValue(name));
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
