/** Opens an artifact, and holds the state its parts share: the text, the search, the failure, the panel. */
import { type MouseEvent, type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react';
import type { StreamName } from '../../shared/artifact.ts';
import { toSpillwayError } from '../../shared/errors.ts';
import { escapeLine } from '../../shared/text/escape.ts';
import { type FileLink, fileLinks } from '../../shared/text/file-links.ts';
import { useActions } from '../actions/registry.ts';
import { lastUndo, type UndoContext, useUndoOf } from '../actions/undo.ts';
import { useConnection } from '../connection/HostProvider.tsx';
import { differenceActions, stepThrough } from '../differences/difference-actions.ts';
import { useDifferences, useRowNews } from '../differences/use-differences.ts';
import { columnActions, useColumns } from '../filters/Columns.tsx';
import { filterActions, useAddFilter } from '../filters/filter-actions.ts';
import { setActions, useSetDestinations } from '../filters/SetsDialog.tsx';
import { useFilters } from '../filters/use-filters.ts';
import { nameOf, settingsKey } from '../library/artifact-facts.ts';
import { type LibraryStore, useArtifact, useOriginNames } from '../library/library-store.ts';
import type { Mark } from '../panels/marks/marks-export.ts';
import { useMarks } from '../panels/marks/use-marks.ts';
import { useFolding, useOutline } from '../panels/outline/use-outline.ts';
import { foldActions, histogramActions, pauseActions, useTimeline } from '../panels/panel-actions.ts';
import { useTerminal } from '../panels/use-terminal.ts';
import { barActions, searchActions, searchSwitchActions } from '../search/search-actions.ts';
import type { SearchSettings } from '../search/search-settings.ts';
import { type SearchPlace, useMatchDestination, useSearch } from '../search/use-search.ts';
import type { SearchReports } from '../search/use-search-bar.ts';
import { useMessage, whenStill } from '../ui/state/time.ts';
import { useSteady } from '../ui/state/use-steady.ts';
import { useOpenDocument } from '../viewer/document/open-document.ts';
import type { LineRange } from '../viewer/document/rows-view.ts';
import { selectedText } from '../viewer/selection/selection.ts';
import { useLineDestination, useTimeDestination } from '../viewer/use-destinations.ts';
import { useViewer, type Viewer } from '../viewer/use-viewer.ts';
import { START_OF_TEXT, type StreamChange, type ViewState } from '../viewer/view-state.ts';
import { highlightActions } from '../viewer/viewer-actions.ts';
import { artifactActions, linkActions, stopActions } from './artifact-actions.ts';
import { useExport } from './ExportDialog.tsx';
import { useReading, useReadingDestinations } from './reading.tsx';
import { useSeen, useSeenRows } from './SeenFacts.tsx';
import { useEndWithSelection } from './StatusLine.tsx';
import { useStop } from './StopDialog.tsx';
import { useFailure } from './use-failure.ts';
import { watchActions } from './WatchDialog.tsx';

export type ShownArtifact = ReturnType<typeof useShownArtifact>;

/** What to show of an artifact first. */
interface ShownPlace extends SearchPlace {
  stream: StreamName | null;
  /** The artifacts merged into one text; null for a single one. */
  merged?: readonly string[] | null;
  view: ViewState;
}

/** How a view changes its tab, and reports what a reload or a return should show again. */
export interface TabHandlers extends SearchReports {
  /** Opens an artifact where it was left, or at a line or a range. */
  open(artifactId: string, how?: 'push' | 'replace', line?: number | null, range?: LineRange | null): void;
  /** Shows a line of any artifact, or a search. */
  show(to: ShownLine): void;
  showStream(stream: StreamName, change: StreamChange): void;
  showPanel(panel: string | null): void;
  /** Shows an artifact in a pane beside this one, aligned with it: at a line, or where this one is. */
  beside(to: { artifactId: string; stream: StreamName | null; line: number | null }): void;
  /** Gets the view when the artifact is left. */
  leave(artifactId: string, stream: StreamName | null, view: ViewState): void;
  /** Gets the new id of the shown file, which was replaced. */
  reportArtifact(artifactId: string): void;
  /** Gets the line at the top of the view. */
  reportLine(line: number): void;
  /** Gets a reference to the current viewer, and null when the view closes. */
  onViewer(viewer: LiveViewer | null): void;
}

interface ShownLine {
  artifactId: string | null;
  stream: StreamName | null;
  line: number | null;
  search?: SearchSettings | null;
  merged?: readonly string[] | null;
}

export type LiveViewer = RefObject<Viewer>;

export interface ShownArtifactOptions {
  artifactId: string;
  place: ShownPlace;
  panel: string | null;
  library: LibraryStore;
  tab: TabHandlers;
}

export function useShownArtifact({ artifactId, place, panel, library, tab }: ShownArtifactOptions) {
  const { stream, merged = null } = place;
  const opening = useArtifact(library, artifactId);
  const reading = useReading(library, { artifactId, artifact: opening, stream, merged });
  const { ref } = reading;
  const [message, say, clearMessage] = useMessage();
  const opened = useOpenDocument(ref);
  const { state } = opened.snapshot;
  const nowId = state?.artifact.artifact_id ?? artifactId;
  const listed = useArtifact(library, nowId);
  // The host describes a merged text in full; the list has only its name.
  const described = state?.artifact ?? null;
  const artifact = merged ? (described ?? listed) : (listed ?? described);
  const differences = useDifferences({
    ...{ artifactId: nowId, artifact, library, opened },
    isMerged: merged !== null,
  });
  const filters = useFilters(ref, artifact ? settingsKey(artifact) : nowId, differences.spans);
  const viewer = useViewer(opened, place.view, say, {
    ...{ passing: filters.passing, version: filters.snapshot },
    ...{ reveal: filters.reveal, headingOf: filters.headingOf },
    hasFilter: filters.filter !== null,
  });
  useEndWithSelection(message, clearMessage, viewer);
  useLiveViewer(viewer, tab);
  const search = useSearch({ document: ref, viewer, filter: filters.filter, place, reports: tab, say });
  const named = listed ?? described;
  const originNames = useOriginNames(library, merged);
  useEffect(() => {
    if (nowId !== artifactId) tab.reportArtifact(nowId);
  }, [nowId, artifactId, tab]);
  const terminal = useTerminal(artifact, viewer, say, tab.open);
  const hasPlace = !isStart(place.view) || place.search != null;
  const failure = useFailure({
    ...{ artifact, document: ref, filter: filters.filter, viewer, hasPlace, say },
  });
  const shownStream = stream ?? state?.stream ?? null;
  const seen = useSeen(merged ? null : artifact, state?.stream ?? null, opened);
  const news = useSeenRows(useRowNews(differences.comparison), seen.lines);
  const firstPanel = useRef<string | null | undefined>(panel);
  if (panel !== firstPanel.current) firstPanel.current = undefined;
  const panels = useSteady({
    isJustOpened: firstPanel.current === undefined,
    ...{ panel, onPanel: tab.showPanel, isTerminal: terminal.isTerminal },
    isCompared: differences.isAsked,
  });
  const outline = useOutline(ref, viewer, panel === 'outline');
  const folding = useFolding(outline, filters, viewer);
  const shownText = { artifact, stream: shownStream, viewer, search, say };
  const marks = useMarks({
    ...{ artifact, stream: shownStream, viewer, say },
    lineHere: () => search.lineInResults() ?? viewer.currentLine(),
    isPanelOpen: panel === 'marks',
    togglePanel: () => tab.showPanel(panel === 'marks' ? null : 'marks'),
  });
  const exporting = useExport(shownText);
  const links = useLinks({ artifactId: nowId, viewer, say });
  const stop = useStop(artifact, say);
  const { open, active, openField, closeField } = search;
  const searchSwitch = useSteady({ open, active, openField, closeField });
  const undoing = useUndoOf(filters.key, () => {
    say('Undone');
    // The button that was pressed disappears, perhaps with the focus.
    viewer.scroller.current?.focus({ preventScroll: true });
  });
  const adding = useAddFilter(filters);
  const filtering = { filters, viewer, search, say, adding };
  const columns = useColumns(filtering, ref);
  const differing = { differences, filters, say };
  const { comparison } = differences;
  const timeline = useTimeline();
  const [areHighlightersOpen, setHighlightersOpen] = useState(false);
  const highlighting = {
    ...{ selected: selectedText(viewer), say },
    ...{ isOpen: areHighlightersOpen, setOpen: setHighlightersOpen },
  };
  useActions(artifactActions, shownText);
  useActions(searchSwitchActions, searchSwitch);
  useActions(barActions, {
    ...search,
    edit: (change) => {
      search.openField();
      search.edit(change);
    },
  });
  useActions(searchActions, {
    ...search,
    stepDifferences: comparison && ((direction) => stepThrough(comparison, viewer, direction)),
  });
  useActions(differenceActions, differing);
  useActions(stopActions, stop);
  const [isWatchOpen, setWatchOpen] = useState(false);
  const watching = {
    ...{ document: ref, watchKey: artifact ? settingsKey(artifact) : nowId },
    ...{ artifact, name: named ? nameOf(named) : escapeLine(artifactId), say },
    ...{ settings: search.settings, isOpen: isWatchOpen, setOpen: setWatchOpen },
  };
  useActions(watchActions, watching);
  useActions(filterActions, filtering);
  useActions(columnActions, columns);
  const [areSetsOpen, setSetsOpen] = useState(false);
  const sets = { ...filtering, isOpen: areSetsOpen, setOpen: setSetsOpen };
  useActions(setActions, sets);
  useSetDestinations(filtering);
  useActions(histogramActions, timeline);
  useActions(pauseActions, outline);
  useActions(foldActions, folding);
  useActions(highlightActions, highlighting);
  useLineDestination(viewer);
  useReadingDestinations(reading);
  const timeDestination = useTimeDestination(viewer, artifact, say);
  const matchDestination = useMatchDestination(search);
  const elsewhere = (typed: string) => matchDestination(typed) ?? timeDestination(typed)?.run ?? null;
  const toolbar = useSteady({ viewer, panels, columns, search: searchSwitch, adding, failure, elsewhere });
  useLineReport(viewer, tab.reportLine);
  useLeaveReport(viewer, (view) => {
    tab.leave(nowId, stream, view);
    // The address does not name the default stream.
    if (shownStream !== stream) tab.leave(nowId, shownStream, view);
  });

  return {
    ...{ ref, merged, originNames, library, artifact, viewer, search, toolbar, panels, tab },
    ...{ differing, news, outline, folding, seen, columns },
    ...{
      watching,
      filtering,
      sets,
      highlighting,
      timeline,
      failure,
      terminal,
      stop,
      marks,
      links,
      exporting,
      undoing: message?.undo && message.undo === lastUndo(filters.key) ? undoing : NO_UNDO,
    },
    reading,
    name: named ? nameOf(named) : escapeLine(artifactId),
    stream: shownStream,
    showStream: (next: StreamName) => {
      search.report();
      tab.showStream(next, changeFrom(viewer, shownStream));
    },
    showMark: (mark: Mark) => {
      const isHere = mark.artifactId === nowId && mark.stream === shownStream;
      if (isHere) viewer.showLine(mark.line, 'always');
      else tab.show(mark);
    },
    message: message?.text ?? null,
  };
}

const NO_UNDO: UndoContext = { undo: null };

function isStart({ line, range, selection, following, from }: ViewState): boolean {
  return line === null && range === null && selection === null && following === 'off' && !from;
}

function useLiveViewer(viewer: Viewer, { onViewer }: TabHandlers): void {
  const live = useRef(viewer);
  live.current = viewer;
  useEffect(() => {
    onViewer(live);
    return () => onViewer(null);
  }, [onViewer]);
}

// Reports where a view is: its top line while it is shown, its position when it is replaced.

/** Reports the view's position when another artifact or stream replaces it. */
function useLeaveReport(viewer: Viewer, onLeave: (view: ViewState) => void): void {
  const leave = useRef(() => {});
  leave.current = () => {
    if (viewer.opened.snapshot.state) onLeave(viewer.viewState());
  };
  // A layout effect, so that it ends before its replacement begins.
  useLayoutEffect(() => () => leave.current(), []);
}

/** Returns where another stream opens: at bytes that arrived at the same time. */
function changeFrom(viewer: Viewer, from: StreamName | null): StreamChange {
  const { current, line, px, selection, following } = viewer.viewState();
  const isStart = selection === null && line === 1 && px === 0;
  const hasNoLine = following === 'on' || current === null || from === null || isStart;
  return {
    from,
    moved: current === null || !viewer.isAtCorrespondingLine(current),
    view: { ...START_OF_TEXT, following, ...(hasNoLine ? {} : { from: { stream: from, line: current } }) },
  };
}

/** Milliseconds without scrolling. */
const STILL_MS = 200;
/** A followed text may never be still: milliseconds after which to report it nevertheless. */
const MOST_MS = 1000;

/** Reports the top line of the view after scrolling has stopped, or once a second. */
function useLineReport(viewer: Viewer, onLine: (line: number) => void): void {
  const { rows, scroll, pending } = viewer;
  const latest = useRef(rows);
  latest.current = rows;
  useEffect(() => {
    // Until the view reaches the line it was opened at, a reload returns to that line.
    if (pending) return;
    const reports = whenStill(
      () => {
        const { current: rows } = latest;
        const line = rows.count > 0 ? rows.lineOf(scroll.view.get().position.row) : null;
        if (line !== null) onLine(line);
      },
      STILL_MS,
      MOST_MS,
    );
    reports.call();
    const unsubscribe = scroll.view.subscribe(reports.call);
    return () => {
      reports.stop();
      unsubscribe();
    };
  }, [scroll.view, onLine, pending]);
}

interface LinksOptions {
  artifactId: string;
  viewer: Viewer;
  say: (message: string) => void;
}

/** Opens files named in lines in the person's editor: by Ctrl+click, from the menu, or by key. */
function useLinks({ artifactId, viewer, say }: LinksOptions) {
  const connection = useConnection();
  /** The link under the open menu. */
  const pointed = useRef<{ line: number; link: FileLink } | null>(null);

  const open = ({ path, longer, line, column }: FileLink): void => {
    const params = { artifact_id: artifactId, path, longer: [...longer], line, column };
    connection?.request('openInEditor', params).then(
      ({ file, editor }) => say(`Opened ${file} in ${editor}`),
      (error: unknown) => say(toSpillwayError(error).message),
    );
  };

  /** The link on the current line: the one under the menu, else the first. */
  const linkHere = (): FileLink | null => {
    const line = viewer.currentLine();
    if (pointed.current?.line === line) return pointed.current.link;
    const row = viewer.rows.row(viewer.rows.rowOf(line));
    return (row && fileLinks(row.text)[0]) ?? null;
  };

  useActions(linkActions, {
    hasLink: () => linkHere() !== null,
    open: () => {
      const link = linkHere();
      if (link) open(link);
    },
  });

  return {
    /** For the element around the text. */
    onClick: (event: MouseEvent): void => {
      const at = event.ctrlKey || event.metaKey ? linkAt(event, viewer) : null;
      if (at) open(at.link);
    },
    onContextMenu: (event: MouseEvent): void => {
      pointed.current = linkAt(event, viewer);
    },
  };
}

/** Returns the link at the pointer. */
function linkAt({ target }: MouseEvent, { rows }: Viewer): { line: number; link: FileLink } | null {
  const drawn = target instanceof Element ? target.closest<HTMLElement>('[data-link]') : null;
  const index = drawn?.closest<HTMLElement>('[data-index]')?.dataset.index;
  if (!drawn || index === undefined) return null;
  const row = rows.row(Number(index));
  const line = rows.lineOf(Number(index));
  const link = row && fileLinks(row.text).find(({ start }) => start === Number(drawn.dataset.link));
  return link && line !== null ? { line, link } : null;
}
