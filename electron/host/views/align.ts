/** `align`: which lines of two texts say the same, for two panes that scroll together. */
import type { Alignment, AlignParams } from '../../../shared/api/align.ts';
import { SpillwayError } from '../../../shared/errors.ts';
import type { Pool } from '../../workers/pool.ts';
import type { TargetDocuments } from '../documents/targets/target-documents.ts';
import type { RequestOptions } from '../host.ts';
import { NUMBERS, running } from '../library/message-tables.ts';
import { shownLines } from './compare.ts';

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
  const asked = { need: NUMBERS, signal, access };
  return first.use(asked, (one) =>
    second.use(asked, async (other) => {
      if (one.contentType === 'binary' || other.contentType === 'binary')
        throw new SpillwayError('unsupported', 'one of the outputs is binary', 'align outputs of text');
      const found = await running(signal, (beat) =>
        pool.run('align', { ...one.text(), second: other.text(), beat }, { priority: 'idle', signal }),
      );
      return {
        blocks: found.blocks.map(([a, b, count]) => [one.numbers.shown(a), other.numbers.shown(b), count]),
        only_first: shownLines(found.onlyFirst, one.numbers),
        only_second: shownLines(found.onlySecond, other.numbers),
        ...(found.isPartial ? { note: 'Long outputs: not all of their lines are aligned' } : {}),
      };
    }),
  );
}
