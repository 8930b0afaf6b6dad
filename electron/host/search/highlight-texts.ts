/** Finds where several queries match in texts. An expression that is not valid or gets nowhere matches nothing. */
import { toSpillwayError } from '../../../shared/errors.ts';
import type { HighlightParams, HighlightResult } from '../../../shared/highlighters.ts';
import type { SearchQuery } from '../../../shared/search-query.ts';
import { expressionOf } from '../../search/expression.ts';
import { createBeat } from '../../workers/beat.ts';
import type { Pool } from '../../workers/pool.ts';

/** Expressions that got nowhere: each try costs seconds of a thread. */
const gotNowhere = new Set<string>();
const MAX_REMEMBERED = 100;
const NOWHERE = 'the expression stopped making progress: simplify it';

export async function highlightTexts(
  pool: Pool,
  { texts, queries }: HighlightParams,
  signal: AbortSignal | undefined,
): Promise<HighlightResult> {
  const found = await Promise.all(queries.map((query) => highlightOne(pool, texts, query, signal)));
  return { matches: found.map(({ matches }) => matches), problems: found.map(({ problem }) => problem) };
}

async function highlightOne(
  pool: Pool,
  texts: readonly string[],
  query: SearchQuery,
  signal: AbortSignal | undefined,
): Promise<{ matches: number[][] | null; problem: string | null }> {
  const key = JSON.stringify(query);
  if (gotNowhere.has(key)) return { matches: null, problem: NOWHERE };
  try {
    expressionOf(query);
    const beat = createBeat();
    return { matches: await pool.run('highlight', { texts, query, beat }, { signal, beat }), problem: null };
  } catch (error) {
    const { code, what } = toSpillwayError(error);
    if (code === 'usage') return { matches: null, problem: what };
    if (code !== 'stalled') throw error;
    if (gotNowhere.size >= MAX_REMEMBERED) gotNowhere.clear();
    gotNowhere.add(key);
    return { matches: null, problem: NOWHERE };
  }
}
