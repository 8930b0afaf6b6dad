/** Shows one text, or two side by side. One of them has the focus. */

import { type ReactNode, useEffect, useMemo, useRef, useState } from 'react';
import type { Alignment } from '../../shared/api/rows.ts';
import { toSpillwayError } from '../../shared/errors.ts';
import { ActionScope, useActions } from '../actions/registry.ts';
import { ArtifactView } from '../artifact/ArtifactView.tsx';
import type { LiveViewer } from '../artifact/use-shown-artifact.ts';
import { useConnection } from '../connection/HostProvider.tsx';
import { lineBeside, pairedLines } from '../differences/alignment.ts';
import { Paired } from '../differences/use-differences.ts';
import type { LibraryStore } from '../library/library-store.ts';
import { heading } from '../ui/text/format.ts';
import { UNIFORM } from '../viewer/scrolling/positions.ts';
import { timeInView, timeOf } from '../viewer/text/times.ts';
import type { Viewer } from '../viewer/use-viewer.ts';
import styles from './App.module.css';
import { type PanesContext, paneActions, type TabContext, tabActions } from './TabBar.tsx';
import { closeOtherPane, focusedTab, focusPane, moveTab, neighbour } from './tabs/tab-state.ts';
import type { TabsContext, Together } from './tabs/use-tabs.ts';

interface PanesProps {
  tabs: TabsContext;
  library: LibraryStore;
  paired: PanesContext['paired'];
  /** Shown before the name in the first pane, and at the end of that row in the last. */
  before: ReactNode;
  after: ReactNode;
  /** Shown in a tab without an artifact. */
  nothing: ReactNode;
}

export function Panes({ tabs: context, library, paired, before, after, nothing }: PanesProps) {
  const { tabs, arrange } = context;
  const { panes, focused } = tabs;
  const isSplit = panes.length > 1;
  return (
    <div className={styles.splitPanes} data-split={isSplit || undefined}>
      {panes.map((id, index) => {
        const tab = tabs.tabs.find((each) => each.id === id);
        if (!tab) return null;
        const isFocused = index === focused;
        return (
          <Pane
            key={id}
            isFocused={isFocused}
            isSplit={isSplit}
            onFocus={() => arrange((state) => focusPane(state, index))}
          >
            <ActionScope value={isFocused}>
              <Paired value={paired?.[index] ?? null}>
                {tab.shown.artifactId === null ? (
                  nothing
                ) : (
                  <ArtifactView
                    key={`${tab.shown.visit} ${tab.shown.artifactId}`}
                    side={isSplit ? (index === 0 ? 'left' : 'right') : null}
                    artifactId={tab.shown.artifactId}
                    place={tab.shown}
                    panel={tab.panel}
                    library={library}
                    tab={context.of(tab.id)}
                    before={index === 0 ? before : null}
                    after={index === panes.length - 1 ? after : null}
                  />
                )}
              </Paired>
            </ActionScope>
          </Pane>
        );
      })}
    </div>
  );
}

interface PaneProps {
  isFocused: boolean;
  isSplit: boolean;
  onFocus: () => void;
  children: ReactNode;
}

function Pane({ isFocused, isSplit, onFocus, children }: PaneProps) {
  const pane = useRef<HTMLDivElement>(null);
  // A key or the tabs focused this pane: move the focus to its text.
  useEffect(() => {
    if (!isFocused || !isSplit) return;
    const active = document.activeElement;
    const isElsewhere = active?.closest('[data-pane]') && !pane.current?.contains(active);
    if (isElsewhere || active === document.body)
      pane.current?.querySelector<HTMLElement>('[data-viewer]')?.focus({ preventScroll: true });
  }, [isFocused, isSplit]);
  return (
    <div
      ref={pane}
      className={styles.pane}
      data-pane={isFocused ? 'focused' : 'other'}
      onPointerDownCapture={onFocus}
      onFocusCapture={onFocus}
    >
      {children}
    </div>
  );
}

