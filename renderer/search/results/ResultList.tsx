// biome-ignore-all lint/a11y/useSemanticElements: rows are placed one by one, which a table's own can't be
/** Lists the matching lines and their context. Enter or a click shows a line in the text. */

import { useStore } from '../../ui/state/store.ts';
import {
  type RefObject,
  useEffect,
  useId,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react';
import { formatCount } from '../../../shared/text/format.ts';
import {
  endPosition,
  fractionOf,
  movedRows,
  positionAtFraction,
  ROW_HEIGHT_PX,
  wholeRows,
} from '../../viewer/scrolling/positions.ts';
import { Scrollbar, SidewaysScrollbar } from '../../viewer/scrolling/Scrollbar.tsx';
import { Scroll } from '../../viewer/scrolling/scroll.ts';
import { useScrollWindow } from '../../viewer/scrolling/use-scroll-window.ts';
import { CopyDialog } from '../../viewer/selection/CopyDialog.tsx';
import { columnsIn, includesLine } from '../../viewer/selection/selection.ts';
import { usePalette } from '../../viewer/text/ansi.ts';
import { showsMatches } from '../../viewer/text/json-layout.ts';
import { useRowKeys, useWidestRow } from '../../viewer/text/LaidRows.tsx';
import { type ReadOn, RowLine } from '../../viewer/text/RowLine.tsx';
import rowsStyles from '../../viewer/text/Rows.module.css';
import { KnownLayouts, ONE_LINE, type RowLayout } from '../../viewer/text/row-layouts.ts';
import { textSettings } from '../../viewer/text/text-settings.ts';
import { useOriginColumns } from '../../viewer/text/wrapping.ts';
import { useDeepMatches } from '../in-text/use-deep-matches.ts';
import type { ResultRow } from '../open-search.ts';
import type { Search } from '../use-search.ts';
import styles from './ResultsPane.module.css';
import { useFollowResults } from './use-follow-results.ts';
import { nearestMatch, useResultCursor } from './use-result-cursor.ts';
import { useResultInput } from './use-result-input.ts';

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
  const {
    rows: laid,
    visible,
    layoutHeight,
  } = useScrollWindow(snapshot.rowCount, scroller, scroll, usePainted(search.search) ? undefined : 0);
  const keyOf = useRowKeys(laid);
  const { chosen, chooseFrom } = useResultCursor(search, scroll);
  const ahead = useFollowResults(search, scroll);
  const { chosenLine } = search;
  useEffect(() => {
    chosenLine.current = source?.row(chosen.row)?.line ?? chosen.line;
    return () => {
      chosenLine.current = null;
    };
  });
  const { selection, copy, handlers } = useResultInput({
    ...{ search, scroll, scroller },
    chosen: chosen.row,
    choose: chooseFrom,
  });
  const first = visible?.first ?? null;
  const last = visible?.last ?? null;
  // biome-ignore lint/correctness/useExhaustiveDependencies: another snapshot may have dropped what is in view
  useEffect(() => {
    if (first !== null && last !== null) source?.want(first, last, ahead);
  }, [source, snapshot, first, last, ahead?.first, ahead?.last]);
  const { layouts, width, columns, deepMatchOf } = useResultLooks(search, scroller, laid, visible);
  const current = search.current?.line ?? null;
  const around = search.search !== null && search.search.context > 0;

  return (
    <div className={`${rowsStyles.pane} ${styles.resultListPane}`}>
      <div
        ref={scroller}
        id={id}
        className={rowsStyles.scroller}
        role="grid"
        aria-label="Matching lines"
        aria-rowcount={-1}
        aria-activedescendant={`${id}-${chosen.row}`}
        tabIndex={0}
        style={columns}
        {...handlers}
      >
        <div
          className={rowsStyles.sizer}
          role="rowgroup"
          style={{ height: layoutHeight, minWidth: width > 0 ? width : undefined }}
        >
          {laid.map(({ row: at, start }, index) => {
            const row = source?.row(at);
            const part = columnsIn(selection, at + 1);
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
                layout={layouts[index]!}
                selected={selection ? includesLine(selection, at + 1) : at === chosen.row}
                chosenFrom={part?.from ?? null}
                chosenTo={part?.to ?? null}
                matches={isMatch ? (row.matches ?? null) : null}
                deep={isMatch ? deepMatchOf(row) : null}
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
      <ResultsScrollbar scroll={scroll} controls={id} search={search} />
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

/** True when lines are left out between the two rows. */
function isElsewhere(before: { line: number } | undefined, row: { line: number }): boolean {
  return before !== undefined && before.line + 1 !== row.line;
}

/** @param laid the drawn rows */
export function useResultLooks(
  search: Search,
  scroller: RefObject<HTMLElement | null>,
  laid: readonly { row: number }[],
  visible: { first: number; last: number } | null,
) {
  const source = search.search?.rows;
  const { json } = useStore(textSettings);
  const digits = digitsOf(search);
  const origin = useOriginColumns(digits);
  const deepLines: number[] = [];
  for (let at = visible?.first ?? 0; at <= (visible?.last ?? -1); at += 1) {
    const row = source?.row(at);
    if (row && row.match !== null && isDeep(row)) deepLines.push(row.line);
  }
  const generation = search.snapshot.state?.generation ?? null;
  const deepMatchOf = useDeepMatches(search.search, generation, deepLines);
  const layouts = laid.map(({ row }) => resultLayout(source?.row(row), json));
  const laidOutBy = layouts.some((layout) => layout !== ONE_LINE) ? search.search : null;
  const deepBy = deepLines.length > 0 ? deepMatchOf : null;
  // biome-ignore lint/correctness/useExhaustiveDependencies: each of these may change the width of rows
  const drawn = useMemo(() => ({}), [digits, origin, laidOutBy, deepBy]);
  const [width, onDrawn] = useWidestRow(scroller, null, drawn);
  useLayoutEffect(() => onDrawn(laid.map(({ row }) => source?.row(row))));
  return {
    layouts,
    width,
    columns: { '--digits': digits, '--origin': origin } as React.CSSProperties,
    /** Returns a match that the row does not show; null if it has none. */
    deepMatchOf: (row: ResultRow) => (isDeep(row) ? deepMatchOf(row.line) : null),
  };
}

const knownLayouts = new KnownLayouts(null);

/**
 * Results take one line each, JSON as message and fields.
 * @param json show JSON lines as message and fields, unless that hides what was found in them
 */
function resultLayout(row: ResultRow | undefined, json: boolean): RowLayout {
  const layout = row && json ? knownLayouts.json(row, false) : null;
  return layout?.json && showsMatches(layout.json, row?.matches ?? []) ? layout : ONE_LINE;
}

/** True when no match is in the shown part of a long line. */
function isDeep({ clipped, matches }: ResultRow): boolean {
  return clipped && matches?.length === 0;
}

/** As wide as the numbers of the text can be. */
function digitsOf({ lines }: Search): number {
  return Math.max(4, String(lines).length);
}

/** The scrollbar of the results. */
interface ResultsScrollbarProps {
  scroll: Scroll;
  controls: string;
  search: Search;
}

export function ResultsScrollbar({ scroll, controls, search }: ResultsScrollbarProps) {
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
