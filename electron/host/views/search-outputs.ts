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

/**
 * An agent waits for one reply, and an archive may hold terabytes: the longest search of one output, and the time after
 * which no other is begun.
 */
const MOST_OUTPUT_MS = 15_000;
const MOST_BEGIN_MS = 30_000;

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
  const { surface = 'tool' } = options;
  grepQuery(query, surface);
  const most = limit ?? DEFAULT_LIST_LIMIT;
  const found = { searched: 0, unsearched: 0, timed_out: false };
  const slow: string[] = [];
  const outputs: FoundOutput[] = [];
  let last: Artifact | null = null;
  /** Nothing more is taken: the next page begins behind `last`. */
  let isFull = false;
  let read_bytes = 0;
  const { onProgress: _, ...quiet } = options;
  const begun = performance.now();
  const isBounded = surface === 'tool';
  const searchOne = async ({ artifact_id }: Artifact): Promise<GrepView | 'unsearched' | 'late'> => {
    if (isBounded && performance.now() - begun > MOST_BEGIN_MS) return 'late';
    const own = isBounded ? [AbortSignal.timeout(MOST_OUTPUT_MS)] : [];
    const signal = AbortSignal.any([...own, ...(options.signal ? [options.signal] : [])]);
    try {
      const view = await inspect({ ...query, artifact_id }, { ...quiet, signal });
      // Keep the matches even if a part of the output could not be searched.
      const isSearched = view.mode === 'grep' && (view.unsearched !== true || view.match_count > 0);
      return isSearched ? view : 'unsearched';
    } catch (error) {
      const isLate = own[0]?.aborted === true && options.signal?.aborted !== true;
      if (toSpillwayError(error).code === 'cancelled' && !isLate) throw error;
      if (isLate) slow.push(artifact_id);
      // It no longer exists, cannot be read, or takes too long: the others are searched all the same.
      return 'unsearched';
    }
  };
  const take = (view: GrepView | 'unsearched' | 'late', artifact: Artifact) => {
    isFull ||= outputs.length >= most || view === 'late';
    if (isFull || view === 'late') return;
    last = artifact;
    read_bytes += artifact.streams.reduce((sum, { total_bytes }) => sum + total_bytes, 0);
    options.onProgress?.({ read_bytes, total_bytes: null });
    if (view === 'unsearched') {
      found.unsearched += 1;
      return;
    }
    found.searched += 1;
    found.timed_out ||= view.timed_out;
    if (view.match_count > 0) outputs.push(foundIn(artifact, view));
  };
  const narrowed = { limit: MAX_LIST_LIMIT, session, kind, status, since, failed };
  let next = cursor ?? null;
  do {
    const page = await list({ ...narrowed, cursor: next ?? undefined }, options);
    for (let first = 0; first < page.outputs.length && outputs.length < most && !isFull; first += BATCH)
      await runInOrder(page.outputs.slice(first, first + BATCH), PARALLEL, searchOne, take);
    const isPartial = (isFull || outputs.length >= most) && last !== page.outputs.at(-1);
    next = isPartial && last ? cursorOf(last) : page.next_cursor;
  } while (outputs.length < most && !isFull && next !== null);
  const match_count = outputs.reduce((sum, one) => sum + one.match_count, 0);
  return {
    outputs,
    shapes: shapesOf(outputs),
    match_count,
    ...found,
    ...(slow.length > 0 ? { slow } : {}),
    next_cursor: next,
  };
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
