/** The open tabs and their contents. The browser's address is that of the pane with the focus. */
import { type RefObject, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import type { StreamName } from '../../../shared/artifact.ts';
import type { Panel } from '../../artifact/actions.ts';
import { mergedMembers } from '../../library/merged/merged-texts.ts';
import type { SearchSettings } from '../../search/bar/search-settings.ts';
import type { LineRange } from '../../viewer/document/rows-view.ts';
import type { Viewer } from '../../viewer/use-viewer.ts';
import type { StreamChange, ViewState } from '../../viewer/view-state.ts';
import { type Address, formatHash, parseHash } from './location.ts';
import { rememberPanel, restoreTabs, storeTabs } from './stored-tabs.ts';
import type { Shown, Tab, Tabs } from './tab-state.ts';
import * as state from './tab-state.ts';
import { TabVisits } from './tab-visits.ts';

export type TabsContext = ReturnType<typeof useTabs>;
export type LiveViewer = RefObject<Viewer>;

/** Functions with which a tab changes itself. */
export type TabHandlers = ReturnType<typeof handlersOf>;

export function useTabs() {
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
  const tools: Tools = useMemo(
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

  const open = useCallback(
    (id: string, how?: 'push' | 'replace') => of(state.focusedTab(latest.current).id).open(id, how),
    [of],
  );
  /** Shows an artifact at a line, or with a search. */
  const show = useCallback((address: Address) => of(state.focusedTab(latest.current).id).show(address), [of]);
  /** Brings a tab to the front. */
  const select = useCallback(
    (id: number) => {
      const tab = latest.current.tabs.find((each) => each.id === id);
      if (!tab) return;
      const isShown = latest.current.panes.includes(id);
      change(state.showTab(latest.current, id));
      if (isShown) writeAddress('replace');
      else tools.go(id, visitsOf(tab).again(), 'replace');
    },
    [change, tools, visitsOf, writeAddress],
  );
  const add = useCallback(
    (to: Partial<Shown> & Address, how: 'show' | 'split') => {
      const shown = { ...state.shownAt(to, 0), ...withMembers(to) };
      change(state.addTab(latest.current, shown, how));
      writeAddress('push');
    },
    [change, writeAddress],
  );
  const close = useCallback(
    (id: number) => {
      const before = latest.current;
      change(state.closeTab(before, id));
      if (latest.current === before) return;
      visits.current.delete(id);
      handlers.current.delete(id);
      const tab = state.focusedTab(latest.current);
      if (before.panes.includes(tab.id)) writeAddress('replace');
      else tools.go(tab.id, visitsOf(tab).again(), 'replace');
    },
    [change, tools, visitsOf, writeAddress],
  );
  /** Copies the focused tab's content for a new tab. */
  const copyOfFocused = useCallback((): Partial<Shown> & Address => {
    const tab = state.focusedTab(latest.current);
    const view = live.get(tab.id)?.current.viewState();
    return { ...visitsOf(tab).again(), ...(view ? { view } : {}) };
  }, [live, visitsOf]);
  /** The line at the top of a tab when it was last shown. */
  const lineOf = useCallback(
    (id: number): number | null => {
      const tab = latest.current.tabs.find((each) => each.id === id);
      return tab ? visitsOf(tab).current.line : null;
    },
    [visitsOf],
  );
  const arrange = useCallback(
    (next: (tabs: Tabs) => Tabs) => {
      const before = latest.current;
      change(next(before));
      if (latest.current !== before) writeAddress('replace');
    },
    [change, writeAddress],
  );

  useEffect(() => {
    const onPopState = (event: PopStateEvent) => {
      const from = (event.state as { tab?: unknown } | null)?.tab;
      const known = latest.current.tabs.find(({ id }) => id === from);
      if (known) change(state.showTab(latest.current, known.id));
      const tab = state.focusedTab(latest.current);
      tools.go(tab.id, visitsOf(tab).toAddress(parseHash(location.hash)), 'replace');
    };
    window.addEventListener('popstate', onPopState);
    return () => window.removeEventListener('popstate', onPopState);
  }, [change, tools, visitsOf]);

  useEffect(() => {
    const store = () =>
      storeTabs(tabs, (tab) => ({
        ...visitsOf(tab).again(),
        ...(live.has(tab.id) ? { view: live.get(tab.id)!.current.viewState() } : {}),
      }));
    store();
    rememberPanel(state.focusedTab(tabs).panel);
    window.addEventListener('pagehide', store);
    return () => window.removeEventListener('pagehide', store);
  }, [tabs, live, visitsOf]);

  return { tabs, live, of, open, show, select, add, close, copyOfFocused, lineOf, arrange };
}

interface Tools {
  tab(id: number): Tab | null;
  visitsOf(tab: Tab): TabVisits;
  go(id: number, to: Partial<Shown> & Address, how: 'push' | 'replace'): void;
  /** Records that only the tab's address changed. */
  note(id: number): void;
  patch(id: number, part: Partial<Tab>): void;
  onViewer(id: number, viewer: LiveViewer | null): void;
}

function handlersOf(id: number, { tab, visitsOf, go, note, patch, onViewer }: Tools) {
  const visits = () => {
    const found = tab(id);
    return found && visitsOf(found);
  };
  const changeAddress = (part: Partial<Address>) => {
    const known = visits();
    if (!known || known.current.artifactId === null) return;
    known.current = { ...known.current, ...part };
    note(id);
  };
  return {
    open(
      artifactId: string,
      how: 'push' | 'replace' = 'push',
      line: number | null = null,
      range: LineRange | null = null,
    ) {
      const known = visits();
      if (known && known.current.artifactId !== artifactId) go(id, known.to(artifactId, line, range), how);
    },
    /** Shows an artifact at a line, or with a search. */
    show({ artifactId, stream, line, search, merged }: Address) {
      const now = visits()?.current;
      const kept = now?.artifactId === artifactId ? now.search : null;
      const members = merged ?? (now?.artifactId === artifactId ? now.merged : null) ?? null;
      go(id, { artifactId, stream, line, search: search ?? kept ?? null, merged: members }, 'push');
    },
    showStream(stream: StreamName, wanted: StreamChange) {
      const known = visits();
      if (known) go(id, known.toStream(stream, wanted), 'replace');
    },
    leave(artifactId: string, stream: StreamName | null, view: ViewState) {
      visits()?.leave(artifactId, stream, view);
    },
    /** Records the new id of the shown file. Only the address changes, so that a reload finds it. */
    reportArtifact(artifactId: string) {
      const found = tab(id);
      if (!found || visits()?.current.artifactId === artifactId) return;
      changeAddress({ artifactId });
      patch(id, { shown: { ...found.shown, now: artifactId } });
    },
    reportLine(line: number) {
      if (visits()?.current.line !== line) changeAddress({ line });
    },
    reportSearch(search: SearchSettings | null) {
      changeAddress({ search });
    },
    reportSearchBar(open: boolean) {
      const known = visits();
      if (known) known.searchOpen = open;
    },
    showPanel: (panel: Panel | null) => patch(id, { panel }),
    onViewer: (viewer: LiveViewer | null) => onViewer(id, viewer),
  };
}

/** Adds the members of a merged text: the list and marks know only its id. */
function withMembers<T extends Address>(to: T): T {
  const members = to.artifactId !== null && !to.merged ? mergedMembers(to.artifactId) : null;
  return members ? { ...to, merged: members } : to;
}

/** Returns the address without the page's token: a cookie replaces it, and people share addresses. */
function addressOf(address: Address): string {
  return `${location.pathname}${formatHash(address)}`;
}
