// biome-ignore-all lint/a11y/useSemanticElements: rows are placed one by one, which a table's own can't be
/** Lists the matching lines and their context. Enter or a click shows a line in the text. */
import {
  type KeyboardEvent,
  type MouseEvent,
  useCallback,
  useEffect,
  useId,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react';
import { formatCount } from '../../../shared/text/format.ts';
import { runByKey } from '../../commands/registry.ts';
import { Scrollbar } from '../../viewer/scrolling/Scrollbar.tsx';
import { SidewaysScrollbar, useSideways } from '../../viewer/scrolling/SidewaysScrollbar.tsx';
import { Scroll } from '../../viewer/scrolling/scroll.ts';
import {
  endPosition,
  fractionOf,
  movedRows,
  positionAtFraction,
  ROW_HEIGHT_PX,
  wholeRows,
} from '../../viewer/scrolling/scroll-window.ts';
import { useScrollWindow } from '../../viewer/scrolling/use-scroll-window.ts';
import { CopyDialog } from '../../viewer/selection/CopyDialog.tsx';
import { columnsIn, includesLine, lineCount, type Selection } from '../../viewer/selection/selection.ts';
import { useCopy } from '../../viewer/selection/use-copy.ts';
import { useMouseSelection } from '../../viewer/selection/use-mouse-selection.ts';
import { useRowKeys } from '../../viewer/text/layout/use-row-keys.ts';
import { useWidestRow } from '../../viewer/text/layout/use-widest-row.ts';
import { useOriginColumns } from '../../viewer/text/origins.ts';
import { usePalette } from '../../viewer/text/palette.ts';
import { type ReadOn, RowLine } from '../../viewer/text/RowLine.tsx';
import rowsStyles from '../../viewer/text/Rows.module.css';
import { textLook } from '../../viewer/text/text-look.ts';
import { ONE_LINE } from '../../viewer/text/wrap/row-shapes.ts';
import { useDeepMatches } from '../in-text/use-deep-matches.ts';
import type { ResultRow } from '../open-search.ts';
import type { Search } from '../use-search.ts';
import { nearestMatch } from './chosen-match.ts';
import styles from './ResultList.module.css';
import { type ResultsContext, resultActions } from './result-actions.ts';
import { resultShape } from './result-shape.ts';
import { useFollowResults } from './use-follow-results.ts';
import { useResultCursor } from './use-result-cursor.ts';

const SIDEWAYS_PX = 60;

export interface ResultListProps {
  search: Search;
  onReadOn: ReadOn;
}

export function ResultList({ search, onReadOn }: ResultListProps) {
  const { snapshot } = search;
  const source = search.search?.rows;
  const scroller = useRef<HTMLDivElement>(null);
  const [scroll] = useState(() => new Scroll());
  const palette = usePalette();
  const id = useId();
  const { json } = useSyncExternalStore(textLook.subscribe, textLook.get);
  const {
    rows: laid,
    visible,
    layoutHeight,
  } = useScrollWindow(snapshot.rowCount, scroller, scroll, usePainted(search.search) ? undefined : 0);
  const keyOf = useRowKeys(laid);
  const digits = digitsOf(search);
  const origin = useOriginColumns(digits);
  const first = visible?.first ?? null;
  const last = visible?.last ?? null;
  const { chosen, chooseFrom } = useResultCursor(search, scroll);
  const ahead = useFollowResults(search, scroll);
  const { chosenLine } = search;
  useEffect(() => {
    chosenLine.current = source?.row(chosen.row)?.line ?? chosen.line;
    return () => {
      chosenLine.current = null;
    };
  });
  const { selection, select } = useResultSelection(search);
  const lineBytes = search.lines > 0 ? (snapshot.state?.total_bytes ?? 0) / search.lines : null;
  const copy = useCopy(search.search, search.say, lineBytes);
  const rows = useMemo(
    () => ({
      count: snapshot.rowCount,
      lineOf: (index: number) => index + 1,
      rowOf: (line: number) => line - 1,
      row: (index: number) => source?.row(index),
      want: () => {},
      follow: () => {},
    }),
    [source, snapshot.rowCount],
  );
  useSideways(scroller);
  const mouse = useMouseSelection({ rows, scroll, scroller, selection, onSelect: select });

  // biome-ignore lint/correctness/useExhaustiveDependencies: another snapshot may have dropped what is in view
  useEffect(() => {
    if (first !== null && last !== null) source?.want(first, last, ahead);
  }, [source, snapshot, first, last, ahead?.first, ahead?.last]);

  const show = (index: number) => {
    const row = source?.row(index);
    if (!row) return;
    if (row.match === null) search.showLine(row.line);
    else search.goTo({ line: row.line, index: row.match });
  };

  const results: ResultsContext = {
    rows,
    scroll,
    selection,
    select,
    copy,
    chosen: chosen.row,
    page: Math.max(1, wholeRows(scroll.view.get().height) - 1),
    choose: chooseFrom,
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
    if (source?.row(index)?.match !== null) chooseFrom(index, 1);
    show(index);
  };

  const deepLines: number[] = [];
  for (let at = first ?? 0; at <= (last ?? -1); at += 1) {
    const row = source?.row(at);
    if (row && row.match !== null && isDeep(row)) deepLines.push(row.line);
  }
  const generation = snapshot.state?.generation ?? null;
  const deepMatchOf = useDeepMatches(search.search, generation, deepLines);
  const shapes = laid.map(({ row }) => resultShape(source?.row(row), json));
  const shapedBy = shapes.some((shape) => shape !== ONE_LINE) ? search.search : null;
  const deepBy = deepLines.length > 0 ? deepMatchOf : null;
  // biome-ignore lint/correctness/useExhaustiveDependencies: each of these may change the width of rows
  const drawn = useMemo(() => ({}), [digits, origin, shapedBy, deepBy]);
  const [width, onDrawn] = useWidestRow(scroller, null, drawn);
  useLayoutEffect(() => onDrawn(laid.map(({ row }) => source?.row(row))));
  const current = search.current?.line ?? null;
  const around = search.search !== null && search.search.context > 0;

  return (
    <div className={`${rowsStyles.pane} ${styles.pane}`}>
      <div
        ref={scroller}
        id={id}
        className={rowsStyles.scroller}
        role="grid"
        aria-label="Matching lines"
        aria-rowcount={-1}
        aria-activedescendant={`${id}-${chosen.row}`}
        tabIndex={0}
        style={{ '--digits': digits, '--origin': origin } as React.CSSProperties}
        {...mouse}
        onKeyDown={onKeyDown}
        onClick={onClick}
      >
        <div
          className={rowsStyles.sizer}
          role="rowgroup"
          style={{ height: layoutHeight, minWidth: width > 0 ? width : undefined }}
        >
          {laid.map(({ row: at, start }, index) => {
            const row = source?.row(at);
            const columns = columnsIn(selection, at + 1);
            const isMatch = row !== undefined && row.match !== null;
            return (
              <RowLine
                key={keyOf(at)}
                id={`${id}-${at}`}
                index={at}
                line={row?.line ?? null}
                label={row ? String(row.line) : ''}
                row={row}
                top={start}
                shape={shapes[index]!}
                selected={selection ? includesLine(selection, at + 1) : at === chosen.row}
                chosenFrom={columns?.from ?? null}
                chosenTo={columns?.to ?? null}
                matches={isMatch ? (row.matches ?? null) : null}
                deep={isMatch && isDeep(row) ? deepMatchOf(row.line) : null}
                deepOnly
                current={isMatch && row.line === current}
                aside={row !== undefined && !isMatch}
                first={around && row !== undefined && isElsewhere(source?.row(at - 1), row)}
                palette={palette}
                onReadOn={onReadOn}
              />
            );
          })}
        </div>
      </div>
      <ListScrollbar scroll={scroll} controls={id} search={search} />
      <SidewaysScrollbar scroller={scroller} controls={id} width={width} />
      <CopyDialog copy={copy} />
    </div>
  );
}

/** True once rows of the search were painted: the first matches don't wait for rows beyond the view. */
function usePainted(search: Search['search']): boolean {
  const [painted, setPainted] = useState<Search['search']>(null);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const frame = requestAnimationFrame(() => {
      timer = setTimeout(() => setPainted(search));
    });
    return () => {
      cancelAnimationFrame(frame);
      clearTimeout(timer);
    };
  }, [search]);
  return painted === search;
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

