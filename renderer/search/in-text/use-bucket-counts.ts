/** How many lines match in each part of the text: asked for when that may have changed, not too often. */
import { useEffect, useRef, useState } from 'react';
import type { RequestResult } from '../../../shared/api/api.ts';
import type { SearchState } from '../../../shared/api/search.ts';
import { MAX_BUCKETS } from '../../viewer/ruler/Lane.tsx';
import type { RulerScale } from '../../viewer/ruler/Ruler.tsx';

/** Milliseconds between two looks while the search goes on. */
const LOOK_EVERY_MS = 250;

export type FetchCounts = (buckets: number, signal: AbortSignal) => Promise<RequestResult<'match_counts'>>;

/** @param fetch the same function as long as it is the same search */
export function useBucketCounts(
  state: SearchState | null,
  fetch: FetchCounts,
  { height, lines }: RulerScale,
): readonly number[] {
  const [counts, setCounts] = useState<readonly number[]>([]);
  const asked = useRef(0);
  // Never more than there are lines: a part of a line would be shown at its end.
  const wanted = Math.max(1, Math.min(MAX_BUCKETS, height, lines));
  const generation = state?.generation ?? null;
  const total = state?.match_count ?? 0;
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
      fetch(wanted, request.signal).then(
        (found) => found.generation === generation && setCounts(found.counts),
        // The next state asks again.
        () => {},
      );
    }, wait);
    return () => {
      clearTimeout(timer);
      request.abort();
    };
  }, [fetch, height === 0, wanted, generation, total, done, bytes]);
  return counts;
}
