/** The row of open tabs, with the controls of both panes. Hidden while there is one tab. */

import {
  type ReactNode,
  useCallback,
  useEffect,
  useMemo,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react';
import { flushSync } from 'react-dom';
import type { Artifact } from '../../shared/artifact.ts';
import { formatCount } from '../../shared/text/format.ts';
import { ActionButton } from '../actions/ActionMenu.tsx';
import { declareActions } from '../actions/action.ts';
import type { LiveViewer } from '../artifact/use-shown-artifact.ts';
import type { PairedLines } from '../differences/alignment.ts';
import { folderOf, nameOf } from '../library/artifact-facts.ts';
import type { LibraryStore } from '../library/library-store.ts';
import { IconButton } from '../ui/controls/Button.tsx';
import { focusText } from '../ui/state/page.ts';
import { whenStill } from '../ui/state/time.ts';
import { MiddleText } from '../ui/text/MiddleText.tsx';
import styles from './TabBar.module.css';
import { focusedTab, type Tab } from './tabs/tab-state.ts';
import type { TabsContext, Together } from './tabs/use-tabs.ts';

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
          <ActionButton tone="quiet" action={paneActions.byMessage} context={panes} />
          <IconButton
            icon="close"
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
      <IconButton
        icon="close"
        className={styles.close}
        label={`Close ${name}`}
        {...(place === 'focused' ? { shortcut: tabActions.close.keys[0]! } : {})}
        onMouseDown={(event) => event.preventDefault()}
        onClick={onClose}
      />
    </li>
  );
}

/** The facts by which tabs of the same name may differ. */
export interface NamedTab {
  id: number;
  name: string;
  folder: string | null;
  stream: string | null;
  range: string | null;
}

/** Renders again only when a name changes: most library events are growth. */
function useNamedTabs(library: LibraryStore, tabs: readonly Tab[]): readonly NamedTab[] {
  /** A file that was deleted keeps its name. */
  const known = useRef(new Map<string, Artifact>());
  const get = useCallback(
    () =>
      JSON.stringify(
        tabs.map(({ id, shown: { now, stream, view } }): NamedTab => {
          const listed = now === null ? null : library.get(now);
          if (now !== null && listed) known.current.set(now, listed);
          const artifact = listed ?? known.current.get(now ?? '') ?? null;
          return {
            id,
            name: artifact ? nameOf(artifact) : now || 'Nothing',
            folder: artifact ? folderOf(artifact) : null,
            stream,
            range: view.range && `lines ${formatCount(view.range.start)}–${formatCount(view.range.end)}`,
          };
        }),
      ),
    [library, tabs],
  );
  const named = useSyncExternalStore(library.subscribe, get);
  return useMemo(() => JSON.parse(named), [named]);
}

/** Returns the words that distinguish a tab; `line` if only its scroll position does, null if its name does. */
export function detailOf(tab: NamedTab, tabs: readonly NamedTab[]): string | 'line' | null {
  let alike = tabs.filter((other) => other.id !== tab.id && other.name === tab.name);
  if (alike.length === 0) return null;
  const words: string[] = [];
  for (const part of ['folder', 'stream', 'range'] as const) {
    const apart = alike.filter((other) => other[part] !== tab[part]);
    if (apart.length === 0) continue;
    if (tab[part] !== null) words.push(tab[part]);
    alike = alike.filter((other) => other[part] === tab[part]);
  }
  return alike.length > 0 ? 'line' : words.join(', ') || null;
}

function TabDetail({ words }: { words: string }) {
  return <span className={styles.detail}>{words}</span>;
}

interface TabLineProps {
  /** Read at each scroll: the tabs are not drawn again when the viewer gets its rows. */
  viewer: LiveViewer;
  /** The line to show until the text is there. */
  first: number | null;
}

/** Milliseconds without scrolling, and the most to wait for that: a render for each scrolled frame costs too much. */
const STILL_MS = 200;
const MOST_MS = 500;

