/** Finds where several queries match in texts. An expression that is not valid or gets nowhere matches nothing. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { SpillwayError, toSpillwayError } from '../../../shared/errors.ts';
import {
  FREE,
  HIGHLIGHTERS,
  Highlighter,
  Highlighters,
  type HighlightParams,
  type HighlightResult,
  type SearchQuery,
} from '../../../shared/search-query.ts';
import { expressionOf } from '../../search/expression.ts';
import { replaceFile } from '../../store/format/small-file.ts';
import { createBeat } from '../../workers/call-watch.ts';
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

// Keeps a person's highlighters: `highlighters.json` in the home.

/** In the file `regex` stands for `fixed`, as earlier versions write and read it. */
const StoredHighlighter = Highlighter.omit({ fixed: true })
  .extend({ regex: z.boolean() })
  .transform(({ regex, ...rest }): Highlighter => ({ ...rest, fixed: !regex }));

/** Returns ten highlighters; missing or invalid ones are free slots. */
export function readHighlighters(home: string): Highlighter[] {
  let stored: unknown = [];
  try {
    stored = JSON.parse(readFileSync(fileOf(home), 'utf8'));
  } catch {
    // None were kept.
  }
  const list = Array.isArray(stored) ? stored : [];
  return Array.from({ length: HIGHLIGHTERS }, (_, at) => StoredHighlighter.safeParse(list[at]).data ?? FREE);
}

/** Throws `home` where the file cannot be written. */
export function writeHighlighters(home: string, highlighters: readonly Highlighter[]): void {
  const stored: z.input<typeof StoredHighlighter>[] = Highlighters.parse(highlighters).map(
    ({ fixed, ...rest }) => ({ ...rest, regex: !fixed }),
  );
  try {
    replaceFile(fileOf(home), `${JSON.stringify(stored, null, 2)}\n`);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new SpillwayError('home', `highlighters could not be saved (${code})`, `make ${home} writable`);
  }
}

function fileOf(home: string): string {
  return join(home, 'highlighters.json');
}
