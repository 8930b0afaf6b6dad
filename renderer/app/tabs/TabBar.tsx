/** The row of open tabs, and what concerns both panes. There is none while one text is shown. */
import { useEffect, useRef } from 'react';
import { ActionButton } from '../../commands/ActionButton.tsx';
import { nameOf } from '../../library/artifact-look.ts';
import type { LibraryStore } from '../../library/library-store.ts';
import { useArtifact } from '../../library/use-library.ts';
import { Button } from '../../ui/controls/Button.tsx';
import { MiddleText } from '../../ui/words/MiddleText.tsx';
import { type PanesContext, paneActions, tabActions } from './actions.ts';
import styles from './TabBar.module.css';
import { focusedTab, type Tab } from './tab-state.ts';
import type { TabsContext } from './use-tabs.ts';

interface TabBarProps {
  library: LibraryStore;
  tabs: TabsContext;
  panes: PanesContext;
}

const MIDDLE_BUTTON = 1;

export function TabBar({ library, tabs: context, panes }: TabBarProps) {
  const { tabs } = context;
  const list = useRef<HTMLUListElement>(null);
  const { id } = focusedTab(tabs);
  useEffect(() => {
    list.current
      ?.querySelector(`[data-tab="${id}"]`)
      ?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, [id]);
  if (tabs.tabs.length < 2) return null;
  return (
    <nav className={styles.bar} aria-label="Tabs">
      <ul ref={list} className={styles.tabs}>
        {tabs.tabs.map((tab) => (
          <OneTab
            key={tab.id}
            tab={tab}
            library={library}
            place={tab.id === id ? 'focused' : tabs.panes.includes(tab.id) ? 'shown' : 'hidden'}
            onShow={() => context.select(tab.id)}
            onClose={() => context.close(tab.id)}
          />
        ))}
      </ul>
      {panes.isSplit && (
        <span className={styles.together}>
          <span className={panes.problem ? styles.problem : styles.word} role="status">
            {panes.problem ?? 'Scroll together'}
          </span>
          <ActionButton tone="quiet" action={paneActions.byLine} context={panes} />
          <ActionButton tone="quiet" action={paneActions.byTime} context={panes} />
          <Button
            tone="quiet"
            icon="close"
            iconOnly
            label="Close the other pane"
            shortcut={paneActions.split.keys[0]!}
            onClick={panes.toggleSplit}
          />
        </span>
      )}
    </nav>
  );
}

interface OneTabProps {
  tab: Tab;
  library: LibraryStore;
  place: 'focused' | 'shown' | 'hidden';
  onShow: () => void;
  onClose: () => void;
}

function OneTab({ tab, library, place, onShow, onClose }: OneTabProps) {
  const id = tab.shown.now ?? '';
  const artifact = useArtifact(library, id);
  const name = artifact ? nameOf(artifact) : id || 'Nothing';
  return (
    <li
      className={styles.tab}
      data-tab={tab.id}
      data-place={place}
      onAuxClick={(event) => event.button === MIDDLE_BUTTON && onClose()}
    >
      <button
        type="button"
        className={styles.name}
        aria-current={place === 'focused' ? 'true' : undefined}
        title={name}
        // The keys stay with the text.
        onMouseDown={(event) => event.preventDefault()}
        onClick={onShow}
      >
        <MiddleText text={name} />
      </button>
      <Button
        tone="quiet"
        icon="close"
        iconOnly
        className={styles.close}
        label={`Close ${name}`}
        {...(place === 'focused' ? { shortcut: tabActions.close.keys[0]! } : {})}
        onMouseDown={(event) => event.preventDefault()}
        onClick={onClose}
      />
    </li>
  );
}
