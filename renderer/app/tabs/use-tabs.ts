/** Opens, shows, closes and copies tabs. The browser's address is that of the pane with the focus. */

import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { mergedMembers } from '../../library/merged-texts.ts';
import { type Address, formatHash, parseHash } from './address.ts';
import { rememberForReload, restoreTabs, storeTabs } from './stored-tabs.ts';
import { handlersOf, type LiveViewer, type TabHandlers, type TabTools } from './tab-handlers.ts';
import type { Shown, Tab, Tabs } from './tab-state.ts';
import * as state from './tab-state.ts';
import { TabVisits } from './tab-visits.ts';

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

/** Holds the open tabs and their visits, and writes the address of the tab with the focus. */
export type TabStore = ReturnType<typeof useTabStore>;

export function useTabStore() {
  const [tabs, setTabs] = useState<Tabs>(() => restoreTabs(parseHash(location.hash)));
  const latest = useRef(tabs);
  const visits = useRef(new Map<number, TabVisits>());
  const handlers = useRef(new Map<number, TabHandlers>());
  const [live, setLive] = useState<ReadonlyMap<number, LiveViewer>>(new Map());

  /** Applies all changes, so that several in one event see each other. */
  const change = useCallback((next: Tabs) => {
    latest.current = next;
    setTabs(next);
  }, []);
  const visitsOf = useCallback((tab: Tab): TabVisits => {
    const known = visits.current.get(tab.id) ?? new TabVisits(tab.shown);
    visits.current.set(tab.id, known);
    return known;
  }, []);
  const writeAddress = useCallback(
    (how: 'push' | 'replace') => {
      const tab = state.focusedTab(latest.current);
      const address = addressOf(visitsOf(tab).current);
      if (how === 'push') history.pushState({ tab: tab.id }, '', address);
      else history.replaceState({ tab: tab.id }, '', address);
    },
    [visitsOf],
  );
  const tools: TabTools = useMemo(
    () => ({
      tab: (id) => latest.current.tabs.find((tab) => tab.id === id) ?? null,
      visitsOf,
      go(id, to, how) {
        const tab = latest.current.tabs.find((each) => each.id === id);
        if (!tab) return;
        const shown = visitsOf(tab).go(withMembers(to), tab.shown.visit + 1);
        change(state.changeTab(latest.current, id, (each) => ({ ...each, shown })));
        if (state.focusedTab(latest.current).id === id) writeAddress(how);
      },
      note(id) {
        if (state.focusedTab(latest.current).id === id) writeAddress('replace');
      },
      patch: (id, part) => change(state.changeTab(latest.current, id, (tab) => ({ ...tab, ...part }))),
      onViewer: (id, viewer) =>
        setLive((last) => {
          const next = new Map(last);
          if (viewer) next.set(id, viewer);
          else next.delete(id);
          return next;
        }),
    }),
    [visitsOf, change, writeAddress],
  );
  const of = useCallback(
    (id: number): TabHandlers => {
      const known = handlers.current.get(id) ?? handlersOf(id, tools);
      handlers.current.set(id, known);
      return known;
    },
    [tools],
  );
  /** Forgets a closed tab. */
  const forget = useCallback((id: number) => {
    visits.current.delete(id);
    handlers.current.delete(id);
  }, []);
  return { tabs, latest, live, change, visitsOf, writeAddress, go: tools.go, of, forget };
}

/** Adds the members of a merged text: the list and marks know only its id. */
export function withMembers<T extends Address>(to: T): T {
  const members = to.artifactId !== null && !to.merged ? mergedMembers(to.artifactId) : null;
  return members ? { ...to, merged: members } : to;
}

/** Returns the address without the page's token: a cookie replaces it, and people share addresses. */
function addressOf(address: Address): string {
  return `${location.pathname}${formatHash(address)}`;
}
