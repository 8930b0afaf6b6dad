/** Opens, shows, closes and copies tabs. The browser's address is that of the pane with the focus. */
import { useCallback, useEffect } from 'react';
import { type Address, parseHash } from './location.ts';
import { rememberForReload } from './reload-memory.ts';
import { storeTabs } from './stored-tabs.ts';
import type { Shown, Tab, Tabs } from './tab-state.ts';
import * as state from './tab-state.ts';
import { type TabStore, useTabStore, withMembers } from './use-tab-store.ts';

export type TabsContext = ReturnType<typeof useTabs>;

export function useTabs() {
  const store = useTabStore();
  const { tabs, latest, live, change, visitsOf, writeAddress, go, of, forget } = store;

  const open = useCallback(
    (id: string, how?: 'push' | 'replace') => of(state.focusedTab(latest.current).id).open(id, how),
    [latest, of],
  );
  /** Shows an artifact at a line, or with a search. */
  const show = useCallback(
    (address: Address) => of(state.focusedTab(latest.current).id).show(address),
    [latest, of],
  );
  /** Brings a tab to the front. */
  const select = useCallback(
    (id: number) => {
      const tab = latest.current.tabs.find((each) => each.id === id);
      if (!tab) return;
      const isShown = latest.current.panes.includes(id);
      change(state.showTab(latest.current, id));
      if (isShown) writeAddress('replace');
      else go(id, visitsOf(tab).again(), 'replace');
    },
    [latest, change, go, visitsOf, writeAddress],
  );
  const add = useCallback(
    (to: Partial<Shown> & Address, how: 'show' | 'split') => {
      const shown = { ...state.shownAt(to, 0), ...withMembers(to) };
      change(state.addTab(latest.current, shown, how));
      writeAddress('push');
    },
    [latest, change, writeAddress],
  );
  /** Shows what the host was asked to open: in the tab that has it; among several tabs, else in a new one. */
  const reveal = useCallback(
    (artifactId: string) => {
      const { tabs } = latest.current;
      const has = (tab: Tab) => tab.shown.now === artifactId || tab.shown.artifactId === artifactId;
      const focused = state.focusedTab(latest.current);
      const found = has(focused) ? focused : tabs.find(has);
      if (found) select(found.id);
      else if (tabs.length === 1) open(artifactId);
      else add({ artifactId, stream: null, line: null }, 'show');
    },
    [latest, select, open, add],
  );
  const close = useCallback(
    (id: number) => {
      const before = latest.current;
      change(state.closeTab(before, id));
      if (latest.current === before) return;
      forget(id);
      const tab = state.focusedTab(latest.current);
      if (before.panes.includes(tab.id)) writeAddress('replace');
      else go(tab.id, visitsOf(tab).again(), 'replace');
    },
    [latest, change, forget, go, visitsOf, writeAddress],
  );
  /** Copies the focused tab's content for a new tab. */
  const copyOfFocused = useCallback((): Partial<Shown> & Address => {
    const tab = state.focusedTab(latest.current);
    const view = live.get(tab.id)?.current.viewState();
    return { ...visitsOf(tab).again(), ...(view ? { view } : {}) };
  }, [latest, live, visitsOf]);
  /** The line at the top of a tab when it was last shown. */
  const lineOf = useCallback(
    (id: number): number | null => {
      const tab = latest.current.tabs.find((each) => each.id === id);
      return tab ? visitsOf(tab).line() : null;
    },
    [latest, visitsOf],
  );
  const arrange = useCallback(
    (next: (tabs: Tabs) => Tabs) => {
      const before = latest.current;
      change(next(before));
      if (latest.current !== before) writeAddress('replace');
    },
    [latest, change, writeAddress],
  );

  useBackAndForward(store);
  useStoredTabs(store);

  return { tabs, live, of, open, reveal, show, select, add, close, copyOfFocused, lineOf, arrange };
}

/** Follows the browser's own way back and forward. */
function useBackAndForward({ latest, change, go, visitsOf }: TabStore): void {
  useEffect(() => {
    const onPopState = (event: PopStateEvent) => {
      const from = (event.state as { tab?: unknown } | null)?.tab;
      const known = latest.current.tabs.find(({ id }) => id === from);
      if (known) change(state.showTab(latest.current, known.id));
      const tab = state.focusedTab(latest.current);
      go(tab.id, visitsOf(tab).toAddress(parseHash(location.hash)), 'replace');
    };
    window.addEventListener('popstate', onPopState);
    return () => window.removeEventListener('popstate', onPopState);
  }, [latest, change, go, visitsOf]);
}

/** Stores the tabs for the next time, with the views at which they are left. */
function useStoredTabs({ tabs, live, visitsOf }: TabStore): void {
  useEffect(() => {
    const present = (tab: Tab) => ({
      ...visitsOf(tab).again(),
      ...(live.has(tab.id) ? { view: live.get(tab.id)!.current.viewState() } : {}),
    });
    const store = () => {
      storeTabs(tabs, present);
      const focused = state.focusedTab(tabs);
      rememberForReload(focused.panel, present(focused).view);
    };
    store();
    window.addEventListener('pagehide', store);
    return () => window.removeEventListener('pagehide', store);
  }, [tabs, live, visitsOf]);
}
