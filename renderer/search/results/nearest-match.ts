/** The match nearest to a row of the results. Rows count from 0. */
interface Rows {
  row(index: number): { line: number; match: number | null } | undefined;
}

/** In the direction, or where it ends in the other; null when a row that is passed is not fetched yet. */
export function nearestMatch(
  rows: Rows,
  from: number,
  direction: 1 | -1,
  count: number,
): { row: number; line: number; match: number } | null {
  for (const by of [direction, -direction]) {
    for (let at = from; at >= 0 && at < count; at += by) {
      const row = rows.row(at);
      if (!row) return null;
      if (row.match !== null) return { row: at, line: row.line, match: row.match };
    }
  }
  return null;
}
