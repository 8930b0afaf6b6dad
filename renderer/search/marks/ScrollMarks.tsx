/** Marks in the scrollbar where the text has matches. */
import { useEffect, useRef, useState } from 'react';
import type { Viewer } from '../../viewer/use-viewer.ts';
import type { OpenSearch, SearchSnapshot } from '../open-search.ts';
import type { Search } from '../use-search.ts';
import { marksPath } from './marks-path.ts';
import styles from './ScrollMarks.module.css';

/** Milliseconds between two looks while the search goes on. */
const LOOK_EVERY_MS = 250;
const MAX_BUCKETS = 2048;

interface ScrollMarksProps {
  search: OpenSearch;
  snapshot: SearchSnapshot;
  /** Lines in the whole text. */
  lines: number;
  /** The part of the text that the scrollbar is for: of all its lines, 0 to 1. */
  from: number;
  size: number;
}

/** Marks for the rows that the viewer shows. */
export function TextScrollMarks({ viewer, search }: { viewer: Viewer; search: Search }) {
  const { rows, opened } = viewer;
  const first = rows.lineOf(0);
  const { total } = opened.snapshot;
  if (!search.active || !search.search || first === null || total === 0) return null;
  return (
    <ScrollMarks
      search={search.search}
      snapshot={search.snapshot}
      lines={total}
      from={(first - 1) / total}
      size={rows.count / total}
    />
  );
}

function ScrollMarks({ search, snapshot, lines, from, size }: ScrollMarksProps) {
  const box = useRef<SVGSVGElement>(null);
  const [counts, setCounts] = useState<readonly number[]>([]);
  const [height, setHeight] = useState(0);
  const asked = useRef(0);

  useEffect(() => {
    if (!box.current) return;
    const resized = new ResizeObserver(([entry]) => setHeight(Math.round(entry?.contentRect.height ?? 0)));
    resized.observe(box.current);
    return () => resized.disconnect();
  }, []);

  const { state, total } = snapshot;
  // Never more than there are lines: a part of a line would be marked at its end.
  const wanted = Math.max(1, Math.min(MAX_BUCKETS, height, lines));
  const generation = state?.generation ?? null;
  const done = state?.done ?? false;
  const bytes = state?.total_bytes ?? 0;
  // biome-ignore lint/correctness/useExhaustiveDependencies: whatever changes where matches lie
  useEffect(() => {
    if (height === 0 || generation === null) return;
    if (total === 0) return setCounts([]);
    const request = new AbortController();
    const wait = Math.max(0, asked.current + LOOK_EVERY_MS - Date.now());
    const timer = setTimeout(() => {
      asked.current = Date.now();
      search.marks(wanted, request.signal).then(
        (marks) => marks.generation === generation && setCounts(marks.counts),
        // The next state asks again.
        () => {},
      );
    }, wait);
    return () => {
      clearTimeout(timer);
      request.abort();
    };
  }, [search, height === 0, wanted, generation, total, done, bytes]);

  const buckets = Math.max(1, counts.length);
  return (
    <svg
      ref={box}
      className={styles.marks}
      viewBox={`0 ${from * buckets} 1 ${size * buckets}`}
      preserveAspectRatio="none"
      aria-hidden="true"
      data-mark="matches"
    >
      <path d={marksPath(counts, (size * buckets) / Math.max(1, height))} />
    </svg>
  );
}
