/**
 * Tables of messages, for comparisons. A capture's table is kept beside it. It is made by the first comparison with the
 * capture, or by a host that has nothing else to do (`TableKeeper`). Recorders make none, so that none gets slower.
 */
import type { Artifact, StreamName } from '../../../shared/artifact.ts';
import { SpillwayError } from '../../../shared/errors.ts';
import type { MessageTable } from '../../reader/compare/table.ts';
import type { Captures } from '../../store/captures.ts';
import { hasTable, keepTable, mayHaveTable, readTable } from '../../store/contents/message-table.ts';
import type { CaptureEntry } from '../../store/format/entry.ts';
import { createBeat, tellToStop } from '../../workers/call-watch.ts';
import type { Pool } from '../../workers/pool.ts';
import type { LineRange } from '../../workers/tasks.ts';
import type { Document, Need } from '../documents/document.ts';
import type { Generation } from '../documents/generation.ts';
import type { TargetDocuments } from '../documents/targets/target-documents.ts';
import type { RequestOptions } from '../host.ts';
import type { LiveSettings } from '../settings/config.ts';
import { checkRange } from '../views/lines.ts';

export interface Tabled {
  artifact: Artifact;
  table: MessageTable;
  /** Returns the number that people see of a line. */
  shown(line: number): number;
}

interface MessageTablesOptions {
  captures: Captures;
  documents: TargetDocuments;
  pool: Pool;
  /** Keeping a table pays only if its capture stays for a while. */
  live: LiveSettings;
}

/** Captures that stay for less are not compared with often. */
const LEAST_RETENTION_HOURS = 1;

export class MessageTables {
  readonly #options: MessageTablesOptions;

  constructor(options: MessageTablesOptions) {
    this.#options = options;
  }

  get keeps(): boolean {
    return this.#options.live.retentionHours >= LEAST_RETENTION_HOURS;
  }

  /** Returns the kept table of a capture; null without a usable one. The caller may read it. */
  kept(id: string, stream: StreamName): Tabled | null {
    const { captures } = this.#options;
    const entry = captures.find(id);
    const table = entry && isWhole(entry.record.streams, stream) ? readTable(entry) : null;
    return entry && table && { artifact: captures.artifactOf(entry), table, shown: (line) => line };
  }

  /**
   * Reads the document. Returns null for bytes that are no text. Rejects as `Document.use` does. To
   * make two tables at the same time, ask for one as bulk work: idle work has one thread.
   */
  of(
    document: Document,
    options: RequestOptions,
    lines: ShownLines = {},
    priority: 'idle' | 'bulk' = 'idle',
  ): Promise<Tabled | null> {
    const { pool } = this.#options;
    const { signal, access } = options;
    return document.use({ need: needOf(lines), signal, access }, async (generation, artifact) => {
      if (generation.contentType === 'binary') return null;
      const range = rangeOf(lines, generation);
      const entry = range ? null : this.#entryOf(artifact, document);
      const table = await running(signal, (beat) =>
        pool.run('messages', { ...generation.text(), range, beat }, { priority, signal }),
      );
      if (entry && this.keeps) keepTable(entry, table);
      const { numbers } = generation;
      return { artifact, table, shown: (line) => numbers.shown(line) };
    });
  }

  /** Makes the table of a finished capture, unless it has one or may have none. Never rejects. */
  async make(id: string, signal: AbortSignal): Promise<boolean> {
    const { captures, documents } = this.#options;
    try {
      const entry = captures.find(id);
      if (!this.keeps || !entry || !mayHaveTable(entry) || hasTable(entry)) return false;
      await this.of(await documents.get({ artifact_id: id }, 'person'), { signal });
      return true;
    } catch {
      // The first comparison will make it.
      return true;
    }
  }

  /** The capture whose whole output the document is. */
  #entryOf({ artifact_id, streams }: Artifact, { stream }: Document): CaptureEntry | null {
    if (!isWhole(streams, stream)) return null;
    const entry = this.#options.captures.find(artifact_id);
    return entry && mayHaveTable(entry) ? entry : null;
  }
}

/** Whether the stream is all of the output. */
function isWhole(streams: readonly unknown[], stream: StreamName): boolean {
  return streams.length === 1 || stream === 'combined';
}

