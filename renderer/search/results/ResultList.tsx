// biome-ignore-all lint/a11y/useSemanticElements: rows are placed one by one, which a table's own can't be
/** Lists the matching lines and their context. Enter or a click shows a line in the text. */

import { useEffect, useId, useMemo, useRef, useState } from 'react';
import { formatCount } from '../../../shared/text/format.ts';
import { useStore } from '../../ui/state/store.ts';
import { UNIFORM } from '../../viewer/scrolling/positions.ts';
import { RowsScrollbar, SidewaysScrollbar } from '../../viewer/scrolling/Scrollbar.tsx';
import { Scroll } from '../../viewer/scrolling/scroll.ts';
import { CopyDialog } from '../../viewer/selection/CopyDialog.tsx';
import { columnsIn, includesLine } from '../../viewer/selection/selection.ts';
import { usePalette } from '../../viewer/text/ansi.ts';
import { showsMatches } from '../../viewer/text/json-layout.ts';
import { LaidRows, useWidestRow } from '../../viewer/text/LaidRows.tsx';
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
  const { snapshot, chosenLine } = search;
  const source = search.search?.rows;
  const scroller = useRef<HTMLDivElement>(null);
  const [scroll] = useState(() => new Scroll());
  const palette = usePalette();
  const { json } = useStore(textSettings);
  const id = useId();
  const { chosen, chooseFrom } = useResultCursor(search, scroll);
  const ahead = useFollowResults(search, scroll);
  useEffect(() => {
    chosenLine.current = source?.row(chosen.row)?.line ?? chosen.line;
    return () => {
      chosenLine.current = null;
    };
  });
  const { rows, selection, copy, handlers } = useResultInput({
    ...{ search, scroll, scroller },
    chosen: chosen.row,
    choose: chooseFrom,
  });
  const isPainted = usePainted(search.search);
  // As wide as the numbers of the text can be.
  const digits = Math.max(4, String(search.lines).length);
  const origin = useOriginColumns(digits);
  const deep = useDeepMatches(search.search, snapshot.state?.generation ?? null);
  /** Whether JSON was drawn as message and fields: another search may show it raw, which is wider. */
  const hasJson = useRef(false);
  const laidOutBy = hasJson.current ? search.search : null;
  // biome-ignore lint/correctness/useExhaustiveDependencies: each of these may change the width of rows
  const widths = useMemo(() => ({}), [digits, origin, json, laidOutBy, deep.size]);
  const [width, onDrawn] = useWidestRow(scroller, null, widths);
  const current = search.current?.line ?? null;
  const around = search.search !== null && search.search.context > 0;

  const draw = (at: number, top: number, key: number) => {
    const row = source?.row(at);
    const part = columnsIn(selection, at + 1);
    const isMatch = row !== undefined && row.match !== null;
    const layout = resultLayout(row, json);
    hasJson.current ||= layout !== ONE_LINE;
    return (
      <RowLine
        key={key}
        id={`${id}-${at}`}
        index={at}
        line={row?.line ?? null}
        label={row ? String(row.line) : ''}
        row={row}
        top={top}
        layout={layout}
        selected={selection ? includesLine(selection, at + 1) : at === chosen.row}
        chosenFrom={part?.from ?? null}
        chosenTo={part?.to ?? null}
        matches={isMatch ? (row.matches ?? null) : null}
        deep={isMatch && isDeep(row) ? deep.of(row.line) : null}
        deepOnly
        current={isMatch && row.line === current}
        aside={row !== undefined && !isMatch}
        first={around && row !== undefined && isElsewhere(source?.row(at - 1), row)}
        palette={palette}
        onReadOn={onReadOn}
      />
    );
  };
  const positionWords = (at: number) => {
    const match = source && nearestMatch(source, at, 1, rows.count)?.match;
    return match == null
      ? `row ${formatCount(at + 1)} of ${formatCount(rows.count)}`
      : `match ${formatCount(match + 1)} of ${formatCount(snapshot.total)}`;
  };
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
        style={{ '--digits': digits, '--origin': origin } as React.CSSProperties}
        {...handlers}
      >
        <LaidRows
          rows={rows}
          version={snapshot}
          scroll={scroll}
          scroller={scroller}
          heights={UNIFORM}
          overscan={isPainted ? undefined : 0}
          ahead={ahead}
          width={width}
          onDrawn={(drawn: readonly (ResultRow | undefined)[]) => {
            onDrawn(drawn);
            deep.want(drawn.flatMap((row) => (row && row.match !== null && isDeep(row) ? [row.line] : [])));
          }}
          draw={draw}
        />
      </div>
      <RowsScrollbar
        label="Scroll through the results"
        controls={id}
        scroll={scroll}
        total={rows.count}
        first={1}
        words={positionWords}
      />
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