/** Splits the window into two panes, moves between them, and scrolls them together. */
export function usePanes(context: TabsContext): PanesContext {
  const { tabs, live, arrange, add, copyOfFocused, together, scrollTogether } = context;
  const isSplit = tabs.panes.length > 1;
  const [first, second] = tabs.panes.map((id) => live.get(id) ?? null);
  const both = [first ?? null, second ?? null] as const;
  const aligned = useAlignment(isSplit && together === 'message', ...both);
  const { alignment, isWhole } = aligned;
  const problem = useScrollTogether(isSplit ? together : 'off', ...both, tabs.focused, alignment);
  const paired = useMemo(
    () => (alignment && isWhole ? ([pairedLines(alignment, 0), pairedLines(alignment, 1)] as const) : null),
    [alignment, isWhole],
  );

  const tabContext: TabContext = {
    count: tabs.tabs.length,
    showNeighbour: (by) => context.select(neighbour(tabs, by)),
    move: (by) => arrange((state) => moveTab(state, by)),
    duplicate: () => add(copyOfFocused(), 'show'),
    close: () => context.close(focusedTab(tabs).id),
  };
  const panes: PanesContext = {
    isSplit,
    together,
    problem: problem ?? aligned.problem,
    paired,
    toggleSplit() {
      if (isSplit) arrange(closeOtherPane);
      else add(copyOfFocused(), 'split');
    },
    focusOther: () => arrange((state) => focusPane(state, state.focused === 0 ? 1 : 0)),
    scrollTogether,
  };
  useActions(tabActions, tabContext);
  useActions(paneActions, panes);
  return panes;
}

/** Milliseconds without scrolling before the other pane looks up a time. */
const STILL_MS = 40;

/** Milliseconds in which a pane that was led does not lead. */
const SETTLE_MS = 300;

/**
 * Scrolls two panes together. By line, the distance between them stays the same. By time, the other pane shows the lines
 * that arrived at the time of the top line. By message, a line that says the same stands beside the caret, or the top line. At first the pane with the
 * focus leads; by message, the pane that was opened at a line. Returns the reason if the other pane does not follow, else
 * null.
 */
function useScrollTogether(
  together: Together,
  first: LiveViewer | null,
  second: LiveViewer | null,
  /** Index of the pane with the focus. */
  focused: number,
  /** Which lines say the same; null until it is known. */
  alignment: Alignment | null,
): string | null {
  const leader = useRef(focused);
  leader.current = focused;
  const [problem, setProblem] = useState<string | null>(null);
  useEffect(() => {
    setProblem(null);
    if (together === 'off' || !first || !second || (together === 'message' && !alignment)) return;
    const panes = [first, second] as const;
    const distance = topLine(second.current) - topLine(first.current);
    /** The line to which this hook moved each pane, so that its scroll event does not move the other. */
    const led: (number | null)[] = [null, null];
    /** When it did so last. */
    const ledAt = [Number.NEGATIVE_INFINITY, Number.NEGATIVE_INFINITY];
    let isLeading = false;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let asked = new AbortController();

    /** Shows a line with so many rows above it, the first of them cut by `px` pixels. */
    const moveTo = (index: number, line: number, above = 0, px = 0) => {
      const viewer = panes[index]!.current;
      const { rows } = viewer;
      if (rows.count === 0) return;
      isLeading = true;
      const top = above === 0 ? line : (rows.lineOf(Math.max(0, rows.rowOf(line) - above)) ?? line);
      viewer.lineToTop(top, px);
      isLeading = false;
      // The pane may show another line at the top: filters hide lines, and at its end a text stops.
      led[index] = viewer.counted ? topLine(viewer) : line;
      ledAt[index] = performance.now();
    };
    /** True while a pane that was just led may still move by itself, as at the end of its text. */
    const isSettling = (index: number) =>
      index !== leader.current && performance.now() - ledAt[index]! < SETTLE_MS;
    const byLine = (index: number) => {
      const line = topLine(panes[index]!.current);
      moveTo(1 - index, index === 0 ? line + distance : line - distance);
    };
    const byMessage = (index: 0 | 1) => {
      if (!alignment) return;
      const { rows, scroll, selectedLineInView } = panes[index].current;
      const { position, heights } = scroll.view.get();
      // Lines that one text has alone move those below them apart: the caret is where the reader looks.
      const caret = selectedLineInView();
      const line = caret ?? topLine(panes[index].current);
      const above = caret === null ? 0 : rows.rowOf(caret) - position.row;
      moveTo(
        1 - index,
        lineBeside(alignment, index, line),
        above,
        heights === UNIFORM ? Math.max(0, position.px) : 0,
      );
    };
    const byTime = (index: number) => {
      clearTimeout(timer);
      timer = setTimeout(async () => {
        asked.abort();
        asked = new AbortController();
        const { signal } = asked;
        const { rows, scroll } = panes[index]!.current;
        const time = timeInView({ rows, scroll });
        // The row is not fetched yet.
        if (time === null && rows.count > 0 && !rows.row(scroll.view.get().position.row))
          return byTime(index);
        if (time === null) return setProblem('No times in view');
        const found = await lineAt(panes[1 - index]!.current, time, signal).catch(() => null);
        if (found === null || signal.aborted) return;
        setProblem(typeof found === 'string' ? found : null);
        if (typeof found === 'number') moveTo(1 - index, found);
      }, STILL_MS);
    };
    const unsubscribe = panes.map((pane, index) =>
      pane.current.scroll.view.subscribe(() => {
        if (isLeading || led[index] === topLine(pane.current) || isSettling(index)) return;
        led[index] = null;
        if (together === 'line') byLine(index);
        else if (together === 'message') byMessage(index === 0 ? 0 : 1);
        else byTime(index);
      }),
    );
    if (together === 'time') byTime(leader.current);
    if (together === 'message') byMessage(topLine(second.current) > 1 ? 1 : 0);
    return () => {
      clearTimeout(timer);
      asked.abort();
      for (const each of unsubscribe) each();
    };
  }, [together, first, second, alignment]);
  return problem;
}

