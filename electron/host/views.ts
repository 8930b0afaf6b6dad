/** Requests on one document, as the views of CONTRACT 5. */
import type { Artifact } from '../../shared/artifact.ts';
import { SpillwayError } from '../../shared/errors.ts';
import {
  DEFAULT_SHAPES,
  DEFAULT_VIEW_LINES,
  DEFAULT_WINDOW_BYTES,
  MAX_VIEW_LINES,
} from '../../shared/limits.ts';
import type {
  ByteWindow,
  InspectParams,
  LinesView,
  ReadParams,
  SummaryView,
  View,
} from '../../shared/views.ts';
import { binaryNote } from '../reader/binary-note.ts';
import type { LinesRequest } from '../reader/lines-view.ts';
import type { Pool } from '../workers/pool.ts';
import type { Document } from './documents/document.ts';
import type { Generation } from './documents/generation.ts';
import { grepQuery, grepView } from './search/grep-view.ts';
import type { Searches } from './search/searches.ts';
import { searchWindow } from './search-window.ts';
import { summarise } from './summarise.ts';

export interface ViewContext {
  pool: Pool;
  searches: Searches;
  maxLineChars: number;
  signal?: AbortSignal | undefined;
}

export async function inspectDocument(
  document: Document,
  params: InspectParams,
  context: ViewContext,
): Promise<View> {
  // Before anything is read: what is wrong with the question is said at once.
  if (params.mode === 'grep') grepQuery(params);
  return document.use('everything', async (generation, artifact) => {
    const base = viewBase(generation, artifact);
    const binary = generation.contentType === 'binary' && !params.as_text;
    if (params.mode === 'summary') {
      if (binary) return { ...emptySummary(base), note: binaryNote(generation.head, generation.size) };
      return summaryView(base, generation, params, context);
    }
    if (params.mode === 'grep') {
      if (binary)
        return {
          ...NO_MATCHES,
          ...base,
          ...NO_LINES,
          mode: 'grep',
          truncated: true,
          note: binaryNote(generation.head, generation.size),
        };
      return grepView(base, generation, params, context);
    }
    const mode = params.mode ?? 'head';
    const request = linesRequest(params, base.total_lines, context.maxLineChars);
    if (binary) {
      return {
        ...base,
        ...NO_LINES,
        mode,
        truncated: true,
        note: binaryNote(generation.head, generation.size),
      };
    }
    return linesView(base, mode, generation, request, context);
  });
}

export function readDocument(
  document: Document,
  params: ReadParams,
  context: ViewContext,
): Promise<ByteWindow> {
  return document.use('everything', async (generation, artifact) => {
    const base = { ...viewBase(generation, artifact), mode: 'window' as const, clipped_lines: 0 };
    const offset = params.offset ?? 0;
    const { search } = params;
    const request = { offset, limit: search ? 1 : (params.limit ?? DEFAULT_WINDOW_BYTES) };
    const window = await context.pool.run(
      'window',
      { ...generation.stream(), request },
      { signal: context.signal },
    );
    if (generation.contentType === 'binary' && !params.as_text) {
      return {
        ...base,
        ...NO_LINES,
        mode: 'window',
        offset: window.offset,
        bytes_shown: 0,
        truncated: true,
        next_offset: null,
        note: binaryNote(generation.head, generation.size),
      };
    }
    if (search)
      return { ...base, ...(await searchWindow(generation, { ...params, search }, window, context)) };
    const { start_line, end_line, next_offset } = window;
    return {
      ...base,
      ...window,
      start_offset: start_line === null ? null : window.offset,
      truncated: window.bytes_shown < generation.size,
      next_start_line:
        next_offset === null || end_line === null ? null : end_line + (window.content.endsWith('\n') ? 1 : 0),
      ...(generation.problem ? { note: generation.problem } : {}),
    };
  });
}

function viewBase(generation: Generation, artifact: Artifact) {
  return {
    artifact_id: artifact.artifact_id,
    file_path: artifact.streams[0]?.file_path ?? null,
    stream: artifact.streams[0]?.name ?? ('output' as const),
    content_type: generation.contentType,
    encoding: generation.encoding,
    total_lines: generation.lines,
    total_bytes: generation.size,
    running: artifact.status === 'running',
  };
}

type Base = ReturnType<typeof viewBase>;

const NO_LINES = {
  start_line: null,
  end_line: null,
  start_offset: null,
  lines_shown: 0,
  clipped_lines: 0,
  content: '',
  next_start_line: null,
};

const NO_MATCHES = { match_count: 0, matches_shown: 0, next_cursor: null, matches: [], timed_out: false };

/** The lines a request asks for. Throws `out_of_range` for a start below 1 or after the end line. */
export function linesRequest(params: InspectParams, total: number, maxLineChars: number): LinesRequest {
  const common = { raw: params.raw ?? false, maxChars: params.max_chars, maxLineChars };
  const lines = Math.min(params.lines ?? DEFAULT_VIEW_LINES, MAX_VIEW_LINES);
  if (params.mode === 'tail') {
    const first = Math.max(1, total - lines + 1);
    return { ...common, first, count: lines, keepEnd: true };
  }
  if (params.mode !== 'range') return { ...common, first: 1, count: lines };
  const first = params.start_line ?? 1;
  if (first < 1) {
    throw new SpillwayError(
      'out_of_range',
      `line ${first} does not exist`,
      `lines are numbered from 1 to ${total}`,
    );
  }
  const end = params.end_line;
  if (end !== undefined && end < first) {
    throw new SpillwayError(
      'out_of_range',
      `the range ends at line ${end}, before it starts at line ${first}`,
      'give an end line that is not before the start line',
    );
  }
  return {
    ...common,
    first,
    count: end === undefined ? lines : Math.min(end - first + 1, params.lines ?? Infinity),
  };
}

async function linesView(
  base: Base,
  mode: LinesView['mode'],
  generation: Generation,
  request: LinesRequest,
  context: ViewContext,
): Promise<LinesView> {
  const { replayed_part, ...result } = await context.pool.run(
    'lines',
    { ...generation.stream(), request },
    { signal: context.signal },
  );
  const notes = [
    ...(generation.problem ? [generation.problem] : []),
    ...(replayed_part ? ['of a redrawn line over 4 MiB, only the last 4 MiB were replayed'] : []),
  ];
  return {
    ...base,
    mode,
    ...result,
    truncated: result.lines_shown < result.total_lines || result.clipped_lines > 0,
    ...(notes.length > 0 ? { note: notes.join('; ') } : {}),
  };
}

async function summaryView(
  base: Base,
  generation: Generation,
  params: InspectParams,
  context: ViewContext,
): Promise<SummaryView> {
  const facts = await summarise(generation, {
    pool: context.pool,
    maxShapes: params.max_shapes ?? DEFAULT_SHAPES,
    signal: context.signal,
  });
  return {
    ...base,
    ...NO_LINES,
    mode: 'summary',
    truncated: base.total_bytes > 0,
    ...facts,
    ...(generation.problem ? { note: generation.problem } : {}),
  };
}

function emptySummary(base: Base): SummaryView {
  return {
    ...base,
    ...NO_LINES,
    mode: 'summary',
    truncated: true,
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
}
