/** `summary`: what a whole stream holds. Its stretches are read on every thread and merged in their order. */
import { DEFAULT_SHAPES } from '../../../shared/limits.ts';
import type { FieldValues, InspectParams, LinesView, SummaryView } from '../../../shared/views.ts';
import { decoderFor } from '../../reader/bytes/encoding.ts';
import { ValueTotal } from '../../reader/summary/field-values.ts';
import type { JsonFacts } from '../../reader/summary/json/json-facts.ts';
import { fieldOfLine, messageBeside } from '../../reader/summary/json/json-messages.ts';
import {
  finishSummary,
  firstErrors,
  jsonLinesFacts,
  mergeSummaries,
  type SummaryTotal,
  startSummary,
} from '../../reader/summary/merge.ts';
import type { SummariseRequest } from '../../reader/summary/summarise.ts';
import { shortError } from '../../reader/summary/tally.ts';
import type { TaskResult } from '../../workers/tasks.ts';
import type { Generation } from '../documents/generation.ts';
import { type CountingContext, NO_LINES, noteOf, readStretches, type StreamFields } from './context.ts';

type SummaryFields = Omit<SummaryView, keyof LinesView>;

interface Summarised extends SummaryFields {
  total_bytes: number;
  total_lines: number;
}

/** Indexes the generation while it reads. Rejects with `cancelled` when the signal fires, and with `changed`. */
export async function summaryView(
  fields: StreamFields,
  generation: Generation,
  params: InspectParams,
  context: CountingContext,
): Promise<SummaryView> {
  const part = await partOf(generation, params, context);
  const viewOf = ({ total_bytes, total_lines, ...summary }: Summarised): SummaryView => ({
    ...fields,
    ...NO_LINES,
    mode: 'summary',
    total_bytes,
    // Lines in gaps also count.
    total_lines: generation.gaps.length > 0 || part ? fields.total_lines : total_lines,
    truncated: total_bytes > 0,
    ...(part
      ? { start_line: params.start_line!, end_line: Math.min(params.end_line!, fields.total_lines ?? 0) }
      : {}),
    ...summary,
    ...noteOf(generation.notes()),
  });
  await generation.learnFormat(context.pool);
  return viewOf(await summarise(generation, params, part, context, viewOf));
}

/** The lines that are summarised, if not all. */
interface Part {
  /** Stored lines before it. */
  before: number;
  within: NonNullable<SummariseRequest['within']>;
}

async function partOf(
  generation: Generation,
  { start_line: start, end_line: end }: InspectParams,
  { pool }: CountingContext,
): Promise<Part | null> {
  if (start === undefined || end === undefined) return null;
  const first = generation.numbers.from(start);
  const lines = [first, Math.max(first, generation.numbers.to(end) + 1)];
  const [from, to] = await pool.run('lineStarts', { ...generation.text(), lines });
  return { before: first - 1, within: { from: from!, to: to! } };
}

export const EMPTY_SUMMARY: SummaryFields = {
  line_length_mean: 0,
  line_length_max: 0,
  blank_lines: 0,
  line_ending: 'none',
  levels: {},
  first_timestamp: null,
  last_timestamp: null,
  first_errors: [],
  format: null,
  shapes: [],
  shapes_exact: true,
  json: null,
};

/** Time between two reports; the first is sent with the first stretch. */
const REPORT_MS = 250;

