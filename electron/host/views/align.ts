/** `align`: which lines of two texts say the same, for two panes that scroll together. */
import type { Alignment, AlignParams } from '../../../shared/api/align.ts';
import { SpillwayError } from '../../../shared/errors.ts';
import { createBeat, tellToStop } from '../../workers/beat.ts';
import type { Pool } from '../../workers/pool.ts';
import type { TargetDocuments } from '../documents/targets/target-documents.ts';
import type { RequestOptions } from '../host.ts';
import { hold, shownLines } from './compare.ts';

interface AlignContext {
  documents: TargetDocuments;
  pool: Pool;
}

export async function alignOutputs(
  params: AlignParams,
  { documents, pool }: AlignContext,
  options: RequestOptions = {},
): Promise<Alignment> {
  const access = options.access ?? 'person';
  const { signal } = options;
  const [first, second] = await Promise.all([
    documents.get(params.first, access),
    documents.get(params.second, access),
  ]);
  return hold(first, options, ({ generation: one }) =>
    hold(second, options, async ({ generation: other }) => {
      if (one.contentType === 'binary' || other.contentType === 'binary')
        throw new SpillwayError('unsupported', 'one of the outputs is binary', 'align outputs of text');
      const beat = createBeat();
      const stop = () => tellToStop(beat);
      signal?.addEventListener('abort', stop, { once: true });
      try {
        const args = { ...one.text(), second: other.text(), beat };
        const found = await pool.run('align', args, { priority: 'bulk', signal });
        return {
          blocks: found.blocks.map(([a, b, count]) => [one.numbers.shown(a), other.numbers.shown(b), count]),
          only_first: shownLines(found.onlyFirst, one.numbers),
          only_second: shownLines(found.onlySecond, other.numbers),
          ...(found.isPartial ? { note: 'Long outputs: not all of their lines are aligned' } : {}),
        };
      } finally {
        signal?.removeEventListener('abort', stop);
      }
    }),
  );
}
