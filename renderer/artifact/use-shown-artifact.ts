/** Opens an artifact, and holds the state its parts share: the text, the search, the failure, the panel. */

import { type RefObject, useEffect, useMemo, useRef, useState } from 'react';
import type { DocumentRef } from '../../shared/api/rows.ts';
import type { StreamName } from '../../shared/artifact.ts';
import { escapeLine } from '../../shared/text/escape.ts';
import { useActions } from '../actions/registry.ts';
import { filterActions } from '../filters/filter-actions.ts';
import { useFilters } from '../filters/use-filters.ts';
import { nameOf } from '../library/artifact-facts.ts';
import type { LibraryStore } from '../library/library-store.ts';
import { useOriginNames } from '../library/merged-texts.ts';
import { useArtifact } from '../library/use-library.ts';
import type { Mark } from '../panels/marks/mark-store.ts';
import { useMarks } from '../panels/marks/use-marks.ts';
import { histogramActions, useTimeline } from '../panels/panel-actions.ts';
import { useTerminal } from '../panels/use-terminal.ts';
import { searchActions, searchSwitchActions } from '../search/search-actions.ts';
import type { SearchSettings } from '../search/search-settings.ts';
import { type SearchPlace, useSearch } from '../search/use-search.ts';
import type { SearchReports } from '../search/use-search-bar.ts';
import { type Message, type Say, useMessage } from '../ui/state/time.ts';
import { useSteady } from '../ui/state/use-steady.ts';
import { useOpenDocument } from '../viewer/document/open-document.ts';
import type { LineRange } from '../viewer/document/rows-view.ts';
import { type LongLinePages, useReadOn } from '../viewer/long-line/long-line.ts';
import { selectedText } from '../viewer/selection/selection.ts';
import { useLineDestination, useTimeDestination } from '../viewer/use-destinations.ts';
import { useViewer, type Viewer } from '../viewer/use-viewer.ts';
import type { StreamChange, ViewState } from '../viewer/view-state.ts';
import { highlightActions } from '../viewer/viewer-actions.ts';
import { artifactActions, stopActions, undoActions } from './artifact-actions.ts';
import { useEncodingDestinations } from './EncodingMenu.tsx';
import { useEndWithSelection } from './StatusLine.tsx';
import { useStop } from './StopDialog.tsx';
import { useExport } from './use-export.ts';
import { useFailure } from './use-failure.ts';
import { useLinks } from './use-links.ts';
import { changeFrom, useLeaveReport, useLineReport } from './use-view-reports.ts';

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
  const { ref, ...reading } = useReading(artifactId, stream, merged);
  const [message, say, clearMessage] = useMessage();
  const [long, setLong] = useState<LongLinePages | null>(null);
  const opened = useOpenDocument(ref);
  const { state } = opened.snapshot;
  const nowId = state?.artifact.artifact_id ?? artifactId;
  const filters = useFilters(ref, nowId);
  const viewer = useViewer(opened, place.view, say, { passing: filters.passing, version: filters.snapshot });
  useEndWithSelection(message, clearMessage, viewer);
  useLiveViewer(viewer, tab);
  const search = useSearch({ document: ref, viewer, place, reports: tab, say });
  const listed = useArtifact(library, nowId);
  // The host describes a merged text in full; the list has only its name.
  const described = state?.artifact ?? null;
  const artifact = merged ? (described ?? listed) : (listed ?? described);
  const named = listed ?? described;
  const originNames = useOriginNames(library, merged);
  useEffect(() => {
    if (nowId !== artifactId) tab.reportArtifact(nowId);
  }, [nowId, artifactId, tab]);
  const terminal = useTerminal(artifact, viewer, say, tab.open);
  const hasPlace = !isStart(place.view) || place.search != null;
  const failure = useFailure({ artifact, document: ref, viewer, hasPlace, say });
  const shownStream = stream ?? state?.stream ?? null;
  const panels = useSteady({ panel, onPanel: tab.showPanel, isTerminal: terminal.isTerminal });
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
  const undoing = useUndo(message, say, viewer);
  const filtering = { filters, viewer, search, say };
  const timeline = useTimeline();
  const [areHighlightersOpen, setHighlightersOpen] = useState(false);
  const highlighting = {
    ...{ selected: selectedText(viewer), say },
    ...{ isOpen: areHighlightersOpen, setOpen: setHighlightersOpen },
  };
  useActions(artifactActions, shownText);
  useActions(searchSwitchActions, searchSwitch);
  useActions(searchActions, search);
  useActions(stopActions, stop);
  useActions(undoActions, undoing);
  useActions(filterActions, filtering);
  useActions(histogramActions, timeline);
  useActions(highlightActions, highlighting);
  useLineDestination(viewer);
  useEncodingDestinations(reading.setEncoding);
  const timeDestination = useTimeDestination(viewer, artifact, say);
  const toolbar = useSteady({ viewer, panels, search: searchSwitch, failure, timeDestination });
  useLineReport(viewer, tab.reportLine);
  useLeaveReport(viewer, (view) => {
    tab.leave(nowId, stream, view);
    // The address does not name the default stream.
    if (shownStream !== stream) tab.leave(nowId, shownStream, view);
  });

  return {
    ...{ ref, merged, originNames, library, artifact, viewer, search, toolbar, panels, tab },
    ...{ filtering, highlighting, timeline, failure, terminal, stop, marks, links, exporting, undoing },
    ...reading,
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
    /** The line open in the reader for long lines. */
    long,
    closeLong: () => setLong(null),
    readOn: useReadOn(opened.document?.ref, opened.document, setLong),
    readOnInResults: useReadOn(search.search?.document, search.search, setLong),
  };
}

/** How the artifact is read: its stream, its encoding, and bytes as text. */
function useReading(artifactId: string, stream: StreamName | null, merged: readonly string[] | null) {
  const [encoding, setEncoding] = useState<string | null>(null);
  const [asText, setAsText] = useState(false);
  const ref: DocumentRef = useMemo(
    () => ({
      artifact_id: artifactId,
      ...(stream ? { stream } : {}),
      ...(encoding ? { encoding } : {}),
      ...(asText ? { as_text: true } : {}),
      ...(merged ? { merged: [...merged] } : {}),
    }),
    [artifactId, stream, encoding, asText, merged],
  );
  return { ref, encoding, setEncoding, showAsText: () => setAsText(true) };
}

function useUndo(message: Message | null, say: Say, viewer: Viewer) {
  return useSteady({
    undo:
      message?.undo == null
        ? null
        : () => {
            message.undo?.();
            say('Undone');
            // Its button disappears, perhaps with the focus.
            viewer.scroller.current?.focus({ preventScroll: true });
          },
  });
}

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
