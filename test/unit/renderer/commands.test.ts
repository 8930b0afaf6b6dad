import { describe, expect, it, vi } from 'vitest';
import '../../../renderer/app/WindowButtons.tsx';
import { declaredActions, keyName, type PressedKey, titleOf } from '../../../renderer/actions/action.ts';
import { runByKey } from '../../../renderer/actions/registry.ts';
import { useListKeys } from '../../../renderer/library/list/ArtifactList.tsx';
import type { BinSpan } from '../../../renderer/panels/histogram/histogram.ts';
import type { OutlineNode } from '../../../renderer/panels/outline/use-outline.ts';
import { outlineActions, plotActions } from '../../../renderer/panels/panel-actions.ts';
import { fieldActions, searchActions } from '../../../renderer/search/search-actions.ts';
import { viewerActions } from '../../../renderer/viewer/viewer-actions.ts';

const NOT_HELD = { ctrlKey: false, metaKey: false, altKey: false, shiftKey: false };

/** The press that a key's name stands for. */
function pressed(name: string): PressedKey {
  const [, held = '', character = ''] = /^((?:Ctrl\+|Alt\+|Shift\+)*)(.+)$/.exec(name)!;
  const event = { ctrlKey: held.includes('Ctrl'), metaKey: false, altKey: held.includes('Alt') };
  const isCapital = held === '' && /^\p{Lu}$/u.test(character);
  const shiftKey = held.includes('Shift') || isCapital;
  const names: Record<string, string> = {
    ...{ Esc: 'Escape', Space: ' ', 'Page Up': 'PageUp', 'Page Down': 'PageDown' },
    ...{ '↑': 'ArrowUp', '↓': 'ArrowDown', '←': 'ArrowLeft', '→': 'ArrowRight' },
  };
  return { ...event, shiftKey, key: names[character] ?? character, code: `Key${character}` };
}

describe('keys', () => {
  const key = (name: string, held: Partial<typeof NOT_HELD> = {}, code = '') =>
    keyName({ key: name, code, ...NOT_HELD, ...held });

  it('are named as the buttons write them', () => {
    expect([key('g'), key('?', { shiftKey: true }), key('Escape')]).toEqual(['g', '?', 'Esc']);
    expect([key('N', { shiftKey: true }), key(' ')]).toEqual(['N', 'Space']);
    expect(key('g', { ctrlKey: true })).toBe('Ctrl+G');
    expect(key('b', { metaKey: true })).toBe('Ctrl+B');
    expect(key('L', { ctrlKey: true, shiftKey: true })).toBe('Ctrl+Shift+L');
    expect(key('ArrowUp', { shiftKey: true })).toBe('Shift+↑');
    expect(key('Home', { ctrlKey: true })).toBe('Ctrl+Home');
  });

  it('with Alt are named by the key, whatever character it types', () => {
    expect(key('ç', { altKey: true }, 'KeyC')).toBe('Alt+C');
    expect(key('g', { altKey: true })).toBe('');
  });
});

describe('actions', () => {
  /** Action tables of controls that take all keys while they have the focus. */
  const OF_CONTROLS = [
    ...['besideActions', 'barActions', 'fieldActions', 'resultActions', 'contextActions'],
    ...['plotActions', 'rowActions', 'outlineActions'],
  ];

  const keysOf = (isWanted: (table: string) => boolean) =>
    Object.values(
      import.meta.glob<Record<string, unknown>>('../../../renderer/**/*actions.ts', { eager: true }),
    )
      .flatMap((exports) => Object.entries(exports))
      .filter(([table]) => table.endsWith('Actions') && isWanted(table))
      .flatMap(([, table]) => (typeof table === 'object' && table !== null ? Object.values(table) : []))
      .flatMap(({ keys }: { keys: string[] }) => keys);

  it('share no key with another action that works in the same place', () => {
    const global = keysOf((table) => !OF_CONTROLS.includes(table));
    expect(global.length).toBeGreaterThan(60);
    expect(global.filter((name, i) => global.indexOf(name) !== i)).toEqual([]);
  });

  it('spell their keys as `keyName` does', () => {
    const wrong = keysOf(() => true).filter((name) => keyName(pressed(name)) !== name);
    expect(wrong).toEqual([]);
  });

  it('are all on the key sheet, each under a name of its own', () => {
    const names = declaredActions().map(({ group, name }) => `${group}: ${name}`);
    expect(new Set(names).size).toBe(names.length);
    expect(names).toContain('Move: Go to the first line');
    expect(names).toContain('Window: Keys');
  });

  it('show their keys on hover', () => {
    expect(titleOf(viewerActions.goTo)).toBe(
      'Go to a line, a time, a percentage or a byte offset (g or Ctrl+G)',
    );
  });

  it('run by a key of a control, which then keeps the event to itself', () => {
    const log: string[] = [];
    const event = (name: string) => ({
      key: name,
      code: '',
      ...NOT_HELD,
      preventDefault: () => log.push('kept'),
      stopPropagation: () => {},
    });
    const search = { step: (direction: string) => log.push(direction) } as never;
    expect(runByKey(fieldActions, search, event('Enter'))).toBe(true);
    expect(log).toEqual(['kept', 'next']);
    expect(runByKey(fieldActions, search, event('x'))).toBe(false);
  });

  it('do nothing by their key when they do not apply', () => {
    const search = { active: false, step: () => expect.unreachable() } as never;
    const event = { key: 'n', code: '', ...NOT_HELD, preventDefault() {}, stopPropagation() {} };
    expect(runByKey(searchActions, search, event)).toBe(false);
  });
});

