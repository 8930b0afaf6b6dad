/** Answers requests about one text: views for people and agents, rows for the window, and states over time. */
import type { ReceivedParams, SummaryRef, SummaryState } from '../../../shared/api/api.ts';
import { type ExportParams, type ExportResult, MAX_EXPORT_LINES } from '../../../shared/api/filters.ts';
import type {
  CorrespondingLineParams,
  CorrespondingLineResult,
  DocumentRef,
  DocumentState,
  RowsParams,
  RowsResult,
} from '../../../shared/api/rows.ts';
import type { HistogramParams, HistogramState } from '../../../shared/api/search.ts';
import type { Surface, ViewMode } from '../../../shared/arguments/argument.ts';
import { impliedMode } from '../../../shared/arguments/modes.ts';
import { SpillwayError, toSpillwayError } from '../../../shared/errors.ts';
import { DEFAULT_VIEW_LINES, MAX_VIEW_LINES } from '../../../shared/limits.ts';
import type { Secrets } from '../../../shared/secrets/mask.ts';
import type { ByteWindow, InspectParams, ReadParams, Target, View } from '../../../shared/views.ts';
import { binaryNote } from '../../reader/bytes/content-type.ts';
import type { Pool } from '../../workers/pool.ts';
import type { Document, Need } from '../documents/document.ts';
import type { Generation, LineNumbers } from '../documents/generation.ts';
import type { TargetDocuments } from '../documents/targets/target-documents.ts';
import type { RequestOptions } from '../host.ts';
import { later } from '../in-order.ts';
import { type FilterJobs, SearchWithin } from '../search/filter-job.ts';
import type { Searches } from '../search/search-job.ts';
import type { WindowSearch } from '../search/window-search.ts';
import type { LiveSettings } from '../settings/config.ts';
import {
  COUNTED_BYTES,
  type CountingContext,
  linesCounted,
  NO_LINES,
  noteOf,
  type StreamFields,
  streamFields,
  type ViewContext,
} from './context.ts';
import { rowsNeed, rowsView, rowsWithTimes } from './dated-rows.ts';
import { failureView, NO_FAILURE } from './failure.ts';
import { grepQuery, grepView, NOT_SEARCHED } from './grep.ts';
import { histogramOf } from './histogram.ts';
import { checkRange, lastOfHead, lastOfRange, linesView } from './lines.ts';
import { EMPTY_OUTLINE, outlineView, sectionBounds } from './outline.ts';
import { redactView, redactWindow, type TextOfView } from './redact.ts';
import { EMPTY_SUMMARY, summaryView } from './summary.ts';
import { type LineBounds, lineSince, timeBounds } from './time-bounds.ts';
import { readDocument } from './window.ts';

interface TextsOptions {
  documents: TargetDocuments;
  pool: Pool;
  searches: Searches;
  filters: FilterJobs;
  search: WindowSearch;
  live: LiveSettings;
  /** The secrets that are masked in lines that a person saves; null if none are. */
  copySecrets(): Secrets | null;
  typedCommands: NonNullable<ViewContext['typedCommands']>;
}

export class Texts {
  readonly #options: TextsOptions;

  constructor(options: TextsOptions) {
    this.#options = options;
  }

  async inspect(params: InspectParams, options?: RequestOptions): Promise<View> {
    const document = await this.#document(params, options);
    const context = this.#context(options);
    return inspectDocument(document, params, context, options?.redact);
  }

  watchSummary(
    { document, max_shapes }: SummaryRef,
    listener: (state: SummaryState) => void,
    onError: (error: Error) => void,
  ): () => void {
    const stop = new AbortController();
    const tell = (read_bytes: number, view: View, done: boolean) => {
      if (!stop.signal.aborted && view.mode === 'summary') listener({ read_bytes, view, done });
    };
    this.inspect(
      { ...document, mode: 'summary', max_shapes },
      { signal: stop.signal, onProgress: ({ read_bytes, view }) => view && tell(read_bytes, view(), false) },
    ).then(
      (view) => tell(view.total_bytes, view, true),
      (error) => {
        if (!stop.signal.aborted) onError(toSpillwayError(error));
      },
    );
    return () => stop.abort();
  }

  async read(params: ReadParams, options?: RequestOptions): Promise<ByteWindow> {
    const document = await this.#document(params, options);
    const context = this.#context(options);
    const window = await readDocument(document, params, context);
    const { redact } = options ?? {};
    if (redact === undefined) return window;
    const { encoding, as_text } = params;
    const bytes = async (offset: number, limit: number) =>
      (await readDocument(document, { offset, limit, encoding, as_text }, context)).content;
    return document.use({ need: 'nothing', ...context }, (generation, artifact, count) => {
      const fields = streamFields(document, generation, artifact);
      return redactWindow(
        window,
        redact,
        bytes,
        textAround(fields, generation, {}, { ...context, artifact, count }),
      );
    });
  }

