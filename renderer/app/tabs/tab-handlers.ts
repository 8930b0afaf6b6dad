/** A tab's own handlers: they open another artifact in it, report its address, and change its panel. */
import type { RefObject } from 'react';
import type { StreamName } from '../../../shared/artifact.ts';
import type { Panel } from '../../artifact/artifact-actions.ts';
import type { SearchSettings } from '../../search/search-settings.ts';
import type { SearchTabs } from '../../search/search-tabs.ts';
import type { LineRange } from '../../viewer/document/rows-view.ts';
import type { Viewer } from '../../viewer/use-viewer.ts';
import type { StreamChange, ViewState } from '../../viewer/view-state.ts';
import type { Address } from './address.ts';
import type { Shown, Tab } from './tab-state.ts';
import type { TabVisits } from './tab-visits.ts';

export type LiveViewer = RefObject<Viewer>;

/** Functions with which a tab changes itself. */
export type TabHandlers = ReturnType<typeof handlersOf>;

export interface TabTools {
  tab(id: number): Tab | null;
  visitsOf(tab: Tab): TabVisits;
  go(id: number, to: Partial<Shown> & Address, how: 'push' | 'replace'): void;
  /** Records that only the tab's address changed. */
  note(id: number): void;
  patch(id: number, part: Partial<Tab>): void;
  onViewer(id: number, viewer: LiveViewer | null): void;
}

export function handlersOf(id: number, { tab, visitsOf, go, note, patch, onViewer }: TabTools) {
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
      const kept = now?.artifactId === artifactId ? now : null;
      const place = { artifactId, stream, line, merged: merged ?? kept?.merged ?? null };
      // Searches that were open there stay beside a new one.
      const searches = (artifactId !== null && visits()?.searchesOf(artifactId)) || null;
      go(id, { ...place, search: search ?? kept?.search ?? null, searches }, 'push');
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
    reportSearch(search: SearchSettings | null, searches: SearchTabs | null) {
      changeAddress({ search, searches });
    },
    reportSearchBar(open: boolean) {
      const known = visits();
      if (known) known.searchOpen = open;
    },
    showPanel: (panel: Panel | null) => patch(id, { panel }),
    onViewer: (viewer: LiveViewer | null) => onViewer(id, viewer),
  };
}
