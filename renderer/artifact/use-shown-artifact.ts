/** Opens an artifact, and holds the state its parts share: the text, the search, the failure, the panel. */

import { type RefObject, useEffect, useMemo, useRef, useState } from 'react';
import type { DocumentRef } from '../../shared/api/rows.ts';
import type { Artifact, StreamName } from '../../shared/artifact.ts';
import { escapeLine } from '../../shared/text/escape.ts';
import { useActions } from '../actions/registry.ts';
import { type FilterContext, filterActions } from '../filters/filter-actions.ts';
import { selectedText } from '../filters/selected-text.ts';
import { useFilters } from '../filters/use-filters.ts';
import { nameOf } from '../library/artifact-facts.ts';
import type { LibraryStore } from '../library/library-store.ts';
import { useOriginNames } from '../library/merged-texts.ts';
import { useArtifact } from '../library/use-library.ts';
import type { Mark } from '../panels/marks/mark-store.ts';
import { useMarks } from '../panels/marks/use-marks.ts';
import { histogramActions, type Timeline, useTimeline } from '../panels/panel-actions.ts';
import { useTerminal } from '../panels/use-terminal.ts';
import { type SearchSwitchContext, searchActions, searchSwitchActions } from '../search/search-actions.ts';
import type { SearchSettings } from '../search/search-settings.ts';
import type { SearchTabs } from '../search/search-tabs.ts';
import { useSearch } from '../search/use-search.ts';
import type { OnSearch } from '../search/use-search-bar.ts';
import { type Message, type Say, useMessage } from '../ui/state/time.ts';
import { useSteady } from '../ui/state/use-steady.ts';
import { useOpenDocument } from '../viewer/document/open-document.ts';
import type { LineRange } from '../viewer/document/rows-view.ts';
import { type LongLinePages, useReadOn } from '../viewer/long-line/long-line.ts';
import { useLineDestination, useTimeDestination } from '../viewer/use-destinations.ts';
import { useViewer, type Viewer } from '../viewer/use-viewer.ts';
import type { StreamChange, ViewState } from '../viewer/view-state.ts';
import { type HighlightContext, highlightActions } from '../viewer/viewer-actions.ts';
import {
  type ArtifactContext,
  artifactActions,
  type Panel,
  type PanelContext,
  panelActions,
  stopActions,
  type UndoContext,
  undoActions,
} from './artifact-actions.ts';
import { useEncodingDestinations } from './EncodingMenu.tsx';
import { useEndWithSelection } from './StatusLine.tsx';
import { type StopContext, useStop } from './StopDialog.tsx';
import { useExport } from './use-export.ts';
import { useFailure } from './use-failure.ts';
import { useLinks } from './use-links.ts';
import { changeFrom, useLeaveReport, useLineReport } from './use-view-reports.ts';

export type ShownArtifact = ReturnType<typeof useShownArtifact>;

export interface ShownArtifactOptions {
  artifactId: string;
  /** The artifacts merged into one text; null for a single one. */
  merged: readonly string[] | null;
  library: LibraryStore;
  /** Called when the file was replaced and has another id. */
  onArtifact: (artifactId: string) => void;
  onOpen: (artifactId: string, how?: 'push' | 'replace', line?: number, range?: LineRange | null) => void;
  /** Shows a line of any artifact. */
  onShow: (to: { artifactId: string; stream: StreamName | null; line: number | null }) => void;
  stream: StreamName | null;
  onStream: (stream: StreamName, change: StreamChange) => void;
  initialView: ViewState;
  /** Called with the id and the view when the artifact is left. */
  onLeave: (artifactId: string, stream: StreamName | null, view: ViewState) => void;
  /** Called with the line at the top of the view when that changes. */
  onLine: (line: number) => void;
  initialSearch: SearchSettings | null;
  /** All searches, if there were several. */
  initialSearches: SearchTabs | null;
  /** Called when the searches change. */
  onSearch: OnSearch;
  initialSearchOpen: boolean;
  /** Called when the search bar opens or closes. */
  onSearchBar: (open: boolean) => void;
  panel: Panel | null;
  onPanel: (panel: Panel | null) => void;
  /** Called with a reference to the current viewer, and with null when the view closes. */
  onViewer: (viewer: RefObject<Viewer> | null) => void;
}

