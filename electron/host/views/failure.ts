/** `failure`: the lines that explain a failure, of a whole stream or of a range of its lines. */
import { MAX_VIEW_LINES } from '../../../shared/limits.ts';
import type { FailureView, InspectParams, LinesView } from '../../../shared/views.ts';
import type { Generation } from '../documents/generation.ts';
import { NO_LINES, noteOf, type StreamFields, type ViewContext } from './context.ts';

/** The fields of a failure view in which nothing is shown. */
export const NO_FAILURE: Omit<FailureView, keyof LinesView> = { cause: null, parts: [] };

/** The generation must be indexed; `checkRange` has passed. Rejects with `cancelled` when the signal fires. */
export async function failureView(
  fields: StreamFields,
  generation: Generation,
  params: InspectParams,
  { pool, signal, previewBytes }: ViewContext,
): Promise<FailureView> {
  const { numbers } = generation;
  const first = numbers.from(params.start_line ?? 1);
  const last = numbers.to(params.end_line ?? Number.POSITIVE_INFINITY);
  const request = { first, last, bytes: params.max_chars ?? previewBytes, lines: MAX_VIEW_LINES };
  const found =
    last < first
      ? { parts: [], cause: null, lines: 0, omits: false, isCut: false }
      : await pool.run('failure', { ...generation.stream(), request }, { priority: 'bulk', signal });
  const parts = found.parts.map(({ start_line, end_line, why, line }) => ({
    start_line: numbers.shown(start_line),
    end_line: numbers.shown(end_line),
    ...(why && line ? { why, line: numbers.shown(line) } : {}),
  }));
  const cause = found.cause && {
    stream: fields.stream,
    line_number: numbers.shown(found.cause.line_number),
    text: found.cause.text,
  };
  return {
    ...fields,
    ...NO_LINES,
    mode: 'failure',
    start_line: parts[0]?.start_line ?? null,
    end_line: parts.at(-1)?.end_line ?? null,
    lines_shown: found.lines,
    clipped_lines: found.isCut ? 1 : 0,
    truncated: found.lines < numbers.total || found.isCut,
    content: found.parts.map((part) => part.content).join('\n'),
    cause,
    parts,
    ...noteOf(generation.notes(params.start_line, params.end_line)),
  };
}
