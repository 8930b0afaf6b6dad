/** A summary of a whole stream: its stretches on every thread there is, merged in their order. */
import type { LinesView, SummaryView } from '../../../shared/views.ts';
import { planStretches } from '../../reader/lines/stretches.ts';
import { finishSummary, mergeSummaries, startSummary } from '../../reader/summary/merge.ts';
import type { Pool } from '../../workers/pool.ts';
import type { Generation } from '../documents/generation.ts';
import { inOrder } from '../in-order.ts';

export interface SummariseOptions {
  pool: Pool;
  maxShapes: number;
  signal?: AbortSignal | undefined;
}

export type Summary = Omit<SummaryView, keyof LinesView>;

/** The generation must be indexed. Rejects with `cancelled` when the signal fires. */
export async function summarise(generation: Generation, options: SummariseOptions): Promise<Summary> {
  const { pool, signal } = options;
  const stream = generation.stream();
  const json =
    generation.contentType === 'json' ? pool.run('jsonFacts', stream, { priority: 'bulk', signal }) : null;
  // An error is met where it is awaited, below; until then it is nobody's.
  json?.catch(() => {});
  const total = startSummary();
  await inOrder(
    planStretches(generation.index),
    pool.bulkWidth,
    (stretch) => pool.run('summarise', { ...stream, request: { stretch } }, { priority: 'bulk', signal }),
    (part) => mergeSummaries(total, part),
  );
  const { total_lines: _counted, ...facts } = finishSummary(total, { maxShapes: options.maxShapes });
  return {
    ...facts,
    first_errors: facts.first_errors.map((error) => ({
      ...error,
      line_number: generation.numbers.shown(error.line_number),
    })),
    shapes: facts.shapes.map((shape) => ({
      ...shape,
      first_line: generation.numbers.shown(shape.first_line),
    })),
    json: await json,
  };
}