/** True when no match is in the shown part of a long line. */
function isDeep({ clipped, matches }: ResultRow): boolean {
  return clipped && matches?.length === 0;
}

/** True when lines are left out between the two rows. */
function isElsewhere(before: { line: number } | undefined, row: { line: number }): boolean {
  return before !== undefined && before.line + 1 !== row.line;
}

function ListScrollbar({ scroll, controls, search }: { scroll: Scroll; controls: string; search: Search }) {
  // Not the number of rows, which is told only after they are drawn: the bar would be drawn twice.
  const { subscribe, get } = scroll.view;
  const position = useSyncExternalStore(subscribe, () => get().position);
  const height = useSyncExternalStore(subscribe, () => get().height);
  const total = search.snapshot.rowCount;
  const rows = search.search?.rows;
  const move = (by: number) => scroll.moveTo(movedRows(scroll.view.get().position, by));
  const match = rows && nearestMatch(rows, position.row, 1, total)?.match;
  return (
    <Scrollbar
      orientation="vertical"
      label="Scroll through the results"
      controls={controls}
      at={fractionOf(position, total, height)}
      part={total === 0 ? 1 : Math.min(1, height / (total * ROW_HEIGHT_PX))}
      min={1}
      max={endPosition(total, height).row + 1}
      now={position.row + 1}
      text={
        match === undefined || match === null
          ? `row ${formatCount(position.row + 1)} of ${formatCount(total)}`
          : `match ${formatCount(match + 1)} of ${formatCount(search.snapshot.total)}`
      }
      onFraction={(fraction) => scroll.moveTo(positionAtFraction(fraction, total, height))}
      onPage={(direction) => move(direction * Math.max(1, wholeRows(height) - 1))}
      onStep={move}
    />
  );
}

/** As wide as the numbers of the text can be. */
function digitsOf({ lines }: Search): number {
  return Math.max(4, String(lines).length);
}
