/** `summary`: what a whole stream holds. Its stretches are read on every thread and merged in their order. */
import { DEFAULT_SHAPES } from '../../../shared/limits.ts';
import type { InspectParams, LinesView, SummaryView } from '../../../shared/views.ts';
import { planStretches } from '../../reader/lines/stretches.ts';
import { finishSummary, mergeSummaries, startSummary } from '../../reader/summary/merge.ts';
import type { Generation } from '../documents/generation.ts';
import { inOrder } from '../in-order.ts';
import { NO_LINES, noteOf, type StreamFields, type ViewContext } from './context.ts';

type SummaryFields = Omit<SummaryView, keyof LinesView>;

/** The generation must be indexed. Rejects with `cancelled` when the signal fires. */
export async function summaryView(
  fields: StreamFields,
  generation: Generation,
  params: InspectParams,
  context: ViewContext,
): Promise<SummaryView> {
  return {
    ...fields,
    ...NO_LINES,
    mode: 'summary',
    truncated: fields.total_bytes > 0,
    ...(await summarise(generation, params.max_shapes ?? DEFAULT_SHAPES, context)),
    ...noteOf(generation.notes()),
  };
}

/** The fields of a summary in which nothing was counted. */
export const EMPTY_SUMMARY: SummaryFields = {
  line_length_mean: 0,
  line_length_max: 0,
  blank_lines: 0,
  line_ending: 'none',
  levels: {},
  first_timestamp: null,
  last_timestamp: null,
  first_errors: [],
  shapes: [],
  shapes_exact: true,
  json: null,
};

async function summarise(
  generation: Generation,
  maxShapes: number,
  { pool, signal }: ViewContext,
): Promise<SummaryFields> {
  const stream = generation.stream();
  const json =
    generation.contentType === 'json' ? pool.run('jsonFacts', stream, { priority: 'bulk', signal }) : null;
  // Its error is handled where it is awaited, below.
  json?.catch(() => {});
  const total = startSummary();
  await inOrder(
    planStretches(generation.index),
    pool.bulkWidth,
    (stretch) => pool.run('summarise', { ...stream, request: { stretch } }, { priority: 'bulk', signal }),
    (part) => mergeSummaries(total, part),
  );
  const { total_lines: _counted, ...facts } = finishSummary(total, { maxShapes });
  const { numbers } = generation;
  return {
    ...facts,
    first_errors: facts.first_errors.map((error) => ({
      ...error,
      line_number: numbers.shown(error.line_number),
    })),
    shapes: facts.shapes.map((shape) => ({ ...shape, first_line: numbers.shown(shape.first_line) })),
    json: await json,
  };
}
