import { describe, expect, it } from 'vitest';
import { declaredActions } from '../../../renderer/actions/action.ts';
import { foundItems, MAX_ITEMS, type PaletteItem } from '../../../renderer/actions/palette-items.ts';
import '../../../renderer/app/TabBar.tsx';
import '../../../renderer/app/WindowButtons.tsx';
import '../../../renderer/artifact/artifact-actions.ts';
import '../../../renderer/actions/undo.ts';
import '../../../renderer/filters/Columns.tsx';
import '../../../renderer/filters/SetsDialog.tsx';
import '../../../renderer/library/list-actions.ts';
import '../../../renderer/viewer/viewer-actions.ts';

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

  it('finds an action by the word of other programs before those that are near it', () => {
    const actions = declaredActions().map(({ name, words = '', group: kind }) => item(name, { words, kind }));
    const names = (query: string) => foundItems(actions, query).map(({ text }) => text);
    const first = (query: string) => names(query)[0];
    expect(first('settings')).toBe('Preferences');
    // Sets are saved, too: which of both is first depends on what was imported first.
    expect(names('save').slice(0, 2)).toContain('Save to a file: the selection, or all lines that are shown');
    expect(first('export')).toBe('Save to a file: the selection, or all lines that are shown');
    expect(first('columns')).toMatch(/^Columns/);
    expect(first('undo')).toMatch(/^Undo/);
    expect(first('goto line')).toMatch(/^Go to a line/);
  });

  it('shows a limited number of entries', () => {
    const many = Array.from({ length: 1000 }, (_, index) => item(`a ${index}`));
    expect(foundItems(many, 'a')).toHaveLength(MAX_ITEMS);
  });
});
