// biome-ignore-all lint/a11y/useSemanticElements: rows are placed one by one, which a table's own can't be
/** Draws the rows around the view: all of equal height, or each as high as its text. */
import { type ReactNode, type RefObject, useEffect, useLayoutEffect } from 'react';
import type { Row } from '../../../../shared/api/rows.ts';
import type { RowSpan, RowsView } from '../../document/rows-view.ts';
import type { LaidRows as Laid } from '../../scrolling/flow.ts';
import { type Heights, UNIFORM } from '../../scrolling/heights.ts';
import type { Scroll } from '../../scrolling/scroll.ts';
import { useFlowWindow } from '../../scrolling/use-flow-window.ts';
import { useScrollWindow } from '../../scrolling/use-scroll-window.ts';
import styles from '../Rows.module.css';
import { useRowKeys } from './use-row-keys.ts';

interface LaidRowsProps {
  rows: RowsView;
  /** Changes whenever shown rows may have changed. */
  version: unknown;
  scroll: Scroll;
  scroller: RefObject<HTMLDivElement | null>;
  heights: Heights;
  /** More rows to fetch besides those in view. */
  ahead: RowSpan | null;
  /** Pixels of the widest row; 0 if all fit. */
  width: number;
  /** Called with the rows after each render. */
  onDrawn: (rows: Iterable<Row | undefined>) => void;
  draw: (row: number, top: number, key: number) => ReactNode;
}

export function LaidRows(props: LaidRowsProps) {
  return props.heights === UNIFORM ? <UniformRows {...props} /> : <FlowingRows {...props} />;
}

function UniformRows(props: LaidRowsProps) {
  const { rows, scroller, scroll } = props;
  return <Sizer {...props} laid={useScrollWindow(rows.count, scroller, scroll)} />;
}

function FlowingRows(props: LaidRowsProps) {
  const { rows, scroller, scroll, heights } = props;
  return <Sizer {...props} laid={useFlowWindow(rows.count, heights, scroller, scroll)} />;
}

function Sizer({ rows, version, ahead, width, onDrawn, draw, laid }: LaidRowsProps & { laid: Laid }) {
  const { visible, layoutHeight } = laid;
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new version may have dropped what is in view
  useEffect(() => {
    rows.want(visible?.first ?? 0, visible?.last ?? 0, ahead);
  }, [rows, version, visible?.first, visible?.last, ahead?.first, ahead?.last]);
  useLayoutEffect(() => onDrawn(laid.rows.map(({ row }) => rows.row(row))));
  const keyOf = useRowKeys(laid.rows);
  return (
    <div
      className={styles.sizer}
      role="rowgroup"
      style={{ height: layoutHeight, minWidth: width > 0 ? width : undefined }}
    >
      {laid.rows.map(({ row, start }) => draw(row, start, keyOf(row)))}
    </div>
  );
}
