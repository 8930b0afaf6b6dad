/** Holds the open tabs and their visits, and writes the address of the tab with the focus. */
import { useCallback, useMemo, useRef, useState } from 'react';
import { mergedMembers } from '../../library/merged/merged-texts.ts';
import { type Address, formatHash, parseHash } from './location.ts';
import { restoreTabs } from './stored-tabs.ts';
import { handlersOf, type LiveViewer, type TabHandlers, type TabTools } from './tab-handlers.ts';
import type { Tab, Tabs } from './tab-state.ts';
import * as state from './tab-state.ts';
import { TabVisits } from './tab-visits.ts';

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