  async rows(params: RowsParams, options?: RequestOptions): Promise<RowsResult> {
    const { pool, search } = this.#options;
    const document = await this.#document(params.document, options);
    const { start_line: start, count, from_end: fromEnd = false, piece } = params;
    const request = { start, count, fromEnd, piece };
    return document.use({ need: rowsNeed(request), ...options }, async (generation) => {
      const { signal } = options ?? {};
      const result = await rowsView(generation, request, pool, signal);
      const dated = await rowsWithTimes(result.rows, generation, pool);
      const rows = await search.highlighted(dated, params.highlight, signal);
      return { generation: generation.number, start_line: result.start_line, rows };
    });
  }

  async exportLines(
    { document: ref, ...wanted }: ExportParams,
    options?: RequestOptions,
  ): Promise<ExportResult> {
    const document = await this.#document(ref, options);
    const { pool, searches, filters } = this.#options;
    const page = await document.use({ need: 'everything', ...options }, (generation) =>
      exportLines(generation, wanted, { pool, searches, filters, signal: options?.signal }),
    );
    const secrets = this.#options.copySecrets();
    if (secrets === null) return page;
    const texts = secrets.mask(page.lines.map(({ text }) => text).join('\n')).text.split('\n');
    return { ...page, lines: page.lines.map((line, i) => ({ ...line, text: texts[i]! })) };
  }

