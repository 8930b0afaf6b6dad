/** The window: the list at the left, the tabs with their texts, and the state that both share. */
import { type ReactNode, useCallback, useEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { mergedId, type StreamName } from '../../shared/artifact.ts';
import { toSpillwayError } from '../../shared/errors.ts';
import { escapeLine } from '../../shared/text/escape.ts';
import { plural } from '../../shared/text/format.ts';
import { ActionButton, KeySheet } from '../actions/ActionMenu.tsx';
import { Palette } from '../actions/Palette.tsx';
import { type PaletteItem, usePaletteDestinations } from '../actions/palette-items.ts';
import { useActionKeys, useActions, useNativeMenu } from '../actions/registry.ts';
import { useUndoKey } from '../actions/undo.ts';
import { ActivityDialog } from '../agents/ActivityDialog.tsx';
import { AgentCaptures, useAgentCaptures } from '../agents/AgentCaptures.tsx';
import { AgentsDialog } from '../agents/AgentsDialog.tsx';
import { type Happened, notifyElsewhere, useWatches } from '../artifact/watches.ts';
import { OfflineBar, useConnection } from '../connection/HostProvider.tsx';
import { CompareDialog, inOrderToCompare, useCompareDialog } from '../differences/CompareDialog.tsx';
import { comparedWith, OWN_BASELINES } from '../differences/use-differences.ts';
import { outputItem } from '../library/artifact-facts.ts';
import { DeletionBar, useDeletion } from '../library/deletion.tsx';
import { useDroppedFiles } from '../library/dropped-files.ts';
import { type LibraryStore, rememberMerged, useLibrary, useLibraryState } from '../library/library-store.ts';
import { firstToShow } from '../library/list/list-groups.ts';
import { type ListContext, listActions } from '../library/list-actions.ts';
import { OpenDialog, SourcesDialog } from '../library/OpenPath.tsx';
import { useMarkDestinations } from '../panels/marks/marks-export.ts';
import { Button, Command } from '../ui/controls/Button.tsx';
import { Bar, EmptyState } from '../ui/layout/Message.tsx';
import { PaneHeader } from '../ui/layout/Pane.tsx';
import { desktop, focusText } from '../ui/state/page.ts';
import { useSteady } from '../ui/state/use-steady.ts';
import { sentence } from '../ui/text/format.ts';
import { useThemeChoice } from '../ui/theme/theme.ts';
import styles from './App.module.css';
import { ListColumn, useLayout, useListColumn } from './ListColumn.tsx';
import { Panes, usePanes } from './Panes.tsx';
import { PreferencesDialog, usePreferenceDestinations } from './PreferencesDialog.tsx';
import { TabBar } from './TabBar.tsx';
import { focusedTab, type Shown } from './tabs/tab-state.ts';
import { type TabsContext, useTabs } from './tabs/use-tabs.ts';
import { ListButton, WindowButtons, windowActions } from './WindowButtons.tsx';

export function App() {
  const { library, tryAgain } = useLibrary();
  const tabs = useTabs();
  const { open, show, add } = tabs;
  const { shown } = focusedTab(tabs.tabs);
  const column = useListColumn(useLayout(tabs.tabs.panes.length > 1));
  const dialogs = useDialogs();
  const notices = useNotices(tabs.reveal);

  useUndoKey();
  const deletion = useDeletion(library);
  const connection = useConnection();
  const windowContext = {
    showKeys: dialogs.keys.show,
    showPalette: dialogs.palette.show,
    showAgents: dialogs.agents.show,
    showActivity: dialogs.activity.show,
    showPreferences: () => dialogs.preferences.show(),
  };
  useActionKeys();
  useNativeMenu(desktop);
  const theme = useThemeChoice();
  useEffect(() => desktop?.showTheme(theme), [theme]);
  useActions(windowActions, windowContext);
  const panes = usePanes(tabs);
  useSomethingShown(library, shown, open);

  /** Opens what `change` opens. Draws at once: the next key may come before the next frame, and is for the text. */
  const goTo = (change: () => void) => {
    flushSync(() => {
      change();
      column.uncover();
    });
    focusText();
  };
  const list: ListContext = {
    ...column,
    ...{ library, tryAgain },
    shown: shown.now,
    showSources: dialogs.sources.show,
    showOpen: dialogs.open.show,
    showCaptures: dialogs.captures.show,
    open: (id, how) =>
      goTo(() => (how === 'tab' ? add({ artifactId: id, stream: null, line: null }, 'show') : open(id))),
    openSearch: (artifactId, term) =>
      goTo(() => show({ artifactId, stream: null, line: null, search: { ...term, within: [] } })),
    beside: (id) =>
      goTo(() => tabs.beside(focusedTab(tabs.now()).id, { artifactId: id, stream: null, line: null })),
    pin: (ids, pinned) => {
      for (const artifact_id of ids)
        connection?.request(pinned ? 'pin' : 'unpin', { artifact_id }).catch((error: unknown) => {
          notices.add(toSpillwayError(error).message, true);
        });
    },
    showInFolder: (artifact_id) => {
      connection?.request('showInFolder', { artifact_id }).catch((error: unknown) => {
        notices.add(toSpillwayError(error).message, true);
      });
    },
    remove: deletion.remove,
    compareWith: dialogs.compare.show,
    compare: (ids) => goTo(() => compare(library, tabs, ids)),
    merge: (ids) => goTo(() => show({ artifactId: mergedId(ids), stream: null, line: null, merged: ids })),
  };
  useActions(listActions, list);
  const { onHappened } = useSteady({
    onHappened({ watch, event, text }: Happened) {
      const show = () => list.open(watch.document.artifact_id, 'enter');
      notices.add(text, false, { of: `${event} ${JSON.stringify(watch)}`, show });
      notifyElsewhere(text, show);
    },
  });
  useWatches(connection, library, onHappened);
  const isDropping = useDroppedFiles({
    ...{ connection, desktop },
    open: (id) => list.open(id, 'enter'),
    say: (text) => notices.add(text, true),
  });
  // The palette has returned the focus.
  useDestinations(library, (id) => list.open(id, 'enter'));
  useMarkDestinations((to) => {
    flushSync(() => show(to));
    focusText();
  });

  const before = column.isOpen && !column.over ? null : <ListButton button={column.button} list={list} />;
  const after = <WindowButtons context={windowContext} />;
  const connect = (
    <ActionButton action={windowActions.agents} context={windowContext} label="Connect agents" />
  );
  const nothing = <NothingShown list={list} before={before} after={after} connect={connect} />;

  return (
    <div className={styles.window} data-dropping={isDropping || undefined}>
      <OfflineBar />
      <div className={styles.panes}>
        <ListColumn column={column} list={list} />
        <div className={styles.text} inert={column.isOver}>
          <main className={styles.main}>
            <h1 className="visually-hidden">Spillway</h1>
            <TabBar library={library} tabs={tabs} panes={panes} />
            <Panes
              tabs={tabs}
              library={library}
              paired={panes.paired}
              before={before}
              after={after}
              nothing={nothing}
            />
          </main>
        </div>
      </div>
      {/* They come unasked: above the text they would move the line that a person reads. */}
      <Notices {...notices} />
      <DeletionBar {...deletion} />
      <WindowDialogs dialogs={dialogs} />
      <OpenDialog
        open={dialogs.open.isOpen}
        onClose={dialogs.open.hide}
        onOpened={(id) => list.open(id, 'enter')}
      />
      <ActivityDialog
        open={dialogs.activity.isOpen}
        onClose={dialogs.activity.hide}
        onShow={(read) => {
          dialogs.activity.hide();
          goTo(() => tabs.show(read));
        }}
      />
      <CompareDialog
        library={library}
        of={dialogs.compare.of}
        onClose={dialogs.compare.hide}
        onChoose={(id, other) => list.compare([id, other])}
        onOwn={(id) => {
          comparedWith(id).set([OWN_BASELINES]);
          goTo(() => tabs.open(id));
        }}
      />
    </div>
  );
}

/** Opens an artifact in a window that shows none, as soon as there is one, and remembers merged ones. */
function useSomethingShown(
  library: LibraryStore,
  { artifactId, merged }: Shown,
  open: (artifactId: string, how: 'replace') => void,
): void {
  useEffect(() => {
    if (artifactId !== null) return;
    const look = () => {
      const first = firstToShow(library.sorted);
      if (first) open(first, 'replace');
    };
    look();
    return library.subscribe(look);
  }, [artifactId, library, open]);
  useEffect(() => {
    if (merged) rememberMerged(merged);
  }, [merged]);
}

function WindowDialogs({ dialogs }: { dialogs: Dialogs }) {
  const { palette, keys, sources, agents, captures, preferences } = dialogs;
  usePreferenceDestinations(preferences.show);
  return (
    <>
      <SourcesDialog open={sources.isOpen} onClose={sources.hide} />
      <AgentsDialog open={agents.isOpen} onClose={agents.hide} />
      <Palette open={palette.isOpen} onClose={palette.hide} />
      <KeySheet open={keys.isOpen} onClose={keys.hide} />
      <AgentCaptures captures={captures} />
      <PreferencesDialog
        open={preferences.isOpen}
        at={preferences.at}
        onClose={preferences.hide}
        showCaptures={() => {
          preferences.hide();
          captures.show();
        }}
      />
    </>
  );
}

/** Which dialogs of the window are open. */
type Dialogs = ReturnType<typeof useDialogs>;

function useDialogs() {
  return {
    palette: useDialog(),
    keys: useDialog(),
    sources: useDialog(),
    open: useDialog(),
    agents: useDialog(),
    activity: useDialog(),
    preferences: useDialog(),
    captures: useAgentCaptures(),
    compare: useCompareDialog(),
  };
}

/** Shows two outputs side by side, and what the later or the failed one has that the other has not. */
function compare(library: LibraryStore, tabs: TabsContext, ids: readonly string[]): void {
  const [one, other] = ids.map((id) => library.get(id));
  if (!one || !other) return;
  const [subject, baseline] = inOrderToCompare(one, other);
  comparedWith(subject.artifact_id).set([baseline.artifact_id]);
  tabs.open(subject.artifact_id);
  const { id } = focusedTab(tabs.now());
  tabs.beside(id, { artifactId: baseline.artifact_id, stream: null, line: null });
}

function useDialog() {
  /** The part of it to begin at; null for none, undefined while it is closed. */
  const [at, setAt] = useState<string | null>();
  return {
    isOpen: at !== undefined,
    at: at ?? null,
    show: (part?: string) => setAt(part ?? null),
    hide: () => setAt(undefined),
  };
}

interface NothingShownProps {
  list: ListContext;
  before: ReactNode;
  after: ReactNode;
  /** The button that connects agents. */
  connect: ReactNode;
}

/** Shown instead of the text while no artifact is chosen: what the window is for, and how to begin. */
export function NothingShown({ list, before, after, connect }: NothingShownProps) {
  const { known, total } = useLibraryState(list.library);
  return (
    <div className={styles.view}>
      <PaneHeader lined>
        {before}
        <span className={styles.gap} />
        {after}
      </PaneHeader>
      <div className={styles.body}>
        {known && total > 0 && <EmptyState icon="file" title="Choose an output from the list" />}
        {known && total === 0 && <Welcome list={list} connect={connect} />}
      </div>
    </div>
  );
}

function Welcome({ list, connect }: Pick<NothingShownProps, 'list' | 'connect'>) {
  return (
    <section className={styles.welcome} aria-labelledby="welcome">
      <h2 id="welcome">Read all of what commands print</h2>
      <p>
        Terminals and agents cut long output, and what they cut is what mattered. Spillway keeps the whole of
        it in files, opens gigabytes at once, searches while you type, and shows why a command failed.
      </p>
      <ol className={styles.ways}>
        <li>
          <h3>Open a file or folder</h3>
          <p>Drop it on the window, or name its path. Files are followed as they grow.</p>
          <ActionButton tone="primary" action={listActions.open} context={list} label="Open a path" />
        </li>
        <li>
          <h3>Run a command</h3>
          <p>It runs as always, and its output appears here as it comes.</p>
          <Command text="spillway run -- npm test" />
        </li>
        <li>
          <h3>Connect an agent</h3>
          <p>It reads the part that matters of what its commands print, and you see the same.</p>
          {connect}
        </li>
      </ol>
    </section>
  );
}

/** Without a word typed, only the newest outputs are offered. */
const NEWEST_OUTPUTS = 5;
/** Most outputs to search for each key. */
const MAX_OUTPUTS = 20_000;

/** Outputs and sessions as destinations of the palette. */
export function useDestinations(library: LibraryStore, open: (artifactId: string) => void): void {
  usePaletteDestinations((query) => {
    const typed = query.trim() !== '';
    const entries = library.sorted.slice(0, typed ? MAX_OUTPUTS : NEWEST_OUTPUTS);
    const now = Date.now();
    const outputs = entries.map(({ id, artifact }) => outputItem(artifact, now, () => open(id)));
    return typed ? [...outputs, ...sessionsOf(library, open)] : outputs;
  });
}

/** A session leads to its newest output. */
function sessionsOf(library: LibraryStore, open: (artifactId: string) => void): PaletteItem[] {
  const sessions = new Map<string, { newest: string; count: number }>();
  for (const { id, artifact } of library.sorted.slice(0, MAX_OUTPUTS)) {
    if (artifact.session === null) continue;
    const known = sessions.get(artifact.session);
    if (known) known.count += 1;
    else sessions.set(artifact.session, { newest: id, count: 1 });
  }
  return [...sessions].map(([name, { newest, count }]) => ({
    id: `session ${name}`,
    text: escapeLine(name),
    kind: 'session',
    detail: plural(count, 'output'),
    icon: 'group',
    run: () => open(newest),
  }));
}

/** Messages from the host to every window, and its requests to show an artifact. */
interface NoticesProps {
  messages: readonly HostNotice[];
  dismiss: (id: number) => void;
}

function Notices({ messages, dismiss }: NoticesProps) {
  return messages.map((message) => (
    <Bar
      key={message.id}
      tone={message.isWarning ? 'warned' : 'informed'}
      word={message.isWarning ? 'Warning' : 'Note'}
      actions={message.show && <Button onClick={message.show}>Show</Button>}
      onDismiss={() => dismiss(message.id)}
    >
      {message.text}
    </Bar>
  ));
}

/** Messages from the host to every window, and requests to show an artifact. */
interface HostNotice {
  id: number;
  text: string;
  /** Whether it reports a problem with the settings, the home or a source. */
  isWarning: boolean;
  /** A later message of the same takes its place. */
  of?: string;
  /** Opens the output that the notice is about. */
  show?: () => void;
}

/** More would push the text away. */
const MAX_MESSAGES = 3;

function useNotices(
  open: (artifactId: string, stream: StreamName | null, line: number | null, lastLine?: number) => void,
) {
  const connection = useConnection();
  const [messages, setMessages] = useState<readonly HostNotice[]>([]);
  const lastId = useRef(0);

  const add = useCallback(
    (message: string, isWarning: boolean, about: Pick<HostNotice, 'of' | 'show'> = {}) => {
      const text = sentence(message);
      lastId.current += 1;
      const id = lastId.current;
      const isOther = (last: HostNotice) => last.text !== text && (!about.of || last.of !== about.of);
      setMessages((last) =>
        [...last.filter(isOther), { id, text, isWarning, ...about }].slice(-MAX_MESSAGES),
      );
    },
    [],
  );

  useEffect(() => {
    if (!connection) return;
    const request = new AbortController();
    // Warnings about the settings, the home or sources appear once, when the window opens.
    connection.request('hello', {}, { signal: request.signal }).then(
      ({ warnings }) => {
        for (const text of warnings) add(text, true);
      },
      () => {},
    );
    const unsubscribe = connection.subscribe('notices', {}, (notice) => {
      if (notice.type === 'show')
        open(notice.artifact_id, notice.stream ?? null, notice.line ?? null, notice.last_line);
      else if (notice.type === 'message') add(notice.text, false);
      else if (notice.type === 'over')
        setMessages((last) => last.filter(({ text }) => text !== sentence(notice.text)));
    });
    return () => {
      request.abort();
      unsubscribe();
    };
  }, [connection, add, open]);

  const dismiss = useCallback((id: number) => {
    setMessages((last) => last.filter((message) => message.id !== id));
  }, []);
  return { messages, add, dismiss };
}
