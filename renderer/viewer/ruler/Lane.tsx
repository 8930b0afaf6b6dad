/** One column of the ruler. A click near a mark goes to its first line. */
import type { PointerEvent } from 'react';
import styles from './Ruler.module.css';
import type { RulerScale } from './Ruler.tsx';

export type LaneKind = 'errors' | 'matches' | 'marks';

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
