import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { contrast, parseHex, READABLE_CONTRAST, type Rgb } from '../../../../renderer/viewer/text/ansi.ts';

const css = readFileSync(new URL('../../../../renderer/ui/theme/tokens.css', import.meta.url), 'utf8');
const themes = {
  light: css.slice(0, css.indexOf(':root[data-theme')),
  dark: css.slice(css.indexOf(':root[data-theme')),
};

describe.each(Object.entries(themes))('what was found, in the %s theme', (_, body) => {
  const colour = (name: string): Rgb => parseHex(new RegExp(`--${name}: (#[0-9a-f]{6});`).exec(body)![1]!);

  it('has enough contrast to be read', () => {
    expect(contrast(colour('on-match'), colour('match'))).toBeGreaterThanOrEqual(READABLE_CONTRAST);
    expect(contrast(colour('on-match-current'), colour('match-current'))).toBeGreaterThanOrEqual(
      READABLE_CONTRAST,
    );
  });

  it('has an underline and marks with enough contrast', () => {
    for (const on of ['match', 'text-surface', 'surface', 'selected']) {
      expect(contrast(colour('match-edge'), colour(on)), on).toBeGreaterThanOrEqual(3);
    }
    for (const on of ['text-surface', 'selected']) {
      expect(contrast(colour('match-frame'), colour(on)), on).toBeGreaterThanOrEqual(3);
    }
  });
});
