/** Returns the function that opens a clipped row in the reader for long lines. */
import { useCallback } from 'react';
import type { DocumentRef, Row } from '../../../shared/api/rows.ts';
import type { LongLinePages } from './long-line.ts';

interface Rows {
  rows: { generation: number | null };
}

/** @param of has the rows of the document */
export function useReadOn(
  document: DocumentRef | undefined,
  of: Rows | null,
  open: (long: LongLinePages) => void,
): (line: number | null, row: Row, offset?: number) => void {
  return useCallback(
    (line, row, offset) => {
      const generation = of?.rows.generation ?? null;
      if (document && generation !== null) open({ document, generation, line, row, offset });
    },
    [document, of, open],
  );
}
