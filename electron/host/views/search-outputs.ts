/** Searches many outputs, the newest first, and groups the matching lines of each by the shape of their message. */
import type { Artifact } from '../../../shared/artifact.ts';
import { toSpillwayError } from '../../../shared/errors.ts';
import { DEFAULT_LIST_LIMIT, MAX_LIST_LIMIT, MAX_MATCHES } from '../../../shared/limits.ts';
import type {
  FoundLine,
  FoundOutput,
  FoundOutputs,
  FoundShape,
  SearchOutputsParams,
} from '../../../shared/search-outputs.ts';
import type { GrepView, InspectParams, ListParams, ListResult, View } from '../../../shared/views.ts';
import { cursorOf } from '../../library/catalogue.ts';
import { shapeOf } from '../../reader/shapes/shape.ts';
import type { RequestOptions } from '../host.ts';
import { runInOrder } from '../in-order.ts';
import { grepQuery } from './grep.ts';

interface Parts {
  list: (params: ListParams, options?: RequestOptions) => Promise<ListResult>;
  inspect: (params: InspectParams, options?: RequestOptions) => Promise<View>;
}

/** Outputs searched at once: small ones mostly wait for the disk. */
const PARALLEL = 4;
/** After so many it looks whether enough were found. */
const BATCH = 4 * PARALLEL;

/** Throws `usage` for an invalid pattern, time or cursor, before anything is searched. */
export async function searchOutputs(
  params: SearchOutputsParams,
  { list, inspect }: Parts,
  options: RequestOptions = {},
): Promise<FoundOutputs> {
  const { pattern, fixed, case_sensitive, session, kind, status, since, failed, limit, cursor } = params;
  const query = {
    mode: 'grep',
    pattern,
    fixed,
    case_sensitive,
    context_lines: 0,
    max_matches: MAX_MATCHES,
  } as const;
  grepQuery(query, options.surface ?? 'tool');
  const most = limit ?? DEFAULT_LIST_LIMIT;
  const found = { searched: 0, unsearched: 0, timed_out: false };
  const outputs: FoundOutput[] = [];
  let last: Artifact | null = null;
  let read_bytes = 0;
  const { onProgress: _, ...quiet } = options;
  const searchOne = async ({ artifact_id }: Artifact): Promise<GrepView | null> => {
    try {
      const view = await inspect({ ...query, artifact_id }, quiet);
      // Keep the matches even if a part of the output could not be searched.
      return view.mode === 'grep' && (view.unsearched !== true || view.match_count > 0) ? view : null;
    } catch (error) {
      if (toSpillwayError(error).code === 'cancelled') throw error;
      // It no longer exists or cannot be read: the others are searched all the same.
      return null;
    }
  };
  const take = (view: GrepView | null, artifact: Artifact) => {
    if (outputs.length >= most) return;
    last = artifact;
    read_bytes += artifact.streams.reduce((sum, { total_bytes }) => sum + total_bytes, 0);
    options.onProgress?.({ read_bytes, total_bytes: null });
    if (view === null) found.unsearched += 1;
    else found.searched += 1;
    found.timed_out ||= view?.timed_out === true;
    if (view && view.match_count > 0) outputs.push(foundIn(artifact, view));
  };
  const narrowed = { limit: MAX_LIST_LIMIT, session, kind, status, since, failed };
  let next = cursor ?? null;
  do {
    const page = await list({ ...narrowed, cursor: next ?? undefined }, options);
    for (let begun = 0; begun < page.outputs.length && outputs.length < most; begun += BATCH)
      await runInOrder(page.outputs.slice(begun, begun + BATCH), PARALLEL, searchOne, take);
    const isPartial = outputs.length >= most && last !== page.outputs.at(-1);
    next = isPartial && last ? cursorOf(last) : page.next_cursor;
  } while (outputs.length < most && next !== null);
  const match_count = outputs.reduce((sum, one) => sum + one.match_count, 0);
  return { outputs, shapes: shapesOf(outputs), match_count, ...found, next_cursor: next };
}

function foundIn(
  { artifact_id, label, status, exit_code, started_at }: Artifact,
  view: GrepView,
): FoundOutput {
  const lines = new Map<string, FoundLine>();
  for (const row of view.content === '' ? [] : view.content.split('\n')) {
    const colon = row.indexOf(':');
    const [line_number, text] = [Number(row.slice(0, colon)), row.slice(colon + 1)];
    // `--` stands between lines that are apart.
    if (colon < 0 || Number.isNaN(line_number)) continue;
    const bytes = Buffer.from(text.trim());
    const { text: shape } = shapeOf(bytes, 0, bytes.length);
    const known = lines.get(shape);
    if (known) known.count += 1;
    else lines.set(shape, { shape, count: 1, line_number, text });
  }
  const { match_count, matches_shown, timed_out } = view;
  const truncated = timed_out || matches_shown < match_count;
  return {
    ...{ artifact_id, label, status, exit_code, started_at, match_count },
    ...{ lines: [...lines.values()], truncated },
  };
}

export function shapesOf(outputs: readonly FoundOutput[]): FoundShape[] {
  const shapes = new Map<string, FoundShape>();
  for (const { artifact_id, lines } of outputs) {
    for (const line of lines) {
      const known = shapes.get(line.shape);
      if (known) {
        known.count += line.count;
        known.output_count += 1;
      } else shapes.set(line.shape, { ...line, output_count: 1, artifact_id });
    }
  }
  return [...shapes.values()];
}
