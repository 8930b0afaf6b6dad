/** The window: the list at the left, the tabs with their texts, and the state that both share. */
import { useCallback, useEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { mergedId } from '../../shared/merged.ts';
import type { SearchQuery } from '../../shared/search-query.ts';
import { ActionButton } from '../commands/ActionButton.tsx';
import { KeySheet } from '../commands/KeySheet.tsx';
import { isInField } from '../commands/keys.ts';
import { Palette } from '../commands/palette/Palette.tsx';
import { useActionKeys, useActions } from '../commands/registry.ts';
import { useKeysOverText } from '../commands/use-keys-over-text.ts';
import { AgentsDialog } from '../connect/AgentsDialog.tsx';
import { connectActions } from '../connect/actions.ts';
import { OfflineBar } from '../connection/OfflineBar.tsx';
import { listActions } from '../library/actions.ts';
import { LibraryPane } from '../library/LibraryPane.tsx';
import { firstToShow } from '../library/list/list-groups.ts';
import { rememberMerged } from '../library/merged/merged-texts.ts';
import { SourcesDialog } from '../library/sources/SourcesDialog.tsx';
import { useLibrary } from '../library/use-library.ts';
import { useMarkDestinations } from '../marks/use-mark-destinations.ts';
import { settingsOf } from '../search/bar/search-settings.ts';
import { AgentCaptures } from '../settings/AgentCaptures.tsx';
import { useAgentCaptures } from '../settings/use-agent-captures.ts';
import { themeActions } from '../theme/actions.ts';
import { ThemeMenu } from '../theme/ThemeMenu.tsx';
import { Bar } from '../ui/layout/Bar.tsx';
import { Splitter } from '../ui/layout/Splitter.tsx';
import styles from './App.module.css';
import { windowActions } from './actions.ts';
import { NothingShown } from './NothingShown.tsx';
import { Panes } from './panes/Panes.tsx';
import { usePanes } from './panes/use-panes.ts';
import { TabBar } from './tabs/TabBar.tsx';
import { focusedTab } from './tabs/tab-state.ts';
import { useTabs } from './tabs/use-tabs.ts';
import { useDestinations } from './use-destinations.ts';
import { LIBRARY_MAX_PX, LIBRARY_MIN_PX, useLayout } from './use-layout.ts';
import { useNotices } from './use-notices.ts';

export function App() {
  const { library, tryAgain } = useLibrary();
  const tabs = useTabs();
  const { open, show, add } = tabs;
  const { shown } = focusedTab(tabs.tabs);
  const { layout, over, change } = useLayout();
  const [palette, setPalette] = useState(false);
  const [sources, setSources] = useState(false);
  const [keySheet, setKeySheet] = useState(false);
  const [agents, setAgents] = useState(false);
  const captures = useAgentCaptures();
  const { messages, dismiss } = useNotices(open);
  const filter = useRef<HTMLInputElement>(null);
  const path = useRef<HTMLInputElement>(null);
  const across = useRef<HTMLInputElement>(null);
  const [isAcross, setAcross] = useState(false);

  const list = useRef<HTMLDivElement>(null);
  const listButton = useRef<HTMLButtonElement>(null);
  const listIsOver = over && layout.libraryOpen;

  const toggleLibrary = () => {
    // Draw at once: a covered element can't take the focus.
    flushSync(() => change({ libraryOpen: !layout.libraryOpen }));
    if (!over) return;
    if (!listIsOver) (list.current?.querySelector<HTMLElement>('[role="tree"]') ?? filter.current)?.focus();
    else if (!focusText()) listButton.current?.focus();
  };
  useKeysOverText(listIsOver, toggleLibrary);
  /** Returns false where the list covers the text: there Escape closes the list. */
  const leaveList = (): boolean => {
    if (listIsOver) return false;
    const rows = list.current?.querySelector<HTMLElement>('[role="tree"]');
    if (!focusText()) rows?.focus();
    // Without a text and a list, the window takes the keys.
    if (isInField(document.activeElement)) (document.activeElement as HTMLElement).blur();
    return true;
  };
  // A window that became narrow closes the list, which may have the focus.
  useEffect(() => {
    if (over && document.activeElement === document.body) focusText();
  }, [over]);
  const focusIn = (field: typeof filter) => {
    flushSync(() => change({ libraryOpen: true }));
    field.current?.focus();
  };
  const listContext = {
    isOpen: layout.libraryOpen,
    toggle: toggleLibrary,
    focusFilter: () => focusIn(filter),
    focusPath: () => focusIn(path),
    searchAcross: () => {
      flushSync(() => setAcross(true));
      focusIn(across);
      across.current?.select();
    },
    showSources: () => setSources(true),
    showCaptures: captures.show,
  };
  const windowContext = {
    showKeys: () => setKeySheet(true),
    showPalette: () => setPalette(true),
    showAgents: () => setAgents(true),
  };
  useActionKeys();
  useActions(listActions, listContext);
  useActions(themeActions, windowContext);
  useActions(windowActions, windowContext);
  useActions(connectActions, windowContext);
  const panes = usePanes(tabs);

  const { artifactId } = shown;
  useEffect(() => {
    if (artifactId !== null) return;
    const look = () => {
      const first = firstToShow(library.sorted);
      if (first) open(first, 'replace');
    };
    look();
    return library.subscribe(look);
  }, [artifactId, library, open]);

  const { merged } = shown;
  useEffect(() => {
    if (merged) rememberMerged(merged);
  }, [merged]);

  const openFromList = useCallback(
    (id: string, how: 'click' | 'enter' | 'tab') => {
      // Draw at once: the next key may come before the next frame, and is for the text.
      flushSync(() => {
        if (how === 'tab') add({ artifactId: id, stream: null, line: null }, 'show');
        else open(id);
        if (over) change({ libraryOpen: false });
      });
      focusText();
    },
    [open, add, over, change],
  );

  // The palette has returned the focus.
  useDestinations(library, (id) => openFromList(id, 'enter'));
  useMarkDestinations((to) => {
    flushSync(() => show(to));
    focusText();
  });

  const openSearch = (artifactId: string, query: SearchQuery) => {
    flushSync(() => {
      show({ artifactId, stream: null, line: null, search: settingsOf(query) });
      if (over) change({ libraryOpen: false });
    });
    focusText();
  };

  const merge = (ids: readonly string[]) => {
    flushSync(() => {
      show({ artifactId: mergedId(ids), stream: null, line: null, merged: ids });
      if (over) change({ libraryOpen: false });
    });
    focusText();
  };

  const before =
    layout.libraryOpen && !over ? null : (
      <ActionButton
        ref={listButton}
        tone="quiet"
        iconOnly
        action={listActions.show}
        context={listContext}
        label="Show the list"
      />
    );
  const after = (
    <>
      {/* In a narrow window the name needs the room; keys and the welcome screen lead there, too. */}
      {!over && (
        <>
          <ActionButton tone="quiet" iconOnly action={windowActions.palette} context={windowContext} />
          <ActionButton tone="quiet" iconOnly action={connectActions.agents} context={windowContext} />
        </>
      )}
      <ThemeMenu />
      <ActionButton tone="quiet" iconOnly action={windowActions.keys} context={windowContext} />
    </>
  );

  return (
    <div className={styles.window}>
      <OfflineBar />
      {messages.map((message) => (
        <Bar
          key={message.id}
          tone={message.isWarning ? 'warned' : 'informed'}
          word={message.isWarning ? 'Warning' : 'Note'}
          onDismiss={() => dismiss(message.id)}
        >
          {message.text}
        </Bar>
      ))}
      <div className={styles.panes}>
        {layout.libraryOpen && (
          <>
            <div
              ref={list}
              className={over ? styles.over : styles.library}
              style={{ width: layout.libraryWidth }}
              tabIndex={over ? -1 : undefined}
            >
              <LibraryPane
                library={library}
                onTryAgain={tryAgain}
                shown={shown.now}
                filter={filter}
                path={path}
                onOpen={openFromList}
                isAcross={isAcross}
                across={across}
                onAcross={setAcross}
                onOpenSearch={openSearch}
                onMerge={merge}
                onLeave={leaveList}
                list={listContext}
              />
            </div>
            {over ? (
              // biome-ignore lint/a11y/noStaticElementInteractions: Escape and a button of the list do the same
              <div className={styles.scrim} role="presentation" onClick={toggleLibrary} />
            ) : (
              <Splitter
                label="Width of the list"
                pane="left"
                size={layout.libraryWidth}
                min={LIBRARY_MIN_PX}
                max={LIBRARY_MAX_PX}
                onResize={(libraryWidth) => change({ libraryWidth })}
                onCollapse={toggleLibrary}
              />
            )}
          </>
        )}
        <div className={styles.text} inert={listIsOver}>
          <main className={styles.main}>
            <TabBar library={library} tabs={tabs} panes={panes} />
            <Panes
              tabs={tabs}
              library={library}
              before={before}
              after={after}
              nothing={
                <NothingShown
                  library={library}
                  list={listContext}
                  before={before}
                  after={after}
                  connect={
                    <ActionButton
                      action={connectActions.agents}
                      context={windowContext}
                      label="Connect agents"
                    />
                  }
                />
              }
            />
          </main>
        </div>
      </div>
      <SourcesDialog open={sources} onClose={() => setSources(false)} />
      <AgentsDialog open={agents} onClose={() => setAgents(false)} />
      <Palette open={palette} onClose={() => setPalette(false)} />
      <KeySheet open={keySheet} onClose={() => setKeySheet(false)} />
      <AgentCaptures captures={captures} />
    </div>
  );
}

/** Focuses the text; returns false if none is shown. */
function focusText(): boolean {
  const text = document.querySelector<HTMLElement>('[data-pane="focused"] [data-viewer]');
  text?.focus();
  return text !== null && text === document.activeElement;
}
