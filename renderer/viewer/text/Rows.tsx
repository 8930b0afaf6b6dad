// biome-ignore-all lint/a11y/useSemanticElements: rows are placed one by one, which a table's own can't be
/** The text: rows that scroll natively, the gutter with line numbers, and the two scrollbars. */

import { memo, type RefObject, useCallback, useId, useMemo, useRef } from 'react';
import { formatCount } from '../../../shared/text/format.ts';
import { useStore } from '../../ui/state/store.ts';
import type { RowSpan, RowsView } from '../document/rows-view.ts';
import { RowsScrollbar, SidewaysScrollbar, useSideways } from '../scrolling/Scrollbar.tsx';
import type { Scroll } from '../scrolling/scroll.ts';
import { columnsIn, firstLine, includesLine, lastLine, type Selection } from '../selection/selection.ts';
import { useMouseSelection } from '../selection/use-mouse-selection.ts';
import { usePalette } from './ansi.ts';
import { LaidRows, useWidestRow } from './LaidRows.tsx';
import { type ReadOn, RowLine } from './RowLine.tsx';
import styles from './Rows.module.css';
import { KnownLayouts, rowLayouts } from './row-layouts.ts';
import type { RowMatches } from './row-matches.ts';
import { textSettings } from './text-settings.ts';
import { timeText } from './times.ts';
import { NONE_UNFOLDED, type Unfolding } from './unfolding.ts';
import { useOriginColumns, useWrapping } from './wrapping.ts';

interface RowsProps {
  label: string;
  rows: RowsView;
  /** Changes whenever shown rows may have changed. */
  version: unknown;
  scroll: Scroll;
  scroller: RefObject<HTMLDivElement | null>;
  /** More rows to fetch besides those in view. */
  ahead: RowSpan | null;
  selection: Selection | null;
  onSelect: (selection: Selection | null) => void;
  onReadOn: ReadOn;
  matches?: RowMatches | null;
  /** Lines that a person marked. */
  marked?: readonly number[];
  /** Whether to leave out the column of times. */
  timeless?: boolean;
  /** JSON lines that are unfolded. */
  unfolding?: Unfolding;
}

/** Memoised: a key in the search field leaves the text as it is until the search has found something. */
export const Rows = memo(function Rows(props: RowsProps) {
  const { label, rows, version, scroll, scroller, ahead, selection, onSelect, onReadOn } = props;
  const { matches = null } = props;
  const id = useId();
  const palette = usePalette();
  const look = useStore(textSettings);
  const times = props.timeless ? 'off' : look.times;
  const digits = digitsOf(rows);
  const origin = useOriginColumns(digits);
  const wrapping = useWrapping({ on: look.wrap, scroller, digits, origin, times: times !== 'off' });
  const shown = useRef(rows);
  shown.current = rows;
  const known = useMemo(() => new KnownLayouts(wrapping), [wrapping]);
  const unfolded = props.unfolding?.lines ?? NONE_UNFOLDED;
  const layouts = useMemo(
    () =>
      rowLayouts(known, {
        rows: () => shown.current,
        json: look.json,
        unfolded,
        matchesOf: matches && ((line, row) => matches.matchesOf(line, row)),
      }),
    [known, look.json, unfolded, matches],
  );
  const toggle = props.unfolding?.toggle;
  const onUnfold = useCallback((line: number) => toggle?.([line]), [toggle]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each of these may change the width of rows
  const drawn = useMemo(() => ({}), [known, digits, times, look.json, unfolded, matches]);
  const [width, onDrawn] = useWidestRow(scroller, known, drawn);
  useSideways(scroller);
  const mouse = useMouseSelection({ rows, scroll, scroller, selection, onSelect });

  const draw = (index: number, top: number, key: number) => {
    const line = rows.lineOf(index);
    const row = rows.row(index);
    const time = timeText(times, row, row && index > 0 ? rows.row(index - 1) : undefined);
    const chosen = line === null ? null : columnsIn(selection, line);
    return (
      <RowLine
        key={key}
        index={index}
        line={line}
        label={line === null ? `−${rows.count - index}` : String(line)}
        row={row}
        top={top}
        layout={layouts.layoutOf(row, line)}
        time={times === 'off' ? null : (time ?? '')}
        levels={look.levels}
        links
        selected={line !== null && includesLine(selection, line)}
        chosenFrom={chosen?.from ?? null}
        chosenTo={chosen?.to ?? null}
        chosenSpans={chosen && (selection?.columns?.drawn?.spans ?? null)}
        matches={matches && row && line !== null ? matches.matchesOf(line, row) : null}
        deep={matches && row?.clipped && line !== null ? matches.deepMatchOf(line) : null}
        hit={matches !== null && line !== null && matches.isHit(line)}
        current={matches !== null && line !== null && matches.current === line}
        marked={line !== null && props.marked?.includes(line)}
        palette={palette}
        onReadOn={onReadOn}
        onUnfold={onUnfold}
      />
    );
  };

  return (
    <div className={styles.pane}>
      <div
        ref={scroller}
        id={id}
        className={styles.scroller}
        role="table"
        aria-label={label}
        aria-rowcount={rows.count}
        data-wrapped={wrapping ? '' : undefined}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scroller must take the focus to be scrolled with keys
        tabIndex={0}
        data-viewer=""
        style={{ '--digits': digits, '--origin': origin } as React.CSSProperties}
        {...mouse}
      >
        <LaidRows
          rows={rows}
          version={version}
          scroll={scroll}
          scroller={scroller}
          heights={layouts.heights}
          ahead={ahead}
          width={width}
          onDrawn={onDrawn}
          draw={draw}
        />
      </div>
      <TextScrollbar rows={rows} scroll={scroll} controls={id} selection={selection} />
      <SidewaysScrollbar scroller={scroller} controls={id} width={width} />
    </div>
  );
});

/** Returns the digits of the gutter: those of the largest line number, at least four. */
function digitsOf(rows: RowsView): number {
  const last = rows.count > 0 ? (rows.lineOf(rows.count - 1) ?? rows.count) : 0;
  return Math.max(4, String(last).length);
}

/** Shows the position of the view and of the selected lines in the whole text. */
function TextScrollbar({ rows, scroll, controls, selection }: TextScrollbarProps) {
  const first = rows.lineOf(0);
  const start = first ?? 1;
  const words = (row: number) =>
    `line ${formatCount(start + row)} of ${formatCount(start + Math.max(0, rows.count - 1))}`;
  return (
    <RowsScrollbar
      label="Scroll through the lines"
      controls={controls}
      scroll={scroll}
      total={rows.count}
      first={start}
      words={words}
    >
      {selection && first !== null && (
        <Mark from={firstLine(selection) - first} to={lastLine(selection) - first} total={rows.count} />
      )}
    </RowsScrollbar>
  );
}

type TextScrollbarProps = Pick<RowsProps, 'rows' | 'scroll' | 'selection'> & { controls: string };

function Mark({ from, to, total }: { from: number; to: number; total: number }) {
  if (to < 0 || from >= total) return null;
  const top = Math.max(0, from) / total;
  const size = (Math.min(total - 1, to) + 1) / total - top;
  return (
    <div
      className={styles.mark}
      style={{ '--from': top, '--size': size } as React.CSSProperties}
      data-mark="selection"
    />
  );
}
