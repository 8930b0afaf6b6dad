import { describe, expect, it } from 'vitest';
import { foundItems, MAX_ITEMS, type PaletteItem } from '../../../renderer/actions/palette-items.ts';

const item = (text: string, more: Partial<PaletteItem> = {}): PaletteItem => ({
  id: text,
  text,
  kind: 'Move',
  run: () => {},
  ...more,
});

describe('the palette', () => {
  const items = [
    item('Go to the first line'),
    item('Follow the end as it grows'),
    item('build.log', { kind: 'file', detail: '/home/go/logs' }),
    item('Search the text', { kind: 'Search' }),
    item('Cargo test', { kind: 'command' }),
  ];
  const found = (query: string) => foundItems(items, query).map(({ text }) => text);

  it('finds entries with every word, in text, detail or kind, in any order', () => {
    expect(found('line first')).toEqual(['Go to the first line']);
    expect(found('LOG home')).toEqual(['build.log']);
    expect(found('command test')).toEqual(['Cargo test']);
    expect(found('line nowhere')).toEqual([]);
  });

  it('ranks beginnings first, then words, then parts of words, then details', () => {
    expect(found('go')).toEqual(['Go to the first line', 'Cargo test', 'build.log']);
    expect(found('te')).toEqual(['Search the text', 'Cargo test']);
  });

  it('finds entries by other words for them, whole or begun, before words inside a name', () => {
    const tail = item('Go to the last line', { words: 'Tail bottom end' });
    const words = (query: string) => foundItems([...items, tail], query).map(({ text }) => text);
    expect(words('tail')).toEqual(['Go to the last line']);
    expect(words('bott')).toEqual(['Go to the last line']);
    expect(words('ottom')).toEqual([]);
    expect(words('go to the end')[0]).toBe('Go to the last line');
    expect(words('end')[0]).toBe('Go to the last line');
  });

  it('keeps the order of entries that match equally well, and puts an answer first', () => {
    expect(found('')).toEqual(items.map(({ text }) => text));
    const answer = item('Go to line 12', { isAnswer: true });
    expect(foundItems([...items, answer], '12')[0]).toBe(answer);
  });

  it('shows a limited number of entries', () => {
    const many = Array.from({ length: 1000 }, (_, index) => item(`a ${index}`));
    expect(foundItems(many, 'a')).toHaveLength(MAX_ITEMS);
  });
});
