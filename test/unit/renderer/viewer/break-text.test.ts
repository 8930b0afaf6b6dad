import { describe, expect, it } from 'vitest';
import { breakText } from '../../../../renderer/viewer/text/wrapping.ts';
import fc from '../../../fixtures/fast-check.ts';

/** Columns of a text in a terminal font. */
const columnsOf = (char: string) =>
  /\p{M}/u.test(char) ? 0 : /[\u3000-\u9fff\u{1f300}-\u{1faff}]/u.test(char) ? 2 : 1;

function broken(text: string, columns: number): string[] {
  const breaks = [0, ...breakText(text, columns, columnsOf), text.length];
  return breaks.slice(1).map((end, index) => text.slice(breaks[index], end));
}

describe('a wrapped line', () => {
  it('stays whole while it fits', () => {
    expect(broken('0123456789', 10)).toEqual(['0123456789']);
    expect(broken('', 10)).toEqual(['']);
  });

  it('breaks after the last blank that leaves the line at least half full', () => {
    expect(broken('one two three four', 10)).toEqual(['one two ', 'three four']);
    expect(broken('a 0123456789012345', 10)).toEqual(['a 01234567', '89012345']);
  });

  it('lets one blank stand beyond the edge', () => {
    expect(broken('0123456789 next', 10)).toEqual(['0123456789 ', 'next']);
    expect(broken('0123456789  next', 10)).toEqual(['0123456789 ', ' next']);
  });

  it('counts wide characters twice, combining ones not at all, and never cuts a character', () => {
    expect(broken('漢字漢字漢字', 5)).toEqual(['漢字', '漢字', '漢字']);
    expect(broken('e\u0301e\u0301e\u0301', 2)).toEqual(['e\u0301e\u0301', 'e\u0301']);
    expect(broken('🙂🙂🙂', 3)).toEqual(['🙂', '🙂', '🙂']);
  });

  it('expands a tab to its next stop', () => {
    expect(broken('a\tb\tc', 16)).toEqual(['a\tb\t', 'c']);
  });

  it('keeps every character, in lines that fit', () => {
    const char = fc.constantFrom('a', 'b', ' ', '/', '漢', '🙂', 'e\u0301', '\t');
    fc.assert(
      fc.property(fc.array(char, { maxLength: 200 }), fc.integer({ min: 8, max: 40 }), (chars, columns) => {
        const text = chars.join('');
        const lines = broken(text, columns);
        expect(lines.join('')).toBe(text);
        for (const line of lines.slice(0, -1)) expect(line).not.toBe('');
        for (const line of lines) expect(widthOf(line.replace(/ $/, ''))).toBeLessThanOrEqual(columns);
      }),
    );
  });
});

function widthOf(line: string): number {
  let used = 0;
  for (const char of line) used += char === '\t' ? 8 - (used % 8) : columnsOf(char);
  return used;
}
