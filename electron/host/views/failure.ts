/** `failure`: the lines that explain a failure, of a whole stream or of a range of its lines. */
import { basename, dirname } from 'node:path';
import { MAX_VIEW_LINES } from '../../../shared/limits.ts';
import type { FailureView, InspectParams, LinesView } from '../../../shared/views.ts';
import { cutExplanation } from '../../reader/failure/cut.ts';
import type { FailurePreview } from '../../reader/failure/preview.ts';
import { readExplained } from '../../store/contents/explained.ts';
import { ourFile } from '../../store/format/artifact-files.ts';
import { explainedFile } from '../../store/format/names.ts';
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
      : (keptView(fields, generation, request) ??
        (await pool.run('failure', { ...generation.stream(), request }, { priority: 'bulk', signal })));
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

/** The view from what the recorder kept; null where it kept nothing of all these bytes and lines. */
function keptView(
  { artifact_id, file_path }: StreamFields,
  generation: Generation,
  { first, last, ...limits }: { first: number; last: number; bytes: number; lines: number },
): FailurePreview | null {
  if (file_path === null || ourFile(explainedFile(artifact_id)) === null) return null;
  if (first > 1 || last < generation.lines || generation.gaps.length > 0) return null;
  const name = NAME_OF_FILE.exec(basename(file_path).slice(artifact_id.length))?.[1] ?? 'output';
  const kept = readExplained(dirname(file_path), artifact_id, name, generation.size);
  if (kept?.totalLines !== generation.lines) return null;
  const { parts, lines, isCut } = cutExplanation(kept, limits);
  return { parts, cause: kept.cause, lines, omits: lines < kept.totalLines, isCut };
}

const NAME_OF_FILE = /^\.(stdout|stderr)\./;