  watchHistogram(
    { document: ref, bins }: HistogramParams,
    listener: (state: HistogramState) => void,
    onError: (error: Error) => void,
  ): () => void {
    const stop = new AbortController();
    const { signal } = stop;
    const tell = (state: HistogramState) => {
      if (!signal.aborted) listener(state);
    };
    this.#document(ref, { signal })
      .then((document) =>
        document.use({ need: 'everything', signal }, (generation) =>
          histogramOf(generation, bins, { pool: this.#options.pool, signal, tell }),
        ),
      )
      .then(tell, (error) => {
        if (!signal.aborted) onError(toSpillwayError(error));
      });
    return () => stop.abort();
  }

  async lineAt({ document, offset }: ReceivedParams<'lineAt'>, options?: RequestOptions): Promise<number> {
    return this.lineIn(await this.#document(document, options), offset, options);
  }

  /** The line (from 1) that the byte at `offset` is in. Throws `out_of_range`. */
  lineIn(document: Document, offset: number, options?: RequestOptions): Promise<number> {
    const { pool } = this.#options;
    return document.use({ need: 'everything', ...options }, async (generation) => {
      if (offset > generation.size) {
        throw new SpillwayError(
          'out_of_range',
          `offset ${offset} is past the end`,
          `the stream has ${generation.size} bytes`,
        );
      }
      const args = { ...generation.text(), offset };
      return generation.numbers.shown(await pool.run('lineAt', args, { signal: options?.signal }));
    });
  }

  async lineAtTime(
    { document: ref, time }: ReceivedParams<'lineAtTime'>,
    options?: RequestOptions,
  ): Promise<number | null> {
    const { pool } = this.#options;
    const document = await this.#document(ref, options);
    return document.use({ need: 'everything', ...options }, async (generation) => {
      const line = await lineSince(generation, time, pool);
      return line === null ? null : Math.min(line, generation.numbers.total);
    });
  }

  async correspondingLine(
    { document: ref, line_number: start, stream }: CorrespondingLineParams,
    options?: RequestOptions,
  ): Promise<CorrespondingLineResult> {
    const { pool } = this.#options;
    const { signal } = options ?? {};
    const from = await this.#document(ref, options);
    const request = { start, count: 1, fromEnd: false };
    const offset = await from.use({ need: rowsNeed(request), ...options }, async (generation) => {
      const [row] = (await rowsView(generation, request, pool, signal)).rows;
      const arrivals = generation.arrivals();
      if (!row || !arrivals) return null;
      return stream === 'combined' ? row.offset : arrivals.offsetIn(stream, row.offset);
    });
    if (offset === null) return { line_number: null };
    const to = await this.#document({ ...ref, stream }, options);
    const line = await to.use({ need: 'everything', ...options }, async (generation) => {
      const at = generation.arrivals()?.offsetOf(from.stream, offset) ?? 0;
      const args = { ...generation.text(), offset: Math.max(0, Math.min(at, generation.size - 1)) };
      return generation.numbers.shown(await pool.run('lineAt', args, { signal }));
    });
    return { line_number: line };
  }

  watch(
    ref: DocumentRef,
    listener: (state: DocumentState) => void,
    onError: (error: Error) => void,
  ): () => void {
    const document = this.#options.documents.watchable(ref, 'person');
    return later(document, onError, (watched) => watched.watch(listener, onError));
  }

  #document(target: Target, options: RequestOptions | undefined): Promise<Document> {
    return this.#options.documents.get(target, options?.access ?? 'person');
  }

  #context(options: RequestOptions | undefined): ViewContext {
    const { pool, searches, live, typedCommands } = this.#options;
    const { maxLineChars, previewBytes, sectionPatterns } = live;
    const { signal, access, surface = 'tool', onProgress } = options ?? {};
    const given = { signal, access, surface, onProgress };
    return { pool, searches, maxLineChars, previewBytes, sectionPatterns, typedCommands, ...given };
  }
}

// Gives whole lines page by page, for files.

/** UTF-16 code units in one page. */
const PAGE_CHARS = 2 * 1024 * 1024;

const NEVER = new AbortController().signal;

interface ExportParts {
  pool: Pool;
  searches: Searches;
  filters: FilterJobs;
  signal: AbortSignal | undefined;
}

/** The generation must be indexed. Rejects with `cancelled` when the signal fires. */
async function exportLines(
  generation: Generation,
  { query, filter, lines: wanted, from }: Omit<ExportParams, 'document'>,
  { pool, searches, filters, signal }: ExportParts,
): Promise<ExportResult> {
  const { numbers } = generation;
  const stored: number[] = [];
  let total: number;
  if (query) {
    const job = searches.job(generation, query, false, from === 0);
    await searches.complete(job, signal);
    let found = job.lines;
    if (filter) {
      const within = new SearchWithin(job, filters.job(generation, filter), searches);
      await within.run(signal ?? NEVER, () => {});
      found = within.lines;
    }
    total = found.size;
    for (let k = from; k < total && stored.length < MAX_EXPORT_LINES; k += 1) stored.push(found.kth(k)!);
  } else if (wanted) {
    total = wanted.length;
    for (const line of wanted.slice(from)) {
      const here = numbers.from(line);
      // A line of a gap was not kept.
      if (here <= numbers.stored && numbers.shown(here) === line) stored.push(here);
    }
  } else {
    total = numbers.stored;
    for (let line = from + 1; line <= total && stored.length < MAX_EXPORT_LINES; line += 1) stored.push(line);
  }
  const request = { lines: stored, maxChars: PAGE_CHARS };
  const texts = await pool.run('plainLines', { ...generation.text(), request }, { signal, priority: 'bulk' });
  const lines = texts.map(({ text, clipped }, i) => ({
    line_number: numbers.shown(stored[i]!),
    text,
    ...(clipped ? { clipped: true as const } : {}),
  }));
  const isPart = texts.length > 0 && texts.length < stored.length;
  const last = stored[texts.length - 1];
  // Lines asked for by number may be missing, so continue after the last one that was read.
  const behind = wanted && last !== undefined ? wanted.indexOf(numbers.shown(last)) + 1 : from + texts.length;
  const next = isPart || (!wanted && behind < total && texts.length > 0) ? behind : null;
  return { generation: generation.number, lines, next, total };
}

/** `inspect`: one view of a document, by its mode. A new mode is one file beside this one and its line in VIEWS. */
interface ModeView {
  /** Throws `usage` for a question that no stream could answer. Called before anything is read. */
  checkParams?(params: InspectParams, surface: Surface): void;
  /** Throws `out_of_range` for lines that the stream can't have. */
  checkLines?(params: InspectParams, numbers: LineNumbers): void;
  /**
   * Returns the last stored line that it can show; null if that depends on how many there are. With gaps, a line's
   * number tells nothing about where it is stored.
   */
  lastLine(params: InspectParams, hasGaps: boolean): number | null;
  /** It counts lines while it reads them: nothing need be indexed before. */
  counts?: boolean;
  /** The generation is text, or shown as text, and is indexed unless the mode itself counts lines. */
  show(
    fields: StreamFields,
    generation: Generation,
    params: InspectParams,
    context: CountingContext,
  ): Promise<View>;
  /** The view of a binary stream, without the fields that all modes share. */
  empty: object;
}

const ANY_LINE = () => null;

const VIEWS: Record<ViewMode, ModeView> = {
  head: { lastLine: lastOfHead, show: linesView('head'), empty: {} },
  tail: { lastLine: ANY_LINE, show: linesView('tail'), empty: {} },
  range: {
    checkLines: checkRange,
    lastLine: (params, hasGaps) => (hasGaps ? null : lastOfRange(params)),
    show: linesView('range'),
    empty: {},
  },
  grep: { checkParams: grepQuery, lastLine: ANY_LINE, show: grepView, empty: NOT_SEARCHED },
  summary: { lastLine: ANY_LINE, counts: true, show: summaryView, empty: EMPTY_SUMMARY },
  failure: { checkLines: checkRange, lastLine: ANY_LINE, show: failureView, empty: NO_FAILURE },
  outline: { lastLine: ANY_LINE, counts: true, show: outlineView, empty: EMPTY_OUTLINE },
};

const LINE_MODES: readonly ViewMode[] = ['head', 'tail', 'range'];

function isBounded({ since, until, around, section }: InspectParams): boolean {
  return [since, until, around, section].some((one) => one !== undefined);
}

function narrower(a: LineBounds, b: LineBounds): LineBounds {
  return { first: Math.max(a.first, b.first), last: Math.min(a.last, b.last) };
}

function noneWithin({ first, last }: LineBounds, timed: LineBounds | null): string {
  if (first > last) return timed?.note ?? 'no line is of that time';
  return `these are lines ${first} to ${last}, and the range is outside of them`;
}

/** The lines that a mode shows of those between the bounds. */
function boundTo({ first, last }: LineBounds, mode: ViewMode, params: InspectParams): InspectParams {
  const { start_line: start = 1, end_line: end = last, lines, ...rest } = params;
  const [from, to] = [Math.max(first, start), Math.min(last, end)];
  const count = Math.min(lines ?? DEFAULT_VIEW_LINES, MAX_VIEW_LINES);
  if (mode === 'head') return { ...rest, start_line: from, end_line: Math.min(to, from + count - 1) };
  if (mode === 'tail') return { ...rest, start_line: Math.max(from, to - count + 1), end_line: to };
  return { ...rest, ...(lines === undefined ? {} : { lines }), start_line: from, end_line: to };
}

/** Reads lines around those of a view, which may tell what is secret in it. */
function textAround(
  fields: StreamFields,
  generation: Generation,
  { raw }: Pick<InspectParams, 'raw'>,
  context: CountingContext,
): TextOfView {
  return {
    maxLineChars: context.maxLineChars,
    lines: async (start_line, end_line) => {
      const isWhole = !generation.isPartial || generation.gaps.length > 0;
      await context.count(isWhole ? 'everything' : { line: end_line + 1 });
      return (await linesView('range')(fields, generation, { raw, start_line, end_line }, context)).content;
    },
  };
}

/** Throws `usage` and `out_of_range`. */
async function inspectDocument(
  document: Document,
  params: InspectParams,
  context: ViewContext,
  redact: Secrets | undefined,
): Promise<View> {
  const mode = params.mode ?? impliedMode(params);
  const { checkParams, checkLines, lastLine, counts = false, show, empty } = VIEWS[mode];
  checkParams?.(params, context.surface);
  const asText = (generation: Generation) => generation.contentType !== 'binary' || params.as_text === true;
  const need: Need = (generation) => {
    const hasGaps = generation.gaps.length > 0;
    const last = isBounded(params) || params.entries ? null : lastLine(params, hasGaps);
    // Unpack no more than is shown, and one line to tell that there is more.
    if (generation.isPartial && last !== null) return { line: last + 1 };
    if (!asText(generation) && !hasGaps && generation.size > COUNTED_BYTES) return 'nothing';
    return counts && !hasGaps && !isBounded(params) && asText(generation) ? 'nothing' : 'everything';
  };
  return document.use({ need, ...context }, async (generation, artifact, count) => {
    const counting = { ...context, artifact, count };
    const fields = streamFields(document, generation, artifact);
    checkLines?.(params, generation.numbers);
    if (asText(generation)) {
      const named =
        params.section === undefined ? null : await sectionBounds(generation, params.section, counting);
      const timed = await timeBounds(generation, params, context);
      const bounds = named && timed ? narrower(named, timed) : (named ?? timed);
      const within = bounds ? boundTo(bounds, mode, params) : params;
      const showing = bounds && LINE_MODES.includes(mode) ? linesView('range') : show;
      const view =
        bounds && within.start_line! > within.end_line! && mode !== 'grep'
          ? ({ ...fields, ...NO_LINES, ...empty, truncated: true, note: noneWithin(bounds, timed) } as View)
          : await showing(fields, generation, within, counting);
      // Lines that were not stored are in no view.
      const truncated = view.truncated || generation.gaps.length > 0;
      const isNone = timed !== null && timed.first > timed.last;
      const { note } = noteOf([view.note ?? null, !isNone && (timed?.note ?? null)]);
      const shown = { ...view, mode, truncated, ...(note === undefined ? {} : { note }) } as View;
      return redact ? redactView(shown, redact, textAround(fields, generation, params, counting)) : shown;
    }
    const note = binaryNote(generation.head, generation.size, context.surface);
    const counted = linesCounted(generation);
    return { ...fields, ...counted, ...NO_LINES, ...empty, mode, truncated: true, note } as View;
  });
}
