/** Where a query matches in lines that are shown. */
import type { SearchQuery } from '../../shared/search-query.ts';
import { compiled, expressionOf } from './query.ts';

/** Matches marked in one line: more than a screen's width holds. */
const MAX_MARKS = 200;

/** For each text: starts and ends of its matches, in pairs. `onLine` is called after each. */
export function highlight(
  texts: readonly string[],
  query: SearchQuery,
  onLine: () => void = () => {},
): number[][] {
  const { source, flags } = expressionOf(query);
  const expression = compiled(source, `${flags}g`);
  return texts.map((text) => {
    const marks: number[] = [];
    for (const found of query.invert ? [] : text.matchAll(expression)) {
      if (found[0] !== '') marks.push(found.index, found.index + found[0].length);
      if (marks.length >= MAX_MARKS * 2) break;
    }
    onLine();
    return marks;
  });
}
