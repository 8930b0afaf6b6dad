/** `summary`: what a whole stream holds. Its stretches are read on every thread and merged in their order. */
import { DEFAULT_SHAPES } from '../../../shared/limits.ts';
import type { InspectParams, LinesView, SummaryView } from '../../../shared/views.ts';
import { planStretches } from '../../reader/lines/stretches.ts';
import {
  finishSummary,
  mergeSummaries,
  type SummaryTotal,
  startSummary,
} from '../../reader/summary/merge.ts';
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
  const viewOf = (summary: SummaryFields): SummaryView => ({
    ...fields,
    ...NO_LINES,
    mode: 'summary',
    truncated: fields.total_bytes > 0,
    ...summary,
    ...noteOf(generation.notes()),
  });
  return viewOf(await summarise(generation, params.max_shapes ?? DEFAULT_SHAPES, context, viewOf));
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

/** Time between two reports, but for the first, which comes with the first stretch. */
const REPORT_MS = 250;

async function summarise(
  generation: Generation,
  maxShapes: number,
  { pool, signal, onProgress }: ViewContext,
  viewOf: (summary: SummaryFields) => SummaryView,
): Promise<SummaryFields> {
  const stream = generation.stream();
  const json =
    generation.contentType === 'json' ? pool.run('jsonFacts', stream, { priority: 'bulk', signal }) : null;
  // Its error is handled where it is awaited, below.
  json?.catch(() => {});
  const total = startSummary();
  let reported = Number.NEGATIVE_INFINITY;
  await inOrder(
    planStretches(generation.index),
    pool.bulkWidth,
    (stretch) => pool.run('summarise', { ...stream, request: { stretch } }, { priority: 'bulk', signal }),
    (part) => {
      mergeSummaries(total, part);
      if (!onProgress || total.bytes >= generation.size || performance.now() - reported < REPORT_MS) return;
      reported = performance.now();
      const view = () => viewOf({ ...fieldsOf(total, maxShapes, generation), json: null });
      onProgress({ read_bytes: total.bytes, total_bytes: generation.size, view });
    },
  );
  return { ...fieldsOf(total, maxShapes, generation), json: await json };
}

function fieldsOf(
  total: SummaryTotal,
  maxShapes: number,
  { numbers }: Generation,
): Omit<SummaryFields, 'json'> {
  const { total_lines: _counted, ...facts } = finishSummary(total, { maxShapes });
  return {
    ...facts,
    first_errors: facts.first_errors.map((error) => ({
      ...error,
      line_number: numbers.shown(error.line_number),
    })),
    shapes: facts.shapes.map((shape) => ({ ...shape, first_line: numbers.shown(shape.first_line) })),
  };
}
