import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import {
  type AnsiPalette,
  contrast,
  cubeColour,
  parseHex,
  piecesOf,
  READABLE_CONTRAST,
  type Rgb,
  readableOn,
  toHex,
} from '../../../../renderer/viewer/text/ansi.ts';
import { STYLE, type StyleRun } from '../../../../shared/api/rows.ts';
import fc from '../../../fixtures/fast-check.ts';

const css = readFileSync(new URL('../../../../renderer/ui/theme/tokens.css', import.meta.url), 'utf8');

/** The custom properties that are colours, in one of the themes. */
function colours(theme: 0 | 1): Record<string, Rgb> {
  const body = css.split('}')[0] ?? '';
  const found = [...body.matchAll(/--([\w-]+):\s*(?:light-dark\()?(#[0-9a-f]{6})(?:, (#[0-9a-f]{6})\))?;/g)];
  return Object.fromEntries(
    found.map(([, name, light, dark = light]) => [name, parseHex((theme === 0 ? light : dark)!)]),
  );
}

const themes = { light: colours(0), dark: colours(1) };

const ansi = Array.from({ length: 16 }, (_, index) => `ansi-${index}`);
/** Pairs of text and background colours. */
const pairs: Array<[text: string, ...on: string[]]> = [
  [
    'text',
    'text-surface',
    'surface',
    'raised',
    'hover',
    'pressed',
    'selected',
    'failed-surface',
    'warned-surface',
    'informed-surface',
  ],
  ['muted', 'stderr-surface', 'text-surface', 'surface', 'raised', 'hover', 'selected'],
  ['gutter', 'text-surface', 'stderr-surface'],
  ['accent', 'text-surface', 'surface', 'raised', 'hover', 'selected', 'informed-surface'],
  ['on-accent', 'accent'],
  ['on-match', 'match'],
  ['on-highlight', ...Array.from({ length: 10 }, (_, index) => `highlight-${index}`)],
  ['on-match-current', 'match-current'],
  ['failed', 'stderr-surface', 'text-surface', 'surface', 'raised', 'hover', 'selected', 'failed-surface'],
  ['new', 'stderr-surface', 'text-surface', 'surface', 'hover', 'pressed', 'selected'],
  ['warned', 'stderr-surface', 'text-surface', 'surface', 'hover', 'selected', 'warned-surface'],
  ['succeeded', 'text-surface', 'surface', 'hover', 'selected'],
  ...ansi.map((name): [string, ...string[]] => [name, 'text-surface', 'selected', 'stderr-surface']),
];

describe.each(Object.entries(themes))('the %s theme', (name, theme) => {
  it.each(pairs.flatMap(([text, ...on]) => on.map((surface) => [text, surface] as const)))(
    '--%s is readable on --%s',
    (text, surface) => {
      expect(contrast(theme[text]!, theme[surface]!)).toBeGreaterThanOrEqual(READABLE_CONTRAST);
    },
  );

  it('has field borders and scrollbar thumbs with enough contrast', () => {
    expect(contrast(theme['border-strong']!, theme['text-surface']!)).toBeGreaterThanOrEqual(3);
    expect(contrast(theme['border-strong']!, theme.surface!)).toBeGreaterThanOrEqual(3);
    expect(contrast(theme.accent!, theme.surface!)).toBeGreaterThanOrEqual(3);
  });

  it('has colours of its own', () => {
    for (const [other, { text }] of Object.entries(themes))
      if (other !== name) expect(text).not.toEqual(theme.text);
  });

  it('has black behind text darker than white, and both apart from the text’s surface', () => {
    const behind = (index: number) => theme[`ansi-behind-${index}`]!;
    for (const dark of [0, 8])
      for (const white of [7, 15]) expect(contrast(behind(dark), behind(white))).toBeGreaterThan(3);
    expect(behind(15)[0]).toBeGreaterThan(behind(0)[0]);
    for (const index of [0, 7, 8, 15]) expect(toHex(behind(index))).not.toBe(toHex(theme['text-surface']!));
  });

  it('tells its 16 colours apart', () => {
    expect(new Set(ansi.map((index) => toHex(theme[index]!))).size).toBe(16);
  });

  const palette: AnsiPalette = {
    ansi: ansi.map((index) => theme[index]!),
    behind: ansi.map((name, index) => theme[`ansi-behind-${index}`] ?? theme[name]!),
    text: theme.text!,
    background: theme['text-surface']!,
    selected: theme.selected!,
  };

  it('keeps any colour on any colour readable, dim and inverse included', () => {
    const colour = fc.oneof(
      fc.integer({ min: 0, max: 255 }),
      fc.integer({ min: 0, max: 0xffffff }).map((value) => `#${value.toString(16).padStart(6, '0')}`),
    );
    const run = fc.record(
      {
        start: fc.constant(0),
        end: fc.constant(4),
        fg: colour,
        bg: colour,
        style: fc.integer({ min: 0, max: 127 }),
      },
      { requiredKeys: ['start', 'end', 'style'] },
    );
    fc.assert(
      fc.property(run, (given) => {
        const [piece] = piecesOf('text', [given as StyleRun], palette);
        if (!piece?.style?.color) return;
        const { color, backgroundColor } = piece.style;
        // Without a background of its own it stands on that of a selected line, too.
        const on = backgroundColor ? [parseHex(backgroundColor)] : [palette.background, palette.selected];
        for (const background of on)
          expect(contrast(parseHex(color), background)).toBeGreaterThanOrEqual(READABLE_CONTRAST);
      }),
    );
    expect(name).not.toBe('');
  });
});

describe('style runs', () => {
  const palette: AnsiPalette = {
    ansi: Array.from({ length: 16 }, () => [9, 9, 9] as const),
    behind: Array.from({ length: 16 }, () => [200, 200, 200] as const),
    text: [0, 0, 0],
    background: [255, 255, 255],
    selected: [240, 240, 240],
  };
  const texts = (text: string, runs: StyleRun[]) => piecesOf(text, runs, palette).map((piece) => piece.text);

  it('cover the text from its start to its end, in order', () => {
    expect(texts('plain red plain', [{ start: 6, end: 9, fg: 1, style: 0 }])).toEqual([
      'plain ',
      'red',
      ' plain',
    ]);
    expect(texts('red', [{ start: 0, end: 3, fg: 1, style: 0 }])).toEqual(['red']);
    expect(texts('x', [])).toEqual(['x']);
  });

  it('hold exactly the text, for any runs', () => {
    const run = fc.record({ start: fc.nat(30), end: fc.nat(30), style: fc.integer({ min: 0, max: 127 }) });
    fc.assert(
      fc.property(fc.string({ maxLength: 20 }), fc.array(run), (text, runs) => {
        expect(texts(text, runs).join('')).toBe(text);
      }),
    );
  });

  it('name the 16 colours by class, so that the theme decides', () => {
    expect(piecesOf('red', [{ start: 0, end: 3, fg: 1, style: STYLE.bold }], palette)).toEqual([
      { text: 'red', classes: ['bold', 'fg1'], style: null },
    ]);
  });

  it('give other colours as they are where they can be read', () => {
    const [piece] = piecesOf('x', [{ start: 0, end: 1, fg: '#102030', style: 0 }], palette);
    expect(piece?.style).toEqual({ color: '#102030' });
  });

  it('draw inverse text with its colours exchanged', () => {
    const [piece] = piecesOf('x', [{ start: 0, end: 1, style: STYLE.inverse }], palette);
    expect(piece?.style).toEqual({ color: '#ffffff', backgroundColor: '#000000' });
  });
});

describe('colours', () => {
  it('of the 256 are those of a terminal', () => {
    expect(toHex(cubeColour(16))).toBe('#000000');
    expect(toHex(cubeColour(21))).toBe('#0000ff');
    expect(toHex(cubeColour(196))).toBe('#ff0000');
    expect(toHex(cubeColour(208))).toBe('#ff8700');
    expect(toHex(cubeColour(231))).toBe('#ffffff');
    expect(toHex(cubeColour(232))).toBe('#080808');
    expect(toHex(cubeColour(255))).toBe('#eeeeee');
  });

  it('have the contrast of the standard’s formula', () => {
    expect(contrast([0, 0, 0], [255, 255, 255])).toBeCloseTo(21, 5);
    expect(contrast(parseHex('#767676'), [255, 255, 255])).toBeCloseTo(4.54, 2);
  });

  it('are changed no more than contrast needs', () => {
    const readable = readableOn(parseHex('#ffff00'), [255, 255, 255]);
    expect(contrast(readable, [255, 255, 255])).toBeLessThan(5);
    expect(readable[2]).toBeLessThan(readable[0]);
  });
});
