/** Matching lines as `grep -n` prints them, from a thread that is ended when the expression gets nowhere on them. */
import { toSpillwayError } from '../../../shared/errors.ts';
import type { GrepLinesRequest, GrepLinesResult } from '../../search/grep-lines.ts';
import { createBeat } from '../../workers/beat.ts';
import type { Pool } from '../../workers/pool.ts';
import type { Generation } from '../documents/generation.ts';
import { renumbered } from './renumber-grep.ts';

interface GrepPage extends GrepLinesResult {
  /** True when the search for match positions gave up: the lines are given whole, from their first column. */
  got_nowhere: boolean;
}

export async function grepPage(
  pool: Pool,
  generation: Generation,
  request: Omit<GrepLinesRequest, 'unmarked'>,
  signal: AbortSignal | undefined,
): Promise<GrepPage> {
  const page = async (unmarked: boolean) => {
    const beat = createBeat();
    const args = { ...generation.text(), request: { ...request, unmarked }, beat };
    const found = await pool.run('grepLines', args, { signal, beat });
    return { ...renumbered(found, generation.numbers, request.context), got_nowhere: unmarked };
  };
  try {
    return await page(false);
  } catch (error) {
    if (toSpillwayError(error).code !== 'stalled') throw error;
    return page(true);
  }
}
