/** What comparisons say of the lines of an output: of the one beside it, and of its own with runs that passed. */

import { createContext, useContext, useMemo } from 'react';
import type { Comparison } from '../../shared/comparison.ts';
import type { RowNews } from '../viewer/text/Rows.tsx';
import { isOnly, type PairedLines } from './alignment.ts';
import { newsOf } from './differences.ts';

/** What the output beside this one has not, and what only that one has; null while they are not aligned. */
export const Paired = createContext<PairedLines | null>(null);

export function useRowNews(comparison: Comparison | null): RowNews | null {
  const paired = useContext(Paired);
  return useMemo(() => {
    if (!comparison && !paired) return null;
    const below = paired?.missingBelow ?? null;
    return {
      newsOf(line) {
        if (comparison) return newsOf(comparison, line);
        return paired && isOnly(paired, line) ? 'only' : null;
      },
      missingAbove: (line) => paired?.missing.get(line) ?? 0,
      missingBelow: (line) => (below?.line === line ? below.count : 0),
    };
  }, [comparison, paired]);
}
