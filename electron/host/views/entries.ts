/** `entries`: whole entries instead of lines, by the format of the text. */
import type { InspectParams } from '../../../shared/views.ts';
import { unbroken } from '../../reader/lines/line-gaps.ts';
import type { EntryForm, LineSpan } from '../../reader/views/entry-bounds.ts';
import type { Pool } from '../../workers/pool.ts';
import type { Generation } from '../documents/generation.ts';

export async function entryForm(generation: Generation, pool: Pool): Promise<EntryForm> {
  await generation.learnFormat(pool);
  return { rule: generation.format?.entries ?? 'time', facts: generation.timeFacts() };
}

/** Returns the stored lines, grown to the borders of entries if the request asks for these. */
export async function withEntries(
  span: LineSpan,
  generation: Generation,
  { entries, mode }: Pick<InspectParams, 'entries' | 'mode'>,
  pool: Pool,
): Promise<LineSpan> {
  const { numbers } = generation;
  const last = Math.min(span.last, numbers.stored);
  if (!entries || span.first > last) return span;
  const asked = { first: span.first, last };
  const form = await entryForm(generation, pool);
  const grown = await pool.run('entriesAround', { ...generation.text(), span: asked, form });
  // An entry does not reach over lines that are missing.
  return {
    first: mode === 'head' ? span.first : Math.max(grown.first, unbroken(numbers.gaps, span.first).first),
    last: mode === 'tail' ? span.last : Math.min(grown.last, unbroken(numbers.gaps, last).last),
  };
}
