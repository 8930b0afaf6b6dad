// biome-ignore-all lint/a11y/useSemanticElements: rows are placed one by one, which a table's own can't be
/** Lists the matching lines and their context. Enter or a click shows a line in the text. */
import { useEffect, useId, useRef, useState } from 'react';
import { SidewaysScrollbar } from '../../viewer/scrolling/SidewaysScrollbar.tsx';
import { Scroll } from '../../viewer/scrolling/scroll.ts';
import { useScrollWindow } from '../../viewer/scrolling/use-scroll-window.ts';
import { CopyDialog } from '../../viewer/selection/CopyDialog.tsx';
import { columnsIn, includesLine } from '../../viewer/selection/selection.ts';
import { useRowKeys } from '../../viewer/text/layout/use-row-keys.ts';
import { usePalette } from '../../viewer/text/palette.ts';
import { type ReadOn, RowLine } from '../../viewer/text/RowLine.tsx';
import rowsStyles from '../../viewer/text/Rows.module.css';
import type { Search } from '../use-search.ts';
import styles from './ResultList.module.css';
import { ResultsScrollbar } from './ResultsScrollbar.tsx';
import { useFollowResults } from './use-follow-results.ts';
import { useResultCursor } from './use-result-cursor.ts';
import { useResultInput } from './use-result-input.ts';
import { useResultLooks } from './use-result-looks.ts';

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