describe('a control that handles its own keys', () => {
  const NAMES = [
    'Enter',
    'Space',
    'Home',
    'End',
    'Page Up',
    'Page Down',
    '↑',
    '↓',
    '←',
    '→',
    'Delete',
    'F2',
    '/',
  ];
  const HELD = ['', 'Shift+', 'Ctrl+', 'Ctrl+Shift+'];
  const names = HELD.flatMap((held) => NAMES.map((name) => `${held}${name}`));

  /** Returns which keys the handler keeps to itself. */
  function handledKeys(handle: (event: never) => unknown): string[] {
    return [...names, 'Esc'].filter((name) => {
      let isHandled = false;
      const preventDefault = () => {
        isHandled = true;
      };
      handle({ ...pressed(name), target: null, preventDefault, stopPropagation() {} } as never);
      return isHandled;
    });
  }

  const keysOnSheet = (wanted: string) =>
    declaredActions()
      .filter(({ group }) => group === wanted)
      .flatMap(({ keys }) => keys);

  it('has each on the key sheet: the list', () => {
    vi.stubGlobal('HTMLInputElement', class {});
    const group = { key: 'g', headed: true, entries: [], folded: false };
    const on = (entry: { id: string } | null) => ({
      layout: { rows: 1, at: () => ({ group, entry, index: 0 }), rowOfHeading: () => 0 },
      active: 0,
      shown: null,
      height: () => 480,
      ...{
        setActive() {},
        reveal() {},
        onOpen() {},
        onFold() {},
        onRemove() {},
        onType: () => expect.unreachable(),
      },
    });
    const handled = [on({ id: 'a' }), on(null)].flatMap((row) => handledKeys(useListKeys(row as never)));
    expect(handled).toEqual(expect.arrayContaining(['Space', 'Enter', 'Ctrl+Enter', 'Page Down', '←']));
    expect(keysOnSheet('In the list')).toEqual(expect.arrayContaining(handled));
    vi.unstubAllGlobals();
  });

  it('has each on the key sheet: the histogram', () => {
    const plot = { chosen: { from: 1, to: 2 }, last: 9, choose() {}, goTo() {}, only() {} };
    const handled = handledKeys((event) => runByKey(plotActions, plot, event));
    expect(handled).toEqual(expect.arrayContaining(['Space', 'Enter', 'Esc', 'Home', 'Shift+→']));
    expect(keysOnSheet('In the histogram').sort()).toEqual(handled.sort());
  });

  it('has each on the key sheet: the outline', () => {
    const node = { parent: 0, hasParts: true, member: true } as OutlineNode;
    const done = () => {};
    const tree = {
      node,
      isUnfolded: false,
      move: done,
      choose: done,
      fold: done,
      show: done,
      openAlone: done,
    };
    const handled = handledKeys((event) => runByKey(outlineActions, tree, event));
    expect(keysOnSheet('In the outline').sort()).toEqual(handled.sort());
  });

  it('moves through the histogram from either end, and extends the chosen time', () => {
    let chosen: BinSpan | null = null;
    const press = (name: string) => {
      const choose = (span: BinSpan | null) => {
        chosen = span;
      };
      const event = { ...pressed(name), preventDefault() {}, stopPropagation() {} };
      runByKey(plotActions, { chosen, last: 9, choose, goTo() {}, only() {} }, event);
      return chosen;
    };
    expect(press('→')).toEqual({ from: 0, to: 0 });
    expect(press('Shift+Page Down')).toEqual({ from: 0, to: 9 });
    expect(press('←')).toEqual({ from: 8, to: 8 });
    expect(press('Esc')).toBeNull();
  });
});
