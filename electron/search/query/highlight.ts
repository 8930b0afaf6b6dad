/** Locates a query's matches in the lines that are shown. */
import type { Row } from '../../../shared/api/rows.ts';
import type { SearchQuery } from '../../../shared/search-query.ts';
import { MatchFinder } from '../locate/match-finder.ts';
import { expressionOf } from './query.ts';

/** Most matches marked in one line: more than fit on a screen. */
const MAX_MATCHES = 200;

/** Returns for each text the starts and ends of its matches, in pairs. `onLine` is called after each text. */
export function highlight(
  texts: readonly string[],
  query: SearchQuery,
  onLine: () => void = () => {},
): number[][] {
  const finder = new MatchFinder(expressionOf(query));
  return texts.map((text) => {
    const matches: number[] = [];
    for (const { index, length } of query.invert ? [] : finder.all(text)) {
      matches.push(index, index + length);
      if (matches.length >= MAX_MATCHES * 2) break;
    }
    onLine();
    return matches;
  });
}

/** Whether a query can match in a part of a line: one by level alone, or for lines without a pattern, can't. */
export function marksText({ invert, pattern }: SearchQuery): boolean {
  return !invert && pattern !== '';
}

/** Marks the matches in those rows that match. */
export function markRows(
  rows: readonly Row[],
  matching: readonly boolean[],
  query: SearchQuery,
  onLine?: () => void,
): Row[] {
  const texts = rows.filter((_, index) => matching[index]).map((row) => row.text);
  const matches = highlight(texts, query, onLine).values();
  return rows.map((row, index) => (matching[index] ? { ...row, matches: matches.next().value! } : row));
}
