/** The window: the list at the left, the artifact that is shown, and what concerns both. */
import { useCallback, useEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { ArtifactView } from '../artifact/ArtifactView.tsx';
import type { Panel } from '../artifact/Toolbar.tsx';
import { HelpDialog } from '../commands/HelpDialog.tsx';
import { keyOf, useShortcuts } from '../commands/shortcuts.ts';
import { useKeysOverText } from '../commands/use-keys-over-text.ts';
import { OfflineBar } from '../connection/OfflineBar.tsx';
import { LibraryPane } from '../library/LibraryPane.tsx';
import { firstToShow } from '../library/list-groups.ts';
import { chooseGrouping, groupings, nextGrouping } from '../library/list-settings.ts';
import { useLibrary } from '../library/use-library.ts';
import { nextTheme, ThemeMenu } from '../theme/ThemeMenu.tsx';
import { chooseTheme, useThemeChoice } from '../theme/theme.ts';
import { Bar } from '../ui/Bar.tsx';
import { Button } from '../ui/Button.tsx';
import { Splitter } from '../ui/Splitter.tsx';
import styles from './App.module.css';
import { NothingShown } from './NothingShown.tsx';
import { LIBRARY_MAX, LIBRARY_MIN, useLayout } from './use-layout.ts';
import { useLocation } from './use-location.ts';
import { useNotices } from './use-notices.ts';

export function App() {
  const { library, tryAgain } = useLibrary();
  const { shown, open, showStream, reportArtifact, reportLine, reportSearch, reportSearchLine } =
    useLocation();
  const { layout, over, change } = useLayout();
  const [panel, setPanel] = useState<Panel | null>(null);
  const [help, setHelp] = useState(false);
  const theme = useThemeChoice();
  const { messages, dismiss } = useNotices(open);
  const filter = useRef<HTMLInputElement>(null);
  const path = useRef<HTMLInputElement>(null);

  const list = useRef<HTMLDivElement>(null);
  const listButton = useRef<HTMLButtonElement>(null);
  const listIsOver = over && layout.libraryOpen;

  const toggleLibrary = () => {
    // Drawn at once: what is covered can't take the focus.
    flushSync(() => change({ libraryOpen: !layout.libraryOpen }));
    if (!over) return;
    if (!listIsOver) (list.current?.querySelector<HTMLElement>('[role="tree"]') ?? filter.current)?.focus();
    else if (!focusText()) listButton.current?.focus();
  };
  useKeysOverText(listIsOver, toggleLibrary);
  // A window that became narrow closed the list, which may have had the focus.
  useEffect(() => {
    if (over && document.activeElement === document.body) focusText();
  }, [over]);
  const focusIn = (field: typeof filter) => {
    flushSync(() => change({ libraryOpen: true }));
    field.current?.focus();
  };
  useShortcuts({
    library: toggleLibrary,
    filter: () => focusIn(filter),
    open: () => focusIn(path),
    grouping: () => chooseGrouping(nextGrouping(groupings.get())),
    help: () => setHelp(true),
    theme: () => chooseTheme(nextTheme(theme)),
  });

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

  const openFromList = useCallback(
    (id: string) => {
      // Drawn at once: the next key may come before the next frame, and is for the text.
      flushSync(() => {
        open(id);
        if (over) change({ libraryOpen: false });
      });
      focusText();
    },
    [open, over, change],
  );

  const before =
    layout.libraryOpen && !over ? null : (
      <Button
        ref={listButton}
        tone="quiet"
        icon="list"
        iconOnly
        label="Show the list"
        shortcut="Ctrl+B"
        onClick={toggleLibrary}
      />
    );
  const after = (
    <>
      <ThemeMenu />
      <Button
        tone="quiet"
        icon="help"
        iconOnly
        label="Keys"
        shortcut={keyOf('help')}
        onClick={() => setHelp(true)}
      />
    </>
  );

  return (
    <div className={styles.window}>
      <OfflineBar />
      {messages.map((message) => (
        <Bar key={message.id} tone="informed" word="Note" onDismiss={() => dismiss(message.id)}>
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
                onCollapse={toggleLibrary}
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
                min={LIBRARY_MIN}
                max={LIBRARY_MAX}
                onResize={(libraryWidth) => change({ libraryWidth })}
                onCollapse={toggleLibrary}
              />
            )}
          </>
        )}
        <div className={styles.text} inert={listIsOver}>
          {artifactId === null ? (
            <NothingShown library={library} before={before} after={after} />
          ) : (
            <ArtifactView
              key={`${shown.visit} ${artifactId}`}
              artifactId={artifactId}
              library={library}
              onArtifact={reportArtifact}
              onOpen={open}
              stream={shown.stream}
              onStream={showStream}
              initialLine={shown.line}
              initialRange={shown.range}
              onLine={reportLine}
              initialSearch={shown.search ?? null}
              onSearch={reportSearch}
              initialSearchOpen={shown.searchOpen}
              onSearchLine={reportSearchLine}
              panel={panel}
              onPanel={setPanel}
              before={before}
              after={after}
            />
          )}
        </div>
      </div>
      <HelpDialog open={help} onClose={() => setHelp(false)} />
    </div>
  );
}

/** False when there is no text to focus. */
function focusText(): boolean {
  const text = document.querySelector<HTMLElement>('[data-viewer]');
  text?.focus();
  return text !== null && text === document.activeElement;
}
