/**
 * The whole text as a strip beside the scrollbar, with errors, matches, marks and the visible part. A click goes there.
 */

import { type PointerEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import type { LineRange, RowsView } from '../document/rows-view.ts';
import { positionShowing, rowAt, type Scroll, useViewport } from './positions.ts';
import styles from './Scrollbar.module.css';

/** The lines that the ruler covers, and its height. */
export interface RulerScale {
  /** The ruler's start and extent, as fractions of the whole text. */
  from: number;
  size: number;
  /** Lines of the whole text. */
  lines: number;
  /** Pixels; 0 until measured. */
  height: number;
}

interface RulerProps {
  rows: RowsView;
  /** Lines of the whole text. */
  lines: number;
  /** Whether a filter chooses lines: then the ruler covers those from the first one to the last. */
  isFiltered: boolean;
  /** The shown lines; null for all. */
  range: LineRange | null;
  scroll: Scroll;
  /** Called before a click scrolls. */
  onGo: () => void;
  columns: number;
  lanes: (scale: RulerScale) => ReactNode;
}

export function Ruler({ rows, lines, isFiltered, range, scroll, onGo, columns, lanes }: RulerProps) {
  const box = useRef<HTMLDivElement>(null);
  const [height, setHeight] = useState(0);
  useEffect(() => {
    if (!box.current) return;
    const resized = new ResizeObserver(([entry]) => setHeight(Math.round(entry?.contentRect.height ?? 0)));
    resized.observe(box.current);
    return () => resized.disconnect();
  }, []);
  const extent = extentOf(rows, isFiltered ? null : Math.min(range?.end ?? lines, lines));

  const onPointerDown = (event: PointerEvent<HTMLDivElement>) => {
    if (event.button !== 0) return;
    event.preventDefault();
    const { top, height } = event.currentTarget.getBoundingClientRect();
    const part = (event.clientY - top) / Math.max(1, height);
    const row = extent
      ? rows.rowOf(extent.first + Math.floor(part * extent.size))
      : Math.floor(part * rows.count);
    onGo();
    const { height: viewHeight, heights } = scroll.view.get();
    scroll.moveTo(positionShowing(row, rows.count, viewHeight, 1 / 2, heights));
  };

  return (
    <div
      ref={box}
      className={styles.ruler}
      style={{ '--columns': columns } as React.CSSProperties}
      aria-hidden="true"
      data-ruler=""
      onPointerDown={onPointerDown}
    >
      <VisiblePart rows={rows} extent={extent} scroll={scroll} />
      {extent && lanes(scaleOf(extent, lines, height))}
    </div>
  );
}

/** Returns the part of the text that the ruler covers. Rows may outlive the lines of a text that was truncated. */
export function scaleOf(extent: Extent, lines: number, height: number): RulerScale {
  const known = Math.max(lines, extent.first + extent.size - 1);
  return { from: (extent.first - 1) / known, size: extent.size / known, lines: known, height };
}

/**
 * Returns the lines from the first row to the last; a filter may hide some. Null without line numbers.
 * @param end the last line where lines behind the last row are folded
 */
function extentOf(rows: RowsView, end: number | null): Extent | null {
  const first = rows.lineOf(0);
  const last = end ?? rows.lineOf(rows.count - 1);
  return first === null || last === null || rows.count === 0 ? null : { first, size: last - first + 1 };
}

interface Extent {
  first: number;
  size: number;
}

interface VisiblePartProps {
  rows: RowsView;
  extent: Extent | null;
  scroll: Scroll;
}

function VisiblePart({ rows, extent, scroll }: VisiblePartProps) {
  const { position, height, total, heights } = useViewport(scroll);
  if (total === 0) return null;
  const last = rowAt(position.row, position.px + Math.max(0, height - 1), total, heights).row;
  const end = Math.min(total, last + 1);
  const top = rows.lineOf(Math.max(0, Math.min(position.row, rows.count - 1)));
  // Lines that are hidden behind the last row count as in view with it.
  const below = end < rows.count ? rows.lineOf(end) : extent && extent.first + extent.size;
  const from = extent && top !== null ? (top - extent.first) / extent.size : position.row / total;
  const to = extent && below !== null ? (below - extent.first) / extent.size : end / total;
  return (
    <div
      className={styles.view}
      style={{ '--from': from, '--size': Math.max(0, to - from) } as React.CSSProperties}
      data-mark="view"
    />
  );
}

/** One column of the ruler. A click near a mark goes to its first line. */
export type LaneKind = 'errors' | 'matches' | 'news' | 'marks' | 'read';

interface LaneProps {
  kind: LaneKind;
  /** Index from the left, from 0. */
  column: number;
  /** The number of marked lines in each of equal parts of the text. */
  counts: readonly number[];
  scale: RulerScale;
  /** A colour other than the kind's. */
  colour?: string | undefined;
  /** Shows the first marked line in a part of the text: `from` is the line before the part, `to` its last line. */
  onShow: (from: number, to: number) => void;
}

/** Distance in pixels within which a click hits a mark. */
const NEAR_PX = 3;

export function Lane({ kind, column, counts, scale, colour, onShow }: LaneProps) {
  const { from, size, lines, height } = scale;
  const buckets = Math.max(1, counts.length);

  const onPointerDown = (event: PointerEvent<SVGSVGElement>) => {
    if (event.button !== 0) return;
    const { top, height } = event.currentTarget.getBoundingClientRect();
    const at = ((event.clientY - top) / Math.max(1, height)) * size + from;
    const bucket = nearestMarked(counts, at * buckets, (NEAR_PX / Math.max(1, height)) * size * buckets);
    if (bucket === null) return;
    event.preventDefault();
    event.stopPropagation();
    onShow(Math.floor((lines * bucket) / buckets), Math.floor((lines * (bucket + 1)) / buckets));
  };

  return (
    <svg
      className={`${styles.lane} ${styles[kind]}`}
      style={{ '--at': column, ...(colour ? { '--lane': colour } : {}) } as React.CSSProperties}
      viewBox={`0 ${from * buckets} 1 ${size * buckets}`}
      preserveAspectRatio="none"
      aria-hidden="true"
      data-mark={kind}
      onPointerDown={onPointerDown}
    >
      {/* A path alone is clicked only where it is drawn. */}
      <rect x="0" y={from * buckets} width="1" height={size * buckets} fill="transparent" />
      <path d={rulerPath(counts, (size * buckets) / Math.max(1, height))} />
    </svg>
  );
}

/** Returns the nearest bucket with marks, at most `reach` from `at`; null without one. Both are in buckets. */
export function nearestMarked(counts: readonly number[], at: number, reach: number): number | null {
  const here = Math.min(counts.length - 1, Math.max(0, Math.floor(at)));
  const most = Math.ceil(reach);
  for (let away = 0; away <= most; away += 1) {
    if (counts[here - away]) return here - away;
    if (counts[here + away]) return here + away;
  }
  return null;
}

/** Counts rising lines in buckets for a lane. Uses no more buckets than lines, as a part of a line has no position. */
export function countsOf(marked: readonly number[], lines: number, height: number): number[] {
  const counts = new Array<number>(Math.max(1, Math.min(MAX_BUCKETS, height, lines))).fill(0);
  for (const line of marked) {
    if (line > lines) continue;
    // The last bucket that begins before the line.
    const bucket = Math.ceil((line * counts.length) / lines) - 1;
    counts[bucket]! += 1;
  }
  return counts;
}

/** From the first line to the last. */
export type Lines = readonly [from: number, to: number];

/** Counts the lines of ranges in buckets of a ruler. Costs a step for each bucket, however long a range is. */
export function countsOfRanges(ranges: readonly Lines[], lines: number, buckets: number): number[] {
  const counts = new Array<number>(buckets).fill(0);
  const bucketOf = (line: number) => Math.ceil((line * buckets) / lines) - 1;
  for (const [from, to] of ranges) {
    if (from > lines) break;
    const last = bucketOf(Math.min(to, lines));
    for (let bucket = bucketOf(from); bucket <= last; bucket += 1) counts[bucket]! += 1;
  }
  return counts;
}

export const MAX_BUCKETS = 2048;

/**
 * Returns one SVG path for the buckets with matches, one unit high each. Adjacent buckets are one box; if buckets are
 * much higher than a mark must be, each has a thin box at its top. `pixel`: units in a pixel.
 */
export function rulerPath(counts: readonly number[], pixel: number): string {
  const apart = pixel * THICK_PX <= 1;
  let path = '';
  for (let at = 0; at < counts.length; ) {
    if (!counts[at]) {
      at += 1;
      continue;
    }
    let end = at + 1;
    while (!apart && counts[end]) end += 1;
    const high = apart ? pixel * THICK_PX : Math.max(end - at, pixel * 2);
    path += `M0 ${at}h1v${Number(high.toFixed(3))}h-1z`;
    at = end;
  }
  return path;
}

const THICK_PX = 3;