export function useShownArtifact(options: ShownArtifactOptions) {
  const { artifactId, merged, library, onArtifact, stream, onStream, panel, onPanel, onOpen } = options;
  const reading = useReading(artifactId, stream, merged);
  const { ref } = reading;
  const [message, say, clearMessage] = useMessage();
  const [long, setLong] = useState<LongLinePages | null>(null);
  const opened = useOpenDocument(ref);
  const { state } = opened.snapshot;
  const nowId = state?.artifact.artifact_id ?? artifactId;
  const filters = useFilters(ref, nowId);
  const { passing, snapshot: version } = filters;
  const viewer = useViewer(opened, options.initialView, say, { passing, version });
  useEndWithSelection(message, clearMessage, viewer);
  useLiveViewer(viewer, options.onViewer);
  const search = useSearchOf(options, { document: ref, viewer, say });
  const { artifact, name } = useDescribed(library, nowId, state?.artifact ?? null, merged !== null);
  const originNames = useOriginNames(library, merged);
  useEffect(() => {
    if (nowId !== artifactId) onArtifact(nowId);
  }, [nowId, artifactId, onArtifact]);
  const terminal = useTerminal(artifact, viewer, say, onOpen);
  const failure = useFailure({
    artifact,
    document: ref,
    viewer,
    hasPlace: !isStart(options.initialView) || options.initialSearch !== null,
    say,
  });
  const shownStream = stream ?? state?.stream ?? null;
  const panels = useSteady({ panel, onPanel, isTerminal: terminal.isTerminal });
  const shownText = { artifact, stream: shownStream, viewer, search, say };
  const marks = useMarksOf(options, shownText);
  const exporting = useExport(shownText);
  const links = useLinks({ artifactId: nowId, viewer, say });
  const showMark = (mark: Mark) => {
    const isHere = mark.artifactId === nowId && mark.stream === shownStream;
    if (isHere) viewer.showLine(mark.line, 'always');
    else options.onShow(mark);
  };
  const stop = useStop(artifact, say);
  const { open, active, openField, closeField } = search;
  const searchSwitch = useSteady({ open, active, openField, closeField });
  const undoing = useUndo(message, say, viewer);
  const filtering = { filters, viewer, search, say };
  const timeline = useTimeline();
  const highlighting = useHighlighting(viewer, say);
  useShownActions({
    ...{ panels, viewer, search, searchSwitch, artifact, stop, undoing, filtering, timeline, highlighting },
    stream: shownStream,
  });
  useLineDestination(viewer);
  useEncodingDestinations(reading.setEncoding);
  const timeDestination = useTimeDestination(viewer, artifact, say);
  const toolbar = useSteady({ viewer, panels, search: searchSwitch, failure, timeDestination });

  useReports(options, { nowId, shownStream, viewer });
  const showStream = (next: StreamName) => {
    search.report();
    onStream(next, changeFrom(viewer, shownStream));
  };

  return {
    ref,
    merged,
    originNames,
    library,
    /** Null until it is known. */
    artifact,
    name: name ?? escapeLine(artifactId),
    stream: shownStream,
    showStream,
    viewer,
    search,
    toolbar,
    filtering,
    highlighting,
    timeline,
    failure,
    terminal,
    stop,
    marks,
    links,
    showMark,
    exporting,
    panel,
    closePanel: () => onPanel(null),
    onOpen,
    encoding: reading.encoding,
    setEncoding: reading.setEncoding,
    showAsText: reading.showAsText,
    message: message?.text ?? null,
    undoing,
    say,
    /** The line open in the reader for long lines. */
    long,
    closeLong: () => setLong(null),
    readOn: useReadOn(opened.document?.ref, opened.document, setLong),
    readOnInResults: useReadOn(search.search?.document, search.search, setLong),
  };
}

function useSearchOf(
  options: ShownArtifactOptions,
  searched: { document: DocumentRef; viewer: Viewer; say: Say },
) {
  return useSearch({
    ...searched,
    initial: options.initialSearch,
    initialAll: options.initialSearches,
    onSearch: options.onSearch,
    initialOpen: options.initialSearchOpen,
    onBar: options.onSearchBar,
  });
}

/** The text on the screen, as marks and exports need it. */
type ShownText = Parameters<typeof useExport>[0];

function useMarksOf({ panel, onPanel }: ShownArtifactOptions, { search, ...marked }: ShownText) {
  return useMarks({
    ...marked,
    lineHere: () => search.lineInResults() ?? marked.viewer.currentLine(),
    isPanelOpen: panel === 'marks',
    togglePanel: () => onPanel(panel === 'marks' ? null : 'marks'),
  });
}

/** Tells the window which line is at the top, and the view when the artifact is left. */
function useReports(
  { stream, onLine, onLeave }: ShownArtifactOptions,
  { nowId, shownStream, viewer }: { nowId: string; shownStream: StreamName | null; viewer: Viewer },
): void {
  useLineReport(viewer, onLine);
  useLeaveReport(viewer, (view) => {
    onLeave(nowId, stream, view);
    // The address does not name the default stream.
    if (shownStream !== stream) onLeave(nowId, shownStream, view);
  });
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

/** @param told how the host describes the open document; null until then */
function useDescribed(library: LibraryStore, id: string, told: Artifact | null, isMerged: boolean) {
  const listed = useArtifact(library, id);
  const named = listed ?? told;
  return {
    // The host describes a merged text in full; the list has only its name.
    artifact: isMerged ? (told ?? listed) : named,
    name: named && nameOf(named),
  };
}

function useHighlighting(viewer: Viewer, say: Say) {
  const [isOpen, setOpen] = useState(false);
  return { selected: selectedText(viewer), say, isOpen, setOpen };
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

function useLiveViewer(viewer: Viewer, onViewer: (viewer: RefObject<Viewer> | null) => void): void {
  const live = useRef(viewer);
  live.current = viewer;
  useEffect(() => {
    onViewer(live);
    return () => onViewer(null);
  }, [onViewer]);
}

/** Binds the keys of a shown artifact: those of its panels, text, search and filters. */
interface ShownActionsOptions extends ArtifactContext {
  panels: PanelContext;
  searchSwitch: SearchSwitchContext;
  stop: StopContext;
  undoing: UndoContext;
  filtering: FilterContext;
  timeline: Timeline;
  highlighting: HighlightContext;
}

export function useShownActions(options: ShownActionsOptions): void {
  const { viewer, search, artifact, stream } = options;
  useActions(panelActions, options.panels);
  useActions(artifactActions, { viewer, search, artifact, stream });
  useActions(searchSwitchActions, options.searchSwitch);
  useActions(searchActions, search);
  useActions(stopActions, options.stop);
  useActions(undoActions, options.undoing);
  useActions(filterActions, options.filtering);
  useActions(histogramActions, options.timeline);
  useActions(highlightActions, options.highlighting);
}