/** The line at the top of a shown text. */
function TabLine({ viewer, first }: TabLineProps) {
  const [line, setLine] = useState(first);
  useEffect(() => {
    const { view } = viewer.current.scroll;
    const look = () => setLine((last) => viewer.current.viewState().line ?? last);
    const looks = whenStill(look, STILL_MS, MOST_MS);
    look();
    const unsubscribe = view.subscribe(looks.call);
    return () => {
      looks.stop();
      unsubscribe();
    };
  }, [viewer]);
  return <TabDetail words={lineWords(line)} />;
}

function lineWords(line: number | null): string {
  return `line ${formatCount(line ?? 1)}`;
}

/** The actions on tabs and panes. */
export interface TabContext {
  count: number;
  showNeighbour(by: number): void;
  /** Opens the shown text in another tab. */
  duplicate(): void;
  /** Moves the tab one place to the right (1) or to the left (-1). */
  move(by: 1 | -1): void;
  close(): void;
}

export const tabActions = declareActions<TabContext>('Tabs and panes')({
  duplicate: {
    name: 'New tab with the same text',
    words: 'duplicate copy',
    icon: 'file',
    keys: ['d'],
    run: ({ duplicate }) => duplicate(),
  },
  next: {
    name: 'Next tab',
    keys: [']'],
    when: ({ count }) => count > 1,
    run: ({ showNeighbour }) => showNeighbour(1),
  },
  previous: {
    name: 'Previous tab',
    keys: ['['],
    when: ({ count }) => count > 1,
    run: ({ showNeighbour }) => showNeighbour(-1),
  },
  moveRight: {
    name: 'Move the tab to the right',
    keys: ['}'],
    when: ({ count }) => count > 1,
    run: ({ move }) => move(1),
  },
  moveLeft: {
    name: 'Move the tab to the left',
    keys: ['{'],
    when: ({ count }) => count > 1,
    run: ({ move }) => move(-1),
  },
  close: {
    name: 'Close the tab',
    icon: 'close',
    keys: ['q', 'Ctrl+W'],
    when: ({ count }) => count > 1,
    run: ({ close }) => close(),
  },
});

export interface PanesContext {
  isSplit: boolean;
  together: Together;
  /** Why the other pane does not follow; null while it does. */
  problem: string | null;
  /** Each pane's lines that the other lacks; null while they are not aligned. */
  paired: readonly [PairedLines, PairedLines] | null;
  /** Shows the same text in a second pane; or closes the other pane. */
  toggleSplit(): void;
  focusOther(): void;
  scrollTogether(together: Together): void;
}

export const paneActions = declareActions<PanesContext>('Tabs and panes')({
  split: {
    name: 'Two panes side by side, or one again',
    words: 'split divide vertical pane window',
    icon: 'panel',
    keys: ['|', 'Ctrl+\\'],
    isOn: ({ isSplit }) => isSplit,
    run: ({ toggleSplit }) => toggleSplit(),
  },
  other: {
    name: 'Go to the other pane',
    keys: ['p'],
    when: ({ isSplit }) => isSplit,
    run: ({ focusOther }) => focusOther(),
  },
  byLine: {
    name: 'Scroll both panes together, line by line',
    label: 'Lines',
    keys: ['z'],
    when: ({ isSplit }) => isSplit,
    isOn: ({ together }) => together === 'line',
    run: ({ together, scrollTogether }) => scrollTogether(together === 'line' ? 'off' : 'line'),
  },
  byMessage: {
    name: 'Scroll both panes together, message by message: lines that say the same stand side by side',
    label: 'Messages',
    words: 'compare align differences diff',
    keys: ['Alt+Z'],
    when: ({ isSplit }) => isSplit,
    isOn: ({ together }) => together === 'message',
    run: ({ together, scrollTogether }) => scrollTogether(together === 'message' ? 'off' : 'message'),
  },
  byTime: {
    name: 'Scroll both panes together, by time',
    label: 'Time',
    keys: ['Z'],
    when: ({ isSplit }) => isSplit,
    isOn: ({ together }) => together === 'time',
    run: ({ together, scrollTogether }) => scrollTogether(together === 'time' ? 'off' : 'time'),
  },
});
