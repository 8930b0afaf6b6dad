/** Chooses, selects and copies rows of the results by keys and the mouse. */

import {
  type KeyboardEvent,
  type MouseEvent,
  type RefObject,
  useCallback,
  useEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import { runByKey } from '../../actions/registry.ts';
import { useConnection } from '../../connection/HostProvider.tsx';
import { fetchWholeLines } from '../../viewer/document/open-document.ts';
import type { RowSpan } from '../../viewer/document/rows-view.ts';
import { type Scroll, wholeRows } from '../../viewer/scrolling/positions.ts';
import { useSideways } from '../../viewer/scrolling/Scrollbar.tsx';
import { useCopy } from '../../viewer/selection/CopyDialog.tsx';
import type { RowsToCopy } from '../../viewer/selection/copy-lines.ts';
import { lineCount, type Selection } from '../../viewer/selection/selection.ts';
import { useMouseSelection } from '../../viewer/selection/use-mouse-selection.ts';
import { type ResultsContext, resultActions } from '../search-actions.ts';
import type { Search } from '../use-search.ts';

const SIDEWAYS_PX = 60;

interface ResultInputOptions {
  search: Search;
  scroll: Scroll;
  scroller: RefObject<HTMLDivElement | null>;
  /** The chosen row, from 0. */
  chosen: number;
  choose: ResultsContext['choose'];
  /** Tells that the list itself makes this line the current match. */
  markShown: (line: number) => void;
}

export function useResultInput({ search, scroll, scroller, chosen, choose, markShown }: ResultInputOptions) {
  const { snapshot } = search;
  const source = search.search?.rows;
  const { selection, select } = useResultSelection(search);
  const lineBytes = search.lines > 0 ? (snapshot.state?.total_bytes ?? 0) / search.lines : null;
  const copy = useCopy(useRowsToCopy(search), search.say, lineBytes);
  const rows = useMemo(
    () => ({
      count: snapshot.rowCount,
      lineOf: (index: number) => index + 1,
      rowOf: (line: number) => line - 1,
      row: (index: number) => source?.row(index),
      want: (first: number, last: number, ahead: RowSpan | null) => {
        if (snapshot.rowCount > 0) source?.want(first, last, ahead);
      },
      follow: () => {},
    }),
    [source, snapshot.rowCount],
  );
  useSideways(scroller);
  const mouse = useMouseSelection({ rows, scroll, scroller, selection, onSelect: select });

  const show = (index: number, move?: 'unless visible') => {
    const row = source?.row(index);
    if (!row) return;
    if (row.match === null) search.showLine(row.line);
    else search.goTo({ line: row.line, index: row.match }, move);
  };
  // The text moves along with the chosen match, as soon as that is fetched.
  const isMoved = useRef(false);
  useEffect(() => {
    if (!isMoved.current || source?.row(chosen)?.match == null) return;
    isMoved.current = false;
    markShown(source.row(chosen)!.line);
    show(chosen, 'unless visible');
  });
  const results: ResultsContext = {
    rows,
    scroll,
    selection,
    select,
    copy,
    chosen,
    page: Math.max(1, wholeRows(scroll.view.get().height) - 1),
    choose: (row, direction) => {
      isMoved.current = true;
      choose(row, direction);
    },
    show,
    moveSideways: (direction) =>
      scroller.current?.scrollBy({ left: direction * SIDEWAYS_PX, behavior: 'instant' }),
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.target === scroller.current) runByKey(resultActions, results, event);
  };
  const onClick = (event: MouseEvent) => {
    const row = event.target instanceof Element ? event.target.closest<HTMLElement>('[data-index]') : null;
    // A drag or Shift+click selects and shows nothing.
    if (!row || event.shiftKey || (selection && (selection.columns || lineCount(selection) > 1))) return;
    select(null);
    const index = Number(row.dataset.index);
    if (source?.row(index)?.match !== null) choose(index, 1);
    show(index);
  };
  return { rows, selection, copy, handlers: { ...mouse, onKeyDown, onClick } };
}

/** Rows are counted from 1; other rows begin without a selection. */
function useResultSelection({ search, snapshot }: Search) {
  const of = `${snapshot.state?.generation} ${search?.context}`;
  const [selected, setSelected] = useState<{ search: unknown; of: string; selection: Selection | null }>();
  const select = useCallback(
    (selection: Selection | null) => setSelected({ search, of, selection }),
    [search, of],
  );
  const isSame = selected?.search === search && selected?.of === of;
  return { selection: isSame ? (selected?.selection ?? null) : null, select };
}

function useRowsToCopy({ search }: Search): RowsToCopy | null {
  const connection = useConnection();
  return useMemo(
    () =>
      search &&
      connection && {
        fetchRows: search.fetchRows,
        fetchWhole: (lines, signal) => fetchWholeLines(connection, search.document, lines, signal),
      },
    [search, connection],
  );
}
