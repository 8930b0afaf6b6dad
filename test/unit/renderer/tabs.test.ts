import { describe, expect, it } from 'vitest';
import { parseTabs, textOfTabs } from '../../../renderer/app/tabs/stored-tabs.ts';
import {
  addTab,
  closeOtherPane,
  closeTab,
  focusedTab,
  focusPane,
  moveTab,
  neighbour,
  oneTab,
  shownAt,
  showTab,
  type Tabs,
} from '../../../renderer/app/tabs/tab-state.ts';

const shown = (artifactId: string) => shownAt({ artifactId, stream: null, line: null }, 0);
const names = ({ tabs }: Tabs) => tabs.map((tab) => tab.shown.artifactId).join('');
const panes = (state: Tabs) =>
  state.panes.map((id) => state.tabs.find((tab) => tab.id === id)!.shown.artifactId).join('|');
/** Tabs a, b and c, of which c is shown. */
const three = addTab(addTab(oneTab(shown('a')), shown('b'), 'show'), shown('c'), 'show');

describe('tabs', () => {
  it('open beside the focused one', () => {
    expect([names(three), panes(three)]).toEqual(['abc', 'c']);
    const first = showTab(three, three.tabs[0]!.id);
    expect(names(addTab(first, shown('d'), 'show'))).toBe('adbc');
  });

  it('close, which shows a neighbour; the last one stays', () => {
    const closed = closeTab(three, focusedTab(three).id);
    expect([names(closed), panes(closed)]).toEqual(['ab', 'b']);
    const middle = closeTab(showTab(three, three.tabs[1]!.id), three.tabs[1]!.id);
    expect([names(middle), panes(middle)]).toEqual(['ac', 'c']);
    const one = oneTab(shown('a'));
    expect(closeTab(one, 1)).toBe(one);
  });

  it('are moved one place, and stay at the ends', () => {
    expect(names(moveTab(three, -1))).toBe('acb');
    expect(names(moveTab(moveTab(moveTab(three, -1), -1), -1))).toBe('cab');
    expect(names(moveTab(three, 1))).toBe('abc');
    expect(panes(moveTab(three, -1))).toBe('c');
  });

  it('step round', () => {
    expect(neighbour(three, 1)).toBe(three.tabs[0]!.id);
    expect(neighbour(three, -1)).toBe(three.tabs[1]!.id);
  });
});

describe('two panes', () => {
  const split = addTab(three, shown('d'), 'split');

  it('show two tabs, and the new one has the focus', () => {
    expect([panes(split), split.focused]).toEqual(['c|d', 1]);
    expect(panes(showTab(split, three.tabs[0]!.id))).toBe('c|a');
  });

  it('never show one tab twice: its pane gets the focus instead', () => {
    const shownThere = showTab(split, split.panes[0]!);
    expect([panes(shownThere), shownThere.focused]).toEqual(['c|d', 0]);
  });

  it('become one again', () => {
    const one = closeOtherPane(focusPane(split, 0));
    expect([panes(one), names(one)]).toEqual(['c', 'abcd']);
    const two = addTab(oneTab(shown('a')), shown('b'), 'split');
    expect(panes(closeTab(two, two.panes[1]!))).toBe('a');
  });
});

describe('tabs that were stored', () => {
  const view = { line: 7, px: 3, range: null, selection: null, following: 'off' as const, current: 7 };
  const tab = (id: string) => ({ hash: `#a=${id}&l=7`, searchOpen: false, view });
  const kept = { tabs: [tab('a'), tab('b')], panes: [0, 1], focused: 1 };

  it('come back with what each showed', () => {
    const tabs = parseTabs(JSON.stringify(kept))!;
    expect([names(tabs), panes(tabs), tabs.focused]).toEqual(['ab', 'a|b', 1]);
    expect(tabs.tabs[0]!.shown.view).toEqual(view);
  });

  it('come back with the shown ones, however many there are', () => {
    let many = oneTab(shown('first'));
    for (let i = 0; i < 700; i += 1) many = addTab(many, shown(`x${i}`), 'show');
    for (const now of [many, showTab(many, many.tabs[0]!.id)]) {
      const back = parseTabs(textOfTabs(now, ({ shown }) => shown))!;
      expect([panes(back), back.focused]).toEqual([panes(now), now.focused]);
      expect(back.tabs).toHaveLength(500);
      expect(back.tabs.at(-1)!.shown.artifactId).toBe('x699');
    }
  });

  it('are ignored when they are invalid', () => {
    for (const bad of [
      null,
      '',
      '{',
      JSON.stringify({ ...kept, panes: [2] }),
      JSON.stringify({ ...kept, panes: [1, 1] }),
      JSON.stringify({ ...kept, panes: [0], focused: 1 }),
      JSON.stringify({ ...kept, tabs: [] }),
    ])
      expect(parseTabs(bad), String(bad)).toBeNull();
  });
});
