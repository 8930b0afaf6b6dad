/** Tells the desktop which actions its menu offers, and runs the one that is chosen there. */

import { useEffect } from 'react';
import type { Desktop, MenuEntry } from '../../shared/desktop.ts';
import { type Action, type ActionGroup, declaredActions, type KeyNote } from './action.ts';
import { availableActions, needsKey, onActionsChange } from './registry.ts';

/** The menu of each group; groups without one work inside a control. */
const MENUS: Partial<Record<ActionGroup, string>> = {
  Move: 'Go',
  'Select and copy': 'Edit',
  View: 'View',
  Marks: 'Go',
  Search: 'Search',
  Filter: 'Search',
  Highlight: 'Search',
  List: 'View',
  'Tabs and panes': 'Window',
  Window: 'Window',
};

/** Actions that other programs have elsewhere. */
const ELSEWHERE: Readonly<Record<string, string>> = { Keys: 'Help' };

const isAction = (note: KeyNote): note is Action<never> => 'run' in note;

/** Every action that a menu can run, whether or not it applies now, so that menus keep their order. */
export function menuEntries(): MenuEntry[] {
  const now = new Map(availableActions().map((bound) => [bound.action.name, bound]));
  const entries = new Map<string, MenuEntry>();
  for (const note of declaredActions()) {
    const menu = ELSEWHERE[note.name] ?? MENUS[note.group];
    if (!menu || !isAction(note) || needsKey(note)) continue;
    const bound = now.get(note.name);
    const isOn = note.isOn ? (bound?.isOn() ?? false) : null;
    const { name: action, keys } = note;
    entries.set(action, { action, menu, key: keys[0] ?? null, applies: bound !== undefined, isOn });
  }
  return [...entries.values()];
}

/** A view that scrolls is drawn more often than a menu is opened. */
const REST_MS = 100;

export function useNativeMenu(desktop: Pick<Desktop, 'showMenu' | 'onChosen'> | null): void {
  useEffect(() => {
    if (!desktop) return;
    let told = '';
    const tell = () => {
      const entries = menuEntries();
      const text = JSON.stringify(entries);
      if (text === told) return;
      told = text;
      desktop.showMenu(entries);
    };
    let isOver = false;
    desktop.onChosen((name) => {
      if (!isOver)
        availableActions()
          .find(({ action }) => action.name === name)
          ?.run(null);
    });
    tell();
    let timer: ReturnType<typeof setTimeout> | null = null;
    const unsubscribe = onActionsChange(() => {
      timer ??= setTimeout(() => {
        timer = null;
        tell();
      }, REST_MS);
    });
    return () => {
      isOver = true;
      unsubscribe();
      if (timer !== null) clearTimeout(timer);
    };
  }, [desktop]);
}
