/** The rows around the matches in view, fetched as they come into view. */
import { useEffect, useMemo, useReducer } from 'react';
import type { Row } from '../../shared/api/rows.ts';
import { useConnection } from '../connection/HostProvider.tsx';
import { ContextRows } from './context-rows.ts';
import type { Search } from './use-search.ts';

/** `first` and `last`: matches in view, from 0. */
export function useContextRows(
  { search, snapshot, lines: total, layout }: Search,
  first: number | null,
  last: number | null,
): { row(line: number, offset: number): Row | undefined } {
  const connection = useConnection();
  const [, redraw] = useReducer((count: number) => count + 1, 0);
  const generation = snapshot.state?.generation ?? null;
  const { context } = layout;
  const rows = useMemo(
    () =>
      connection && search && generation !== null && context > 0
        ? new ContextRows(connection, search.document, generation, context, redraw)
        : null,
    [connection, search, generation, context],
  );
  useEffect(() => () => rows?.close(), [rows]);

  useEffect(() => {
    if (!rows || first === null || last === null) return;
    const lines: number[] = [];
    for (let match = first; match <= last; match += 1) {
      const row = search?.rows.row(match);
      if (row) lines.push(row.line);
    }
    rows.want(lines, { lines: total, bytes: snapshot.state?.total_bytes ?? 0 });
  }, [rows, search, snapshot, total, first, last]);

  return { row: (line, offset) => rows?.row(line, offset) };
}
