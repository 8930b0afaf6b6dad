/** Shows how a tab differs from others of the same name: its folder, its stream, or the line at the top. */
import { useCallback, useEffect, useMemo, useState, useSyncExternalStore } from 'react';
import { formatCount } from '../../../shared/text/format.ts';
import { folderOf, nameOf } from '../../library/artifact-look.ts';
import type { LibraryStore } from '../../library/library-store.ts';
import { whenStill } from '../../ui/state/when-still.ts';
import styles from './TabBar.module.css';
import type { LiveViewer } from './tab-handlers.ts';
import type { Tab } from './tab-state.ts';

/** The facts by which tabs of the same name may differ. */
export interface NamedTab {
  id: number;
  name: string;
  folder: string | null;
  stream: string | null;
  range: string | null;
}

/** Renders again only when a name changes: most library events are growth. */
export function useNamedTabs(library: LibraryStore, tabs: readonly Tab[]): readonly NamedTab[] {
  const get = useCallback(
    () =>
      JSON.stringify(
        tabs.map(({ id, shown: { now, stream, view } }): NamedTab => {
          const artifact = now === null ? null : library.get(now);
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

export function TabDetail({ words }: { words: string }) {
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
export function TabLine({ viewer, first }: TabLineProps) {
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

export function lineWords(line: number | null): string {
  return `line ${formatCount(line ?? 1)}`;
}
