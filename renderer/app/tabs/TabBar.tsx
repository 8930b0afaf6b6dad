/** The row of open tabs, with the controls of both panes. Hidden while there is one tab. */
import { type ReactNode, useEffect, useRef } from 'react';
import { flushSync } from 'react-dom';
import { ActionButton } from '../../commands/ActionButton.tsx';
import type { LibraryStore } from '../../library/library-store.ts';
import { Button } from '../../ui/controls/Button.tsx';
import { MiddleText } from '../../ui/words/MiddleText.tsx';
import { focusText } from '../focus-text.ts';
import { type PanesContext, paneActions, tabActions } from './actions.ts';
import styles from './TabBar.module.css';
import { detailOf, lineWords, type NamedTab, TabDetail, TabLine, useNamedTabs } from './TabDetail.tsx';
import { focusedTab, type Tab } from './tab-state.ts';
import type { TabsContext } from './use-tabs.ts';

interface TabBarProps {
  library: LibraryStore;
  tabs: TabsContext;
  panes: PanesContext;
}

const MIDDLE_BUTTON = 1;
/** Names often differ only by a number and their ending: `-07.log`. */
const NAME_END_CHARS = 8;

export function TabBar({ library, tabs: context, panes }: TabBarProps) {
  const { tabs } = context;
  const list = useRef<HTMLUListElement>(null);
  const { id } = focusedTab(tabs);
  useEffect(() => {
    list.current
      ?.querySelector(`[data-tab="${id}"]`)
      ?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, [id]);
  const named = useNamedTabs(library, tabs.tabs);
  if (tabs.tabs.length < 2) return null;
  const detail = (tab: NamedTab): ReactNode => {
    const words = detailOf(tab, named);
    if (words !== 'line') return words && <TabDetail words={words} />;
    const [viewer, line] = [context.live.get(tab.id), context.lineOf(tab.id)];
    return viewer ? <TabLine viewer={viewer} first={line} /> : <TabDetail words={lineWords(line)} />;
  };
  const close = (id: number) => {
    flushSync(() => context.close(id));
    // Its button disappeared, perhaps with the focus.
    if (document.activeElement === document.body) focusText();
  };
  return (
    <nav className={styles.bar} aria-label="Tabs">
      <ul ref={list} className={styles.tabs}>
        {tabs.tabs.map((tab, index) => (
          <OneTab
            key={tab.id}
            tab={tab}
            name={named[index]!.name}
            detail={detail(named[index]!)}
            place={tab.id === id ? 'focused' : tabs.panes.includes(tab.id) ? 'shown' : 'hidden'}
            onShow={() => context.select(tab.id)}
            onClose={() => close(tab.id)}
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
  name: string;
  /** Distinguishes it from other tabs of this name. */
  detail: ReactNode;
  place: 'focused' | 'shown' | 'hidden';
  onShow: () => void;
  onClose: () => void;
}

function OneTab({ tab, name, detail, place, onShow, onClose }: OneTabProps) {
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
        // Keep the keyboard focus in the text.
        onMouseDown={(event) => event.preventDefault()}
        onClick={onShow}
      >
        <MiddleText text={name} tail={NAME_END_CHARS} uncut={2 * NAME_END_CHARS} named />
        {detail}
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
