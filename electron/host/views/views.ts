/** Requests on one document, as the views of CONTRACT 5. */
import type { Artifact, StreamName } from '../../../shared/artifact.ts';
import { DEFAULT_SHAPES, DEFAULT_WINDOW_BYTES } from '../../../shared/limits.ts';
import type { ByteWindow, InspectParams, ReadParams, SummaryView, View } from '../../../shared/views.ts';
import { binaryNote } from '../../reader/text/binary-note.ts';
import type { Pool } from '../../workers/pool.ts';
import type { Document } from '../documents/document.ts';
import type { Generation } from '../documents/generation.ts';
import type { Access } from '../host.ts';
import { grepQuery, grepView } from '../search/grep-view.ts';
import type { Searches } from '../search/searches.ts';
import { checkRange, linesOf } from './line-views.ts';
import { searchWindow } from './search-window.ts';
import { summarise } from './summarise.ts';

export interface ViewContext {
  pool: Pool;
  searches: Searches;
  maxLineChars: number;
  signal?: AbortSignal | undefined;
  access?: Access | undefined;
}

export async function inspectDocument(
  document: Document,
  params: InspectParams,
  context: ViewContext,
): Promise<View> {
  // Before anything is read: what is wrong with the question is said at once.
  if (params.mode === 'grep') grepQuery(params);
  return document.use({ need: 'everything', ...context }, async (generation, artifact) => {
    const base = viewBase(document, generation, artifact);
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
    checkRange(params, generation.numbers);
    if (binary) {
      return {
        ...base,
        ...NO_LINES,
        mode,
        truncated: true,
        note: binaryNote(generation.head, generation.size),
      };
    }
    return { ...base, ...(await linesOf(mode, generation, params, context)) };
  });
}

export function readDocument(
  document: Document,
  params: ReadParams,
  context: ViewContext,
): Promise<ByteWindow> {
  return document.use({ need: 'everything', ...context }, async (generation, artifact) => {
    const base = { ...viewBase(document, generation, artifact), mode: 'window' as const, clipped_lines: 0 };
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
    const { numbers } = generation;
    const next =
      next_offset === null || end_line === null ? null : end_line + (window.content.endsWith('\n') ? 1 : 0);
    const shown = { start_line: numbers.shownOrNull(start_line), end_line: numbers.shownOrNull(end_line) };
    return {
      ...base,
      ...window,
      ...shown,
      start_offset: start_line === null ? null : window.offset,
      truncated: window.bytes_shown < generation.size || generation.gaps.length > 0,
      next_start_line: numbers.shownOrNull(next),
      ...noteOf(generation.notes(shown.start_line ?? 1, shown.end_line ?? 1)),
    };
  });
}

function viewBase(document: Document, generation: Generation, artifact: Artifact) {
  return {
    artifact_id: artifact.artifact_id,
    file_path: pathOfStream(artifact, document.stream),
    stream: document.stream,
    content_type: generation.contentType,
    encoding: generation.encoding,
    total_lines: generation.numbers.total,
    total_bytes: generation.size,
    running: artifact.status === 'running',
  };
}

type Base = ReturnType<typeof viewBase>;

/** Two streams together have no file, unless one of them is empty. */
function pathOfStream({ streams }: Artifact, name: StreamName): string | null {
  if (name !== 'combined') return streams.find((stream) => stream.name === name)?.file_path ?? null;
  const told = streams.filter((stream) => stream.total_bytes + stream.dropped_bytes > 0);
  return told.length === 1 ? told[0]!.file_path : null;
}

function noteOf(notes: readonly string[]): { note?: string } {
  return notes.length > 0 ? { note: notes.join('; ') } : {};
}

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
    ...noteOf(generation.notes()),
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
