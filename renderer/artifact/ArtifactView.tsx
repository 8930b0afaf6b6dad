/** One artifact: its name and streams, the toolbar, the text, the results, the panels and the status line. */
import { type ReactNode, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import type { DocumentRef } from '../../shared/api/rows.ts';
import type { StreamName } from '../../shared/artifact.ts';
import { ActionMenu } from '../commands/ActionMenu.tsx';
import { useActions } from '../commands/registry.ts';
import { useFailure } from '../failure/use-failure.ts';
import { isPlainFile, KIND, nameOf } from '../library/artifact-look.ts';
import type { LibraryStore } from '../library/library-store.ts';
import { StatusWord } from '../library/list/StatusWord.tsx';
import { useArtifact } from '../library/use-library.ts';
import { searchActions } from '../search/actions.ts';
import { SearchBar } from '../search/bar/SearchBar.tsx';
import type { SearchSettings } from '../search/bar/search-settings.ts';
import { MarkedRows } from '../search/marks/MarkedRows.tsx';
import { ResultsPane } from '../search/results/ResultsPane.tsx';
import { useSearch } from '../search/use-search.ts';
import { SummaryPanel } from '../summary/SummaryPanel.tsx';
import { CommandsPanel } from '../terminal/CommandsPanel.tsx';
import { useTerminal } from '../terminal/use-terminal.ts';
import { Icon } from '../ui/Icon.tsx';
import { MiddleText } from '../ui/MiddleText.tsx';
import { PaneHeader } from '../ui/PaneHeader.tsx';
import { useAfter, useMessage } from '../ui/time-hooks.ts';
import type { LineRange } from '../viewer/document/rows-view.ts';
import { useOpenDocument } from '../viewer/document/use-open-document.ts';
import { Details } from '../viewer/panels/Details.tsx';
import { LongLineDialog } from '../viewer/panels/LongLineDialog.tsx';
import type { LongLine } from '../viewer/panels/long-line.ts';
import { SidePanel } from '../viewer/panels/SidePanel.tsx';
import { useReadOn } from '../viewer/panels/use-read-on.ts';
import { CopyDialog } from '../viewer/selection/CopyDialog.tsx';
import { useViewer, type Viewer } from '../viewer/use-viewer.ts';
import { START_OF_TEXT, type StreamChange, type ViewState } from '../viewer/view-state.ts';
import styles from './ArtifactView.module.css';
import { artifactActions, type Panel } from './actions.ts';
import { DocumentBars } from './DocumentBars.tsx';
import { noText } from './NoText.tsx';
import { StatusLine } from './StatusLine.tsx';
import { StreamTabs } from './StreamTabs.tsx';
import { Toolbar } from './Toolbar.tsx';
import { useLineDestination } from './use-line-destination.ts';
import { useTimeDestination } from './use-time-destination.ts';

interface ArtifactViewProps {
  artifactId: string;
  library: LibraryStore;
  /** Called when the file was replaced and has another id. */
  onArtifact: (artifactId: string) => void;
  onOpen: (artifactId: string, how?: 'push' | 'replace', line?: number, range?: LineRange | null) => void;
  stream: StreamName | null;
  onStream: (stream: StreamName, change: StreamChange) => void;
  initialView: ViewState;
  /** Called with the id and what is shown when the view is left. */
  onLeave: (artifactId: string, stream: StreamName | null, view: ViewState) => void;
  /** Called with the line at the top of the view when that changes. */
  onLine: (line: number) => void;
  initialSearch: SearchSettings | null;
  /** Called when the search settings change. */
  onSearch: (settings: SearchSettings | null) => void;
  initialSearchOpen: boolean;
  /** Called when the search bar opens or closes. */
  onSearchBar: (open: boolean) => void;
  panel: Panel | null;
  onPanel: (panel: Panel | null) => void;
  /** Before the name, and at the end of its row. */
  before: ReactNode;
  after: ReactNode;
}

export function ArtifactView(props: ArtifactViewProps) {
  const { artifactId, library, onArtifact, stream, onStream, onLine, panel, onPanel } = props;
  const [encoding, setEncoding] = useState<string | null>(null);
  const [asText, setAsText] = useState(false);
  const [message, say] = useMessage();
  const [long, setLong] = useState<LongLine | null>(null);
  const ref: DocumentRef = useMemo(
    () => ({
      artifact_id: artifactId,
      ...(stream ? { stream } : {}),
      ...(encoding ? { encoding } : {}),
      ...(asText ? { as_text: true } : {}),
    }),
    [artifactId, stream, encoding, asText],
  );
  const opened = useOpenDocument(ref);
  const viewer = useViewer(opened, props.initialView, say);
  const search = useSearch({
    document: ref,
    viewer,
    initial: props.initialSearch,
    onSearch: props.onSearch,
    initialOpen: props.initialSearchOpen,
    onBar: props.onSearchBar,
    say,
  });
  const { state } = opened.snapshot;
  const nowId = state?.artifact.artifact_id ?? artifactId;
  const artifact = useArtifact(library, nowId) ?? state?.artifact ?? null;
  useEffect(() => {
    if (nowId !== artifactId) onArtifact(nowId);
  }, [nowId, artifactId, onArtifact]);
  const terminal = useTerminal(artifact, viewer, say, props.onOpen);
  const failure = useFailure({
    artifact,
    document: ref,
    viewer,
    hasPlace: !isStart(props.initialView) || props.initialSearch !== null,
    say,
  });
  const { isTerminal } = terminal;
  const shownStream = stream ?? state?.stream ?? null;
  const context = { viewer, search, panel, onPanel, isTerminal, artifact, stream: shownStream };
  useActions(artifactActions, context);
  useActions(searchActions, search);
  useLineDestination(viewer);
  useTimeDestination(viewer, artifact, say);
  const slow = useAfter(1000, state === null && opened.snapshot.error === null);
  const instead = noText(viewer, () => setAsText(true), slow);

  useLineReport(viewer, onLine);
  useLeaveReport(viewer, (view) => {
    props.onLeave(nowId, stream, view);
    // The stream shown at first has no name in the address.
    if (shownStream !== stream) props.onLeave(nowId, shownStream, view);
  });
  const showStream = (next: StreamName) => {
    search.report();
    onStream(next, changeFrom(viewer, shownStream));
  };
  const readOn = useReadOn(opened.document?.ref, opened.document, setLong);
  const readOnInResults = useReadOn(search.search?.document, search.search, setLong);

  const { scroller } = viewer;
  useEffect(() => {
    // The text takes the focus unless something was focused by hand.
    if (document.activeElement === document.body) scroller.current?.focus({ preventScroll: true });
  }, [scroller]);

  const name = artifact ? nameOf(artifact) : artifactId;
  useEffect(() => {
    document.title = `${name} – Spillway`;
    return () => {
      document.title = 'Spillway';
    };
  }, [name]);

  return (
    <main className={styles.view}>
      <PaneHeader lined>
        {props.before}
        {artifact && (
          <span className={styles.kind} title={KIND[artifact.kind].word}>
            <Icon name={KIND[artifact.kind].icon} />
          </span>
        )}
        <h2 className={styles.name}>
          <MiddleText text={name} />
        </h2>
        {artifact && !isPlainFile(artifact) && <StatusWord artifact={artifact} />}
        <span className={styles.gap} />
        {artifact && <StreamTabs artifact={artifact} shown={shownStream} onShow={showStream} />}
        {props.after}
      </PaneHeader>
      <Toolbar context={context} failure={failure} />
      <DocumentBars viewer={viewer} library={library} blocked={instead !== null} onOpen={props.onOpen} />
      {search.open && <SearchBar search={search} />}
      <div className={styles.middle}>
        <div className={styles.column}>
          <div className={styles.text} onWheel={viewer.stopWaiting}>
            {instead && <div className={styles.instead}>{instead}</div>}
            <ActionMenu groups={['Select and copy', 'Search', 'View']}>
              <div className={instead ? styles.hidden : styles.rows}>
                <MarkedRows
                  viewer={viewer}
                  search={search}
                  label={`Lines of ${name}`}
                  rows={viewer.rows}
                  version={opened.snapshot}
                  scroll={viewer.scroll}
                  scroller={viewer.scroller}
                  ahead={viewer.rowsAhead}
                  selection={viewer.selection}
                  onSelect={viewer.select}
                  onReadOn={readOn}
                />
              </div>
            </ActionMenu>
          </div>
          <ResultsPane search={search} onReadOn={readOnInResults} />
        </div>
        {panel === 'summary' && (
          <SidePanel
            title="Summary"
            shortcut={artifactActions.summary.keys[0]!}
            onClose={() => onPanel(null)}
          >
            {state && (
              <SummaryPanel
                document={ref}
                generation={state.generation}
                totalBytes={state.total_bytes}
                onLine={viewer.goToLine}
              />
            )}
          </SidePanel>
        )}
        {panel === 'commands' && artifact && isTerminal && (
          <SidePanel
            title="Commands"
            shortcut={artifactActions.commands.keys[0]!}
            onClose={() => onPanel(null)}
          >
            <CommandsPanel
              artifactId={artifact.artifact_id}
              revision={state?.total_bytes ?? 0}
              onShow={terminal.show}
            />
          </SidePanel>
        )}
        {panel === 'details' && (
          <SidePanel
            title="Details"
            shortcut={artifactActions.details.keys[0]!}
            onClose={() => onPanel(null)}
          >
            {artifact && <Details artifact={artifact} />}
          </SidePanel>
        )}
      </div>
      <StatusLine
        viewer={viewer}
        blank={instead !== null}
        message={message}
        encoding={encoding}
        onEncoding={setEncoding}
      />
      <LongLineDialog long={long} generation={state?.generation ?? null} onClose={() => setLong(null)} />
      <CopyDialog copy={viewer.copy} />
    </main>
  );
}

/** Reports what is shown when another artifact or stream takes its place. */
function useLeaveReport(viewer: Viewer, onLeave: (view: ViewState) => void): void {
  const leave = useRef(() => {});
  leave.current = () => {
    if (viewer.opened.snapshot.state) onLeave(viewer.viewState());
  };
  // A layout effect: it ends before what takes its place begins.
  useLayoutEffect(() => () => leave.current(), []);
}

/** Where another stream opens: at bytes that arrived at the same time. */
function changeFrom(viewer: Viewer, from: StreamName | null): StreamChange {
  const { current, line, px, selection, following } = viewer.viewState();
  const isStart = selection === null && line === 1 && px === 0;
  const hasNoLine = following || current === null || from === null || isStart;
  return {
    from,
    moved: current === null || !viewer.isWhereLed(current),
    view: { ...START_OF_TEXT, following, ...(hasNoLine ? {} : { from: { stream: from, line: current } }) },
  };
}

function isStart({ line, range, selection, following, from }: ViewState): boolean {
  return line === null && range === null && selection === null && !following && !from;
}

/** Reports the top line of the view once it stands still. */
function useLineReport(viewer: Viewer, onLine: (line: number) => void): void {
  const { rows, scroll, pending } = viewer;
  useEffect(() => {
    // Until the line it was opened at is reached, that stays what a reload returns to.
    if (pending) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const report = () => {
      clearTimeout(timer);
      timer = setTimeout(() => {
        const line = rows.count > 0 ? rows.lineOf(scroll.view.get().position.row) : null;
        if (line !== null) onLine(line);
      }, 200);
    };
    report();
    const unsubscribe = scroll.view.subscribe(report);
    return () => {
      clearTimeout(timer);
      unsubscribe();
    };
  }, [rows, scroll.view, onLine, pending]);
}
