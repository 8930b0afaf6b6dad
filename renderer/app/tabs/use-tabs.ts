/** Opens, shows, closes and copies tabs. The browser's address is that of the pane with the focus. */

import { useEffect, useState } from 'react';
import type { StreamName } from '../../../shared/artifact.ts';
import type { LiveViewer, TabHandlers } from '../../artifact/use-shown-artifact.ts';
import { mergedMembers } from '../../library/library-store.ts';
import { createStore, useStore } from '../../ui/state/store.ts';
import { textLook } from '../../ui/theme/theme.ts';
import { rememberForReload, restoreTabs, storeTabs } from './stored-tabs.ts';
import * as state from './tab-state.ts';
import { type Address, formatHash, parseHash, type Shown, type Tab, type Tabs } from './tab-state.ts';
import { TabVisits } from './tab-visits.ts';

/** How two panes scroll together. */
export type Together = 'off' | 'line' | 'time' | 'message';

type BesideAddress = Pick<Address, 'stream' | 'line'> & { artifactId: string };

/** What to show: its address, and the view of it if it is known. */
type Destination = Partial<Shown> & Address;

export type TabsContext = ReturnType<typeof useTabs>;

export function useTabs() {
  const [store] = useState(() => new TabStore());
  const tabs = useStore(store.tabs);
  const live = useStore(store.live);
  const together = useStore(store.together);
  useEffect(() => {
    const onPopState = (event: PopStateEvent) => store.goBack((event.state as { tab?: unknown } | null)?.tab);
    window.addEventListener('popstate', onPopState);
    return () => window.removeEventListener('popstate', onPopState);
  }, [store]);
  useEffect(() => textLook.subscribe(store.layOutAnew), [store]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: stores the tabs whenever they are others
  useEffect(() => {
    store.keep();
    window.addEventListener('pagehide', store.keep);
    return () => window.removeEventListener('pagehide', store.keep);
  }, [store, tabs, live]);
  return { ...store, tabs, live, together, now: store.tabs.get, scrollTogether: store.together.set };
}

/** The open tabs, their earlier contents, and their viewers. All its methods are bound. */
class TabStore {
  readonly tabs = createStore<Tabs>(restoreTabs(parseHash(location.hash)));
  /** How two panes scroll together. */
  readonly together = createStore<Together>('off');
  readonly live = createStore<ReadonlyMap<number, LiveViewer>>(new Map());
  readonly #visits = new Map<number, TabVisits>();
  readonly #handlers = new Map<number, TabHandlers>();

  /** Returns the functions with which a tab changes itself; the same ones each time. */
  readonly of = (id: number): TabHandlers => {
    const known = this.#handlers.get(id) ?? this.#handlersOf(id);
    this.#handlers.set(id, known);
    return known;
  };

  readonly open = (artifactId: string, how?: 'push' | 'replace'): void =>
    this.of(this.#focused.id).open(artifactId, how);

  /** Shows an artifact at a line, or with a search. */
  readonly show = (address: Address): void => this.of(this.#focused.id).show(address);

  /** Brings a tab to the front. */
  readonly select = (id: number): void => {
    const tab = this.#tab(id);
    if (!tab) return;
    const isShown = this.tabs.get().panes.includes(id);
    this.tabs.set(state.showTab(this.tabs.get(), id));
    this.#update(tab, isShown);
  };

  readonly add = (to: Destination, how: 'show' | 'split'): void => {
    const shown = { ...state.shownAt(to, 0), ...withMembers(to) };
    this.tabs.set(state.addTab(this.tabs.get(), shown, how));
    this.#writeAddress('push');
  };

  /** Shows an artifact in the pane beside a tab's, and scrolls both by message. The tab keeps the focus. */
  readonly beside = (id: number, { artifactId, stream, line }: BesideAddress): void => {
    const tab = this.#tab(id);
    if (!tab) return;
    this.select(id);
    const { panes } = this.tabs.get();
    const other = panes.find((each) => each !== id);
    const has = (each: Tab | null) => each?.shown.now === artifactId || each?.shown.artifactId === artifactId;
    const shown = { artifactId, stream, line };
    if (other !== undefined && has(this.#tab(other))) {
      if (line !== null) this.of(other).show(shown);
    } else if (other !== undefined) this.of(other).show(shown);
    else {
      this.add(shown, 'split');
      this.arrange((tabs) => state.focusPane(tabs, 0));
    }
    this.together.set('message');
  };

  /** Shows what the host was asked to open: in the tab that has it; among several tabs, else in a new one. */
  readonly reveal = (
    artifactId: string,
    stream: StreamName | null = null,
    line: number | null = null,
    lastLine?: number,
  ): void => {
    const { tabs } = this.tabs.get();
    const has = (tab: Tab) => tab.shown.now === artifactId || tab.shown.artifactId === artifactId;
    const found = has(this.#focused) ? this.#focused : tabs.find(has);
    const place = { artifactId, stream, line, ...(lastLine ? { lastLine } : {}) };
    if (found) {
      this.select(found.id);
      if (line !== null) this.of(found.id).show(place);
    } else if (tabs.length > 1) this.add(place, 'show');
    else if (line === null) this.open(artifactId);
    else this.of(this.#focused.id).show(place);
  };

  readonly close = (id: number): void => {
    const before = this.tabs.get();
    this.tabs.set(state.closeTab(before, id));
    if (this.tabs.get() === before) return;
    this.#visits.delete(id);
    this.#handlers.delete(id);
    this.#update(this.#focused, before.panes.includes(this.#focused.id));
  };

  /** Copies the focused tab's content for a new tab. */
  readonly copyOfFocused = (): Destination => this.#present(this.#focused);

  /** The line at the top of a tab when it was last shown. */
  readonly lineOf = (id: number): number | null => {
    const tab = this.#tab(id);
    return tab ? this.#visitsOf(tab).line() : null;
  };

  readonly arrange = (next: (tabs: Tabs) => Tabs): void => {
    const before = this.tabs.get();
    this.tabs.set(next(before));
    if (this.tabs.get() !== before) this.#writeAddress('replace');
  };

  /** Shows each pane's text anew where it is, in rows of another height. */
  readonly layOutAnew = (): void => {
    for (const tab of this.tabs.get().tabs)
      if (this.live.get().has(tab.id)) this.#go(tab.id, this.#present(tab), 'replace');
  };

  /** Follows the browser's own way back and forward, which leads to the tab that wrote the address. */
  goBack(id: unknown): void {
    const known = this.tabs.get().tabs.find((tab) => tab.id === id);
    if (known) this.tabs.set(state.showTab(this.tabs.get(), known.id));
    const { id: focused } = this.#focused;
    this.#go(focused, this.#visitsOf(this.#focused).toAddress(parseHash(location.hash)), 'replace');
  }

  /** Stores the tabs for the next time, with the views at which they are left. */
  readonly keep = (): void => {
    storeTabs(this.tabs.get(), (tab) => this.#present(tab));
    rememberForReload(this.#focused.panel, this.#present(this.#focused).view);
  };

  get #focused(): Tab {
    return state.focusedTab(this.tabs.get());
  }

  #tab(id: number): Tab | null {
    return this.tabs.get().tabs.find((tab) => tab.id === id) ?? null;
  }

  #visitsOf(tab: Tab): TabVisits {
    const known = this.#visits.get(tab.id) ?? new TabVisits(tab.shown);
    this.#visits.set(tab.id, known);
    return known;
  }

  /** A tab's content, at the view of it that is shown. */
  #present(tab: Tab): Destination {
    const viewer = this.live.get().get(tab.id);
    return { ...this.#visitsOf(tab).again(), ...(viewer ? { view: viewer.current.viewState() } : {}) };
  }

  /** Shows the content of a tab in its pane, unless it was shown there before. */
  #update(tab: Tab, isShown: boolean): void {
    if (isShown) this.#writeAddress('replace');
    else this.#go(tab.id, this.#visitsOf(tab).again(), 'replace');
  }

  #go(id: number, to: Destination, how: 'push' | 'replace'): void {
    const tab = this.#tab(id);
    if (!tab) return;
    this.#patch(id, { shown: this.#visitsOf(tab).go(withMembers(to), tab.shown.visit + 1) });
    if (this.#focused.id === id) this.#writeAddress(how);
  }

  #patch(id: number, part: Partial<Tab>): void {
    this.tabs.set(state.changeTab(this.tabs.get(), id, (tab) => ({ ...tab, ...part })));
  }

  #writeAddress(how: 'push' | 'replace'): void {
    const { id } = this.#focused;
    // Without the page's token: a cookie replaces it, and people share addresses.
    const address = `${location.pathname}${formatHash(this.#visitsOf(this.#focused).current)}`;
    if (how === 'push') history.pushState({ tab: id }, '', address);
    else history.replaceState({ tab: id }, '', address);
  }

  #handlersOf(id: number): TabHandlers {
    const visits = () => {
      const tab = this.#tab(id);
      return tab && this.#visitsOf(tab);
    };
    const changeAddress = (part: Partial<Address>) => {
      const known = visits();
      if (!known || known.current.artifactId === null) return;
      known.current = { ...known.current, ...part };
      if (this.#focused.id === id) this.#writeAddress('replace');
    };
    return {
      open: (artifactId, how = 'push', line = null, range = null) => {
        const known = visits();
        if (known && known.current.artifactId !== artifactId)
          this.#go(id, known.to(artifactId, line, range), how);
      },
      show: ({ artifactId, stream, line, search, merged }: Address) => {
        const now = visits()?.current;
        const kept = now?.artifactId === artifactId ? now : null;
        const place = { artifactId, stream, line, merged: merged ?? kept?.merged ?? null };
        // Searches that were open there stay beside a new one.
        const searches = (artifactId !== null && visits()?.searchesOf(artifactId)) || null;
        this.#go(id, { ...place, search: search ?? kept?.search ?? null, searches }, 'push');
      },
      showStream: (stream, change) => {
        const known = visits();
        if (known) this.#go(id, known.toStream(stream, change), 'replace');
      },
      showPanel: (panel) => this.#patch(id, { panel }),
      beside: (to) => this.beside(id, to),
      leave: (artifactId, stream, view) => visits()?.leave(artifactId, stream, view),
      reportArtifact: (artifactId) => {
        const tab = this.#tab(id);
        if (!tab || visits()?.current.artifactId === artifactId) return;
        // Only the address changes, so that a reload finds it.
        changeAddress({ artifactId });
        this.#patch(id, { shown: { ...tab.shown, now: artifactId } });
      },
      reportLine: (line) => {
        if (visits()?.current.line !== line) changeAddress({ line });
      },
      reportSearch: (search, searches) => changeAddress({ search, searches }),
      reportSearchBar: (open) => {
        const known = visits();
        if (known) known.searchOpen = open;
      },
      onViewer: (viewer) => {
        const next = new Map(this.live.get());
        if (viewer) next.set(id, viewer);
        else next.delete(id);
        this.live.set(next);
      },
    };
  }
}

/** Adds the members of a merged text: the list and marks know only its id. */
function withMembers<T extends Address>(to: T): T {
  const members = to.artifactId !== null && !to.merged ? mergedMembers(to.artifactId) : null;
  return members ? { ...to, merged: members } : to;
}
