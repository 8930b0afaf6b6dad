/** One column of the ruler. A click near something in it goes to the first line of that. */
import type { PointerEvent } from 'react';
import styles from './Ruler.module.css';
import type { RulerScale } from './Ruler.tsx';
import { rulerPath } from './ruler-path.ts';

export type LaneKind = 'errors' | 'matches' | 'marks';

interface LaneProps {
  kind: LaneKind;
  /** From the left, from 0. */
  column: number;
  /** The text's lines cut into equal parts: how many in each are marked. */
  counts: readonly number[];
  scale: RulerScale;
  /** Another colour than the kind's. */
  colour?: string | undefined;
  /** Shows the first marked line in a part of the text: `from` is the line before it, `to` its last. */
  onShow: (from: number, to: number) => void;
}

/** Pixels beside a mark that still belong to it. */
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

/** The bucket with marks nearest to `at` and at most `reach` away; null without one. Both count in buckets. */
export function nearestMarked(counts: readonly number[], at: number, reach: number): number | null {
  const here = Math.min(counts.length - 1, Math.max(0, Math.floor(at)));
  const most = Math.ceil(reach);
  for (let away = 0; away <= most; away += 1) {
    if (counts[here - away]) return here - away;
    if (counts[here + away]) return here + away;
  }
  return null;
}

/** Counts for a lane from single lines, rising. Never more parts than lines: a part of a line has no place. */
export function countsOf(marked: readonly number[], lines: number, height: number): number[] {
  const counts = new Array<number>(Math.max(1, Math.min(MAX_BUCKETS, height, lines))).fill(0);
  for (const line of marked) {
    if (line > lines) continue;
    // The last part that begins before the line.
    const bucket = Math.ceil((line * counts.length) / lines) - 1;
    counts[bucket]! += 1;
  }
  return counts;
}

export const MAX_BUCKETS = 2048;