/** Returns the first line that arrived then or later; a sentence if there is none, null if unknown. */
async function lineAt(viewer: Viewer, time: number, signal: AbortSignal): Promise<number | string | null> {
  const { document } = viewer.opened;
  if (!document) return null;
  const line = await document.lineAtTime(time, signal);
  if (line === null) return 'The other pane has no times';
  const { rows } = await document.fetchRows(line, 1, signal);
  const came = timeOf(rows[0]);
  // The last line stands for times after it.
  return came !== null && came < time ? 'The other pane ends before this time' : line;
}

function topLine({ rows, scroll }: Viewer): number {
  return rows.lineOf(scroll.view.get().position.row) ?? 1;
}

/** Milliseconds between two looks whether both texts are counted. */
const LOOK_EVERY_MS = 50;

interface Aligning {
  /** Null until it is known. */
  alignment: Alignment | null;
  /** Whether it covers all lines, not only those near the shown ones. */
  isWhole: boolean;
  /** Why the panes are not aligned, or not in all of their lines. */
  problem: string | null;
}

const NOT_ALIGNED: Aligning = { alignment: null, isWhole: false, problem: null };
const ALIGNING = 'Aligning the lines…';

/** Asks which lines of both panes say the same, once both texts are counted: first of those near the shown ones. */
function useAlignment(isWanted: boolean, first: LiveViewer | null, second: LiveViewer | null): Aligning {
  const connection = useConnection();
  const [aligning, setAligning] = useState(NOT_ALIGNED);
  useEffect(() => {
    setAligning(NOT_ALIGNED);
    if (!isWanted || !connection || !first || !second) return;
    const request = new AbortController();
    const { signal } = request;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const ask = async () => {
      const [one, other] = [first.current, second.current];
      const refs = [one.opened.document?.ref, other.opened.document?.ref] as const;
      if (!refs[0] || !refs[1] || !one.counted || !other.counted) {
        timer = setTimeout(ask, LOOK_EVERY_MS);
        return;
      }
      const params = { first: refs[0], second: refs[1] };
      const near: [number, number] = [topLine(one), topLine(other)];
      let isWhole = false;
      const whole = connection.request('align', params, { signal }).finally(() => (isWhole = true));
      const around = connection.request('align', { ...params, near }, { signal }).then((alignment) => {
        if (!isWhole && !signal.aborted) setAligning({ alignment, isWhole: false, problem: ALIGNING });
      });
      try {
        const [alignment] = await Promise.all([whole, around.catch(() => {})]);
        if (!signal.aborted) setAligning({ alignment, isWhole: true, problem: alignment.note ?? null });
      } catch (error) {
        if (!signal.aborted) setAligning({ ...NOT_ALIGNED, problem: heading(toSpillwayError(error).what) });
      }
    };
    setAligning({ ...NOT_ALIGNED, problem: ALIGNING });
    void ask();
    return () => {
      clearTimeout(timer);
      request.abort();
    };
  }, [isWanted, connection, first, second]);
  return aligning;
}