async function summarise(
  generation: Generation,
  { max_shapes: maxShapes = DEFAULT_SHAPES, field }: InspectParams,
  part: Part | null,
  { pool, signal, onProgress, count }: CountingContext,
  viewOf: (summary: Summarised) => SummaryView,
): Promise<Summarised> {
  const total = startSummary();
  /** Size of the text when the summary began; null while it is unpacked. */
  let size = generation.isPartial ? null : generation.size;
  let reported = Number.NEGATIVE_INFINITY;
  const values = field === undefined ? null : new ValueTotal();
  const wanted = field === undefined ? undefined : { name: field, groups: generation.fieldPatterns };
  const before = part?.before ?? 0;
  const take = ({ summary, values: counted }: TaskResult<'summarise'>) => {
    if (counted) values?.add(counted, before + total.lines);
    mergeSummaries(total, summary);
    if (!onProgress || part || total.bytes === size || performance.now() - reported < REPORT_MS) return;
    reported = performance.now();
    const total_bytes = size ?? generation.size;
    const total_lines = generation.numbers.total;
    const view = () =>
      viewOf({
        ...fieldsOf(total, withoutLevelFields(firstErrors(total)), maxShapes, generation, 0),
        total_bytes,
        total_lines,
        json: null,
      });
    onProgress({ read_bytes: total.bytes, total_bytes: size, view });
  };
  let json: Promise<JsonFacts | null> | null = null;
  const stream = await readStretches(
    generation,
    { pool, signal, count },
    (text, stretch) =>
      pool.run(
        'summarise',
        { ...text, request: { stretch, facts: generation.timeFacts(), within: part?.within }, field: wanted },
        { priority: 'bulk', signal },
      ),
    take,
    (text, whole) => {
      size = whole;
      if (size === null || part || generation.contentType !== 'json') return;
      json ??= pool.run('jsonFacts', text, { priority: 'bulk', signal });
      // Its error is handled where it is awaited, below.
      json.catch(() => {});
    },
  );
  const beginning = {
    bytes: generation.head,
    isWhole: generation.head.length >= stream.size,
    decoder: decoderFor(generation.encoding),
  };
  // More of the text may have been unpacked since.
  await generation.learnFormat(pool);
  const placed = firstErrors(total).map((one) => ({ ...one, line_number: one.line_number + before }));
  const errors = await withMessages(placed, generation, { pool, signal });
  return {
    ...fieldsOf(total, errors, maxShapes, generation, before),
    total_bytes: stream.size,
    ...(values ? { field_values: shownValues(values.result(field!, maxShapes), generation) } : {}),
    json: part ? null : ((await json) ?? jsonLinesFacts(total, beginning)),
  };
}

function shownValues(values: FieldValues, { numbers }: Generation): FieldValues {
  const shown = <T extends { first_line: number }>(one: T) => ({
    ...one,
    first_line: numbers.shown(one.first_line),
  });
  return { ...values, values: values.values.map(shown), shapes: values.shapes.map(shown) };
}

function fieldsOf(
  total: SummaryTotal,
  errors: SummaryView['first_errors'],
  maxShapes: number,
  { numbers, format }: Generation,
  before: number,
): Omit<Summarised, 'json' | 'total_bytes'> {
  const facts = finishSummary(total, { maxShapes });
  return {
    ...facts,
    format,
    total_lines: total.lines,
    first_errors: errors.map((error) => ({
      ...error,
      line_number: numbers.shown(error.line_number),
    })),
    shapes: facts.shapes.map((shape) => ({ ...shape, first_line: numbers.shown(before + shape.first_line) })),
  };
}

// Replaces, among the first errors of a text, fields such as `"level": "error",` of indented JSON by the message beside
// them. A field without one is left out: it says nothing that the levels' counts don't.

type ErrorLine = SummaryView['first_errors'][number];

/** Lines before and after a level that may hold its message. */
const REACH_LINES = 50;
const MAX_CHARS = 1 << 20;
/** Characters of each line to look at. */
const LINE_CHARS = 2000;

/** Returns the errors that are told by more than a level field. */
function withoutLevelFields(errors: readonly ErrorLine[]): ErrorLine[] {
  return errors.filter(({ text }) => !isLevelField(text));
}

/** Line numbers are those of stored lines. The generation is indexed. */
async function withMessages(
  errors: readonly ErrorLine[],
  generation: Generation,
  { pool, signal }: Pick<CountingContext, 'pool' | 'signal'>,
): Promise<ErrorLine[]> {
  if (!errors.some(({ text }) => isLevelField(text))) return [...errors];
  const found = new Map<number, ErrorLine>();
  for (const error of errors) {
    const message = isLevelField(error.text) ? await messageOf(error.line_number) : error;
    if (message) found.set(message.line_number, message);
  }
  return [...found.values()].sort((a, b) => a.line_number - b.line_number);

  async function messageOf(level: number): Promise<ErrorLine | null> {
    const first = Math.max(1, level - REACH_LINES);
    const count = Math.min(generation.lines, level + REACH_LINES) - first + 1;
    const lines = Array.from({ length: count }, (_, index) => first + index);
    const request = { lines, maxChars: MAX_CHARS };
    const read = await pool.run('plainLines', { ...generation.text(), request }, { signal });
    if (read.length <= level - first) return null;
    const texts = read.map(({ text }) => text.slice(0, LINE_CHARS));
    const at = messageBeside(texts, level - first);
    return at === null ? null : { line_number: first + at, text: shortError(texts[at]!) };
  }
}

function isLevelField(text: string): boolean {
  return fieldOfLine(text)?.isLevel === true;
}
