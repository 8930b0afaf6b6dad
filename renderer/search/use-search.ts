/** The search of one artifact, shared by the search bar, the text and the results. */
import { useEffect } from 'react';
import { flushSync } from 'react-dom';
import type { DocumentRef } from '../../shared/api/rows.ts';
import type { Viewer } from '../viewer/use-viewer.ts';
import type { Direction, OpenSearch, SearchSnapshot } from './open-search.ts';
import { useMatchSteps } from './results/use-match-steps.ts';
import { rowsInView, useResultsFocus, useResultsLayout } from './results/use-results-layout.ts';
import { narrowed, queryOf, type SearchSettings } from './search-settings.ts';
import { type SearchTabs, useSearchTabs } from './search-tabs.ts';
import { useOpenSearch } from './use-open-search.ts';
import { remember, type SearchReports, useSearchBar, useSearchReport } from './use-search-bar.ts';

/** The searches to show first. */
export interface SearchPlace {
  search?: SearchSettings | null | undefined;
  /** All searches side by side, if there were several. */
  searches?: SearchTabs | null | undefined;
  searchOpen: boolean;
}

interface SearchOptions {
  document: DocumentRef;
  viewer: Viewer;
  place: SearchPlace;
  reports: SearchReports;
  say: (message: string) => void;
}

export type Search = ReturnType<typeof useSearch>;

export function useSearch({ document, viewer, place, reports, say }: SearchOptions) {
  const { search: initial = null, searches = null } = place;
  const tabs = useSearchTabs(searches, initial);
  const { settings, edit } = tabs;
  const { layout, change: changeLayout } = useResultsLayout();
  // Every key begins a search and ends the one before, which costs next to nothing.
  const query = queryOf(settings);
  /** Lines that other filters hide are not searched. */
  const filter = viewer.passing?.filter ?? null;
  const searched = useOpenSearch(document, query, {
    context: layout.context,
    rowsInView: rowsInView(layout),
    filter,
  });
  const { search, snapshot } = searched;
  const steps = useMatchSteps({ viewer, settings, search, snapshot, say });
  const { step: stepNow } = steps;
  const report = useSearchReport(tabs.state, searches ?? tabs.state, reports);
  useRetryInNewText(viewer, search, snapshot);

  const focusText = () => viewer.scroller.current?.focus({ preventScroll: true });
  const settle = () => {
    remember(settings.pattern);
    report();
  };
  const bar = useSearchBar(place.searchOpen, reports, settle, focusText);
  const focus = useResultsFocus({ search, setFolded: (folded) => changeLayout({ folded }), focusText });

  const step = (direction: Direction) => {
    settle();
    stepNow(direction);
  };
  const end = () => {
    bar.setOpen(false);
    tabs.close(tabs.at);
    focusText();
  };
  const type = (pattern: string) => {
    searched.beginEarly(queryOf({ ...settings, pattern }));
    edit({ pattern });
  };
  /** Keeps this search, and begins another beside it. */
  const keep = () => {
    settle();
    flushSync(tabs.add);
    bar.openField();
  };
  /** The next search goes on in what this one found. */
  const narrow = () => {
    settle();
    flushSync(() => edit(narrowed(settings)));
    bar.openField();
  };
  /** Closes the bar, or else ends the search. False when there was neither. */
  const closeOne = (): boolean => {
    if (bar.open) bar.closeField();
    else if (query) end();
    else return false;
    return true;
  };

  return {
    ...searched,
    ...bar,
    ...focus,
    document,
    filter,
    /** Lines of the text that are counted. */
    lines: viewer.opened.snapshot.total,
    settings,
    active: query !== null,
    current: steps.current,
    layout,
    changeLayout,
    edit,
    /** Takes what stands in the field now. */
    type,
    tabs,
    keep,
    narrow,
    showTab: tabs.choose,
    closeTab: (index: number) => (tabs.tabs.length === 1 ? end() : tabs.close(index)),
    step,
    goTo: steps.goTo,
    showLine: steps.showLine,
    /** Reports the searches at once. */
    report,
    end,
    closeOne,
    focusText,
    say,
  };
}

/** A search that was cancelled starts again when the text was replaced. */
function useRetryInNewText(viewer: Viewer, search: OpenSearch | null, snapshot: SearchSnapshot): void {
  const searched = snapshot.state?.generation ?? null;
  const shown = viewer.opened.snapshot.state?.generation ?? null;
  useEffect(() => {
    if (!search || !snapshot.cancelled || searched === null || shown === null) return;
    if (shown > searched) search.retry();
  }, [search, snapshot.cancelled, searched, shown]);
}