/** Lines by the numbers that people see; all of a text if there are none. */
export interface ShownLines {
  start_line?: number | undefined;
  end_line?: number | undefined;
}

export function needOf({ start_line, end_line }: ShownLines): Need {
  return start_line === undefined && end_line === undefined ? NUMBERS : 'everything';
}

export function rangeOf({ start_line, end_line }: ShownLines, { numbers }: Generation): LineRange | null {
  if (start_line === undefined && end_line === undefined) return null;
  checkRange({ start_line, end_line }, numbers);
  if (start_line !== undefined && start_line > numbers.total)
    throw new SpillwayError(
      'out_of_range',
      `line ${start_line} does not exist`,
      numbers.total === 0 ? 'the output is empty' : `lines are numbered from 1 to ${numbers.total}`,
    );
  return { first: numbers.from(start_line ?? 1), last: numbers.to(end_line ?? Number.POSITIVE_INFINITY) };
}

/** Line numbers are those of the text unless some of it is missing; and all of it must be there. */
export const NUMBERS = ({ gaps, isPartial }: { gaps: readonly unknown[]; isPartial: boolean }) =>
  gaps.length > 0 || isPartial ? 'everything' : 'nothing';

/** Runs a task that stops with the signal. */
export async function running<T>(
  signal: AbortSignal | undefined,
  run: (beat: ReturnType<typeof createBeat>) => Promise<T>,
): Promise<T> {
  const beat = createBeat();
  const stop = () => tellToStop(beat);
  signal?.addEventListener('abort', stop, { once: true });
  try {
    return await run(beat);
  } finally {
    signal?.removeEventListener('abort', stop);
  }
}

// Makes tables of messages (message-tables.ts) ahead of the comparisons that need them. It takes one command after the
// other, the last ones first, on the thread for idle work. After each it rests so long that all of it takes 3 % of a
// processor's time.

/** Rest after a table, as a multiple of the time that it took. */
const REST_FACTOR = 33;
/** The first seconds belong to who waits for the command. */
const LEAST_REST_MS = 2000;
/** Captures that wait. With more, the oldest are left to who compares with them. */
const MOST_WAITING = 100;

export class TableKeeper {
  readonly #tables: MessageTables;
  /** Ids, by the time when they ended. */
  readonly #waiting = new Map<string, number>();
  readonly #closing = new AbortController();
  /** None is tried twice. */
  readonly #done = new Set<string>();
  #timer: NodeJS.Timeout | null = null;
  #making: Promise<void> = Promise.resolve();

  constructor(tables: MessageTables) {
    this.#tables = tables;
  }

  /** Takes any artifact; commands that ended are put in line. */
  put({ artifact_id: id, kind, status, started_at, ended_at }: Artifact): void {
    if (kind !== 'cmd' || status === 'running' || !this.#tables.keeps) return;
    if (this.#done.has(id) || this.#closing.signal.aborted) return;
    // Nobody saw the end of a command whose recorder was killed.
    this.#waiting.set(id, Date.parse(ended_at ?? started_at ?? '') || 0);
    if (this.#waiting.size > MOST_WAITING) this.#waiting.delete(this.#first((a, b) => a < b)!);
    this.#timer ??= setTimeout(() => this.#next(), LEAST_REST_MS).unref();
  }

  remove(id: string): void {
    this.#waiting.delete(id);
    this.#done.delete(id);
  }

  async close(): Promise<void> {
    this.#closing.abort();
    if (this.#timer) clearTimeout(this.#timer);
    await this.#making;
  }

  #next(): void {
    const id = this.#first((a, b) => a > b);
    if (id === null) {
      this.#timer = null;
      return;
    }
    this.#waiting.delete(id);
    this.#done.add(id);
    const start = performance.now();
    this.#making = this.#tables.make(id, this.#closing.signal).then((isMade) => {
      if (this.#closing.signal.aborted) return;
      const rest = isMade ? Math.max(LEAST_REST_MS, REST_FACTOR * (performance.now() - start)) : 0;
      this.#timer = setTimeout(() => this.#next(), rest).unref();
    });
  }

  #first(isBefore: (a: number, b: number) => boolean): string | null {
    let first: [string, number] | null = null;
    for (const one of this.#waiting) if (first === null || isBefore(one[1], first[1])) first = one;
    return first?.[0] ?? null;
  }
}
