import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { contrast, parseHex, READABLE_CONTRAST, type Rgb } from '../../../../renderer/viewer/text/ansi.ts';

const css = readFileSync(new URL('../../../../renderer/ui/theme/tokens.css', import.meta.url), 'utf8');

describe.each([['light'], ['dark']])('what was found, in the %s theme', (theme) => {
  const colour = (name: string): Rgb => {
    const [, value] = new RegExp(`--${name}: ([^;]*);`).exec(css)!;
    const [light, dark = light] = value!.match(/#[0-9a-f]{6}/g)!;
    return parseHex((theme === 'dark' ? dark : light)!);
  };

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
