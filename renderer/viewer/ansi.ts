/** A row's style runs as pieces of text to draw: a class for the 16 colours, a style where a class can't know. */
import { type Colour, STYLE, type StyleRun } from '../../shared/api/rows.ts';
import { contrast, cubeColour, mix, parseHex, type Rgb, readableOn, toHex } from './colour.ts';

/** The theme's colours: 16 of the terminal palette, and the text's own. */
export interface Palette {
  ansi: readonly Rgb[];
  text: Rgb;
  background: Rgb;
}

export interface Piece {
  text: string;
  /** Names without meaning outside `Ansi.module.css`. */
  classes: readonly string[];
  style: { color?: string; backgroundColor?: string } | null;
}

/** Covers the whole text in order; what no run covers is plain. */
export function piecesOf(text: string, runs: readonly StyleRun[], palette: Palette): Piece[] {
  const pieces: Piece[] = [];
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

function look(run: StyleRun, palette: Palette): Omit<Piece, 'text'> {
  const classes: string[] = FLAGS.filter((flag) => run.style & STYLE[flag]);
  const inverse = (run.style & STYLE.inverse) !== 0;
  const dim = (run.style & STYLE.dim) !== 0;
  const plainColour = typeof run.fg === 'number' && run.fg < 16 ? run.fg : null;
  if (run.bg === undefined && !inverse && !dim && (run.fg === undefined || plainColour !== null)) {
    if (plainColour !== null) classes.push(`fg${plainColour}`);
    return { classes, style: null };
  }
  const given = {
    text: run.fg === undefined ? palette.text : rgbOf(run.fg, palette),
    background: run.bg === undefined ? palette.background : rgbOf(run.bg, palette),
  };
  const background = inverse ? given.text : given.background;
  // Text without a colour of its own takes the better of the theme's two on a background that has one.
  const text = inverse
    ? given.background
    : run.fg === undefined && run.bg !== undefined
      ? clearer(palette, background)
      : given.text;
  const color = toHex(readableOn(dim ? mix(text, background, 0.4) : text, background));
  return run.bg === undefined && !inverse
    ? { classes, style: { color } }
    : { classes, style: { color, backgroundColor: toHex(background) } };
}

function clearer({ text, background }: Palette, on: Rgb): Rgb {
  return contrast(text, on) >= contrast(background, on) ? text : background;
}

function rgbOf(colour: Colour, palette: Palette): Rgb {
  if (typeof colour === 'string') return parseHex(colour);
  return colour < 16 ? (palette.ansi[colour] ?? palette.text) : cubeColour(colour);
}
