/** One open stream in the window: its state from the host's events, and its rows. */

import { useEffect, useRef, useState, useSyncExternalStore } from 'react';
import type { Connection } from '../../../shared/api/api.ts';
import { type ExportResult, MAX_EXPORT_LINES } from '../../../shared/api/filters.ts';
import type { DocumentRef, DocumentState, RowsResult } from '../../../shared/api/rows.ts';
import type { StreamName } from '../../../shared/artifact.ts';
import { SpillwayError, toSpillwayError } from '../../../shared/errors.ts';
import type { LinesView } from '../../../shared/views.ts';
import { useConnection } from '../../connection/HostProvider.tsx';
import { firstValue, noSubscription } from '../../ui/state/store.ts';
import { useSteady } from '../../ui/state/use-steady.ts';
import { LongRows } from './long-rows.ts';
import { PacedListeners } from './paced-listeners.ts';
import { type FetchRows, RowFetcher } from './row-fetcher.ts';

export interface StreamLine {
  stream: StreamName;
  line: number;
}

interface DocumentNotice {
  at: string;
  text: string;
}

interface DocumentSnapshot {
  /** Null until the host's first event. */
  state: DocumentState | null;
  /** Why no more events will come. */
  error: SpillwayError | null;
  /** An event since it was opened that the person has not dismissed. */
  notice: DocumentNotice | null;
  /** Number of rows known to exist. */
  total: number;
  /** Whether all lines were counted once. While it grows, the count lags a little. */
  caughtUp: boolean;
}

export class OpenDocument {
  readonly ref: DocumentRef;
  readonly rows: RowFetcher;
  readonly long: LongRows;
  readonly fetchRows: FetchRows;
  readonly fetchWhole: FetchWhole;
  /** Fetches the last lines, even before all lines are counted. */
  readonly fetchTail: (count: number, signal: AbortSignal) => Promise<RowsResult>;
  readonly lineAt: (offset: number, signal: AbortSignal) => Promise<number>;
  /** Finds the first line that arrived at a time or later; null if arrivals were not recorded. */
  readonly lineAtTime: (time: number, signal: AbortSignal) => Promise<number | null>;
  /** Finds the lines of the entry around a line. */
  readonly entryAround: (line: number) => Promise<{ first: number; last: number }>;
  /** Finds the line that corresponds to a line of another stream; null if their order is unknown. */
  readonly lineLike: (from: StreamLine, signal: AbortSignal) => Promise<number | null>;
  readonly #listeners = new PacedListeners();
  readonly #unsubscribe: () => void;
  #snapshot: DocumentSnapshot = { state: null, error: null, notice: null, total: 0, caughtUp: false };
  /** The latest state of a text that only grew, until it is shown. */
  #grown: DocumentState | null = null;
  #caughtUp = false;

  constructor(connection: Connection, ref: DocumentRef) {
    this.ref = ref;
    this.fetchRows = (startLine, count, signal) =>
      connection.request('rows', { document: ref, start_line: startLine, count }, { signal });
    this.fetchWhole = (lines, signal) => fetchWholeLines(connection, ref, lines, signal);
    this.fetchTail = (count, signal) =>
      connection.request('rows', { document: ref, start_line: count, count, from_end: true }, { signal });
    this.lineAt = (offset, signal) => connection.request('lineAt', { document: ref, offset }, { signal });
    this.lineAtTime = (time, signal) => connection.request('lineAtTime', { document: ref, time }, { signal });
    this.entryAround = async (line) => {
      const range = { mode: 'range' as const, start_line: line, end_line: line, entries: true };
      const view = await connection.request('inspect', { ...ref, ...range });
      const { start_line, end_line } = view as LinesView;
      return { first: start_line ?? line, last: end_line ?? line };
    };
    this.lineLike = async ({ stream, line }, signal) => {
      const params = { document: { ...ref, stream }, line_number: line, stream: ref.stream ?? 'combined' };
      return (await connection.request('correspondingLine', params, { signal })).line_number;
    };
    this.rows = new RowFetcher(this.fetchRows, (isShown) => this.#set({}, isShown));
    this.long = new LongRows(
      (line, piece, highlight, signal) => {
        const wanted = { document: ref, start_line: line, count: 1, piece };
        return connection.request('rows', highlight ? { ...wanted, highlight } : wanted, { signal });
      },
      () => this.#set({}),
    );
    this.#unsubscribe = connection.subscribe(
      'document',
      ref,
      (state) => this.#take(state),
      // A closed connection is reported elsewhere; keep the text on the screen.
      (error) => toSpillwayError(error).code !== 'cancelled' && this.#set({ error: toSpillwayError(error) }),
    );
  }

  readonly subscribe = this.#listeners.subscribe;

  readonly snapshot = (): DocumentSnapshot => this.#snapshot;

  dismissNotice(): void {
    this.#set({ notice: null });
  }

  close(): void {
    this.#unsubscribe();
    this.rows.close();
    this.long.close();
    this.#listeners.close();
  }

  #take(state: DocumentState): void {
    const before = this.#snapshot.state;
    const sameText = before?.generation === state.generation;
    this.#caughtUp = state.indexed_bytes >= state.total_bytes || (sameText && this.#caughtUp);
    if (before && isOnlyLonger(before, state)) {
      this.#grown = state;
      this.#listeners.tellSoon(this.#grow);
      return;
    }
    this.#grown = null;
    this.#show(state);
    this.#listeners.tell();
  }

  /** Returns true once the rows that following needs are available, so that both are drawn together. */
  readonly #grow = (): boolean => {
    if (this.#grown) this.#show(this.#grown);
    this.#grown = null;
    return !this.rows.awaitsEnd;
  };

  #show(state: DocumentState): void {
    this.long.update(state.generation);
    this.rows.update(state);
    const notice = newNotice(this.#snapshot.state, state) ?? this.#snapshot.notice;
    this.#change({ state, notice, caughtUp: this.#caughtUp });
  }

  #set(change: Partial<DocumentSnapshot>, isShown = true): void {
    this.#change(change);
    if (isShown) this.#listeners.tell();
    if (!isShown || this.#grown) this.#listeners.tellSoon(this.#grow);
  }

  #change(change: Partial<DocumentSnapshot>): void {
    this.#snapshot = { ...this.#snapshot, ...change, total: this.rows.total };
  }
}

/** Growth below this is counted before a reader notices. */
const SOON_COUNTED_BYTES = 64 * 1024 * 1024;

/** Whether all lines have numbers, or will have them in a moment. */
export function isCounted({ state, caughtUp }: DocumentSnapshot): boolean {
  if (!state) return false;
  const behind = state.total_bytes - state.indexed_bytes;
  return behind <= 0 || (caughtUp && behind < SOON_COUNTED_BYTES);
}

/** Whether it is the same text, only longer or counted further. */
function isOnlyLonger(before: DocumentState, now: DocumentState): boolean {
  return (
    now.generation === before.generation &&
    now.total_lines > before.total_lines &&
    before.total_lines > 0 &&
    now.artifact.status === before.artifact.status &&
    now.notice?.at === before.notice?.at
  );
}

/** Returns the notice for a new state; null for events before the document was opened. */
function newNotice(before: DocumentState | null, state: DocumentState): DocumentNotice | null {
  if (!before) return null;
  if (state.notice && state.notice.at !== before.notice?.at) return state.notice;
  if (state.generation === before.generation) return null;
  return { at: new Date().toISOString(), text: 'The file was replaced; showing it as it is now' };
}

/** Keeps the shown stream open. While the next one opens, the last one stays. */
export interface Opened {
  document: OpenDocument | null;
  snapshot: DocumentSnapshot;
  /** Resolves to the newest document once it is open: after another format was chosen, to the one read by that. */
  latest: () => Promise<OpenDocument | null>;
}

const NOTHING: DocumentSnapshot = { state: null, error: null, notice: null, total: 0, caughtUp: false };
const nothing = () => NOTHING;

export function useOpenDocument(ref: DocumentRef): Opened {
  const connection = useConnection();
  const [document, setDocument] = useState<OpenDocument | null>(null);
  const asked = useRef<OpenDocument | null>(null);
  const { artifact_id, stream, encoding, as_text, log_format, merged, log_formats } = ref;

  useEffect(() => {
    // Offline: keep the text until the host can be asked again.
    if (!connection) return;
    const parts = { artifact_id, stream, encoding, as_text, log_format, merged, log_formats };
    const next = new OpenDocument(connection, compact(parts));
    asked.current = next;
    const swap = () => {
      if (isDecided(next)) unsubscribe();
      setDocument((shown) => (shown === null || isDecided(next) ? next : shown));
    };
    const unsubscribe = next.subscribe(swap);
    swap();
    return () => {
      unsubscribe();
      next.close();
    };
  }, [connection, artifact_id, stream, encoding, as_text, log_format, merged, log_formats]);

  const snapshot = useSyncExternalStore(document?.subscribe ?? noSubscription, document?.snapshot ?? nothing);
  const latest = async (): Promise<OpenDocument | null> => {
    let next: OpenDocument | null = null;
    while (asked.current && asked.current !== next) {
      next = asked.current;
      const isOver = () => isDecided(next!) || asked.current !== next || undefined;
      await firstValue(next.subscribe, isOver, MAX_OPENING_MS);
    }
    return next;
  };
  return useSteady({ document, snapshot, latest });
}

/** Longest wait for a text that opens again. */
const MAX_OPENING_MS = 20_000;

function isDecided(document: OpenDocument): boolean {
  const { state, error } = document.snapshot();
  return state !== null || error !== null;
}

function compact(ref: { [key in keyof DocumentRef]: DocumentRef[key] | undefined }): DocumentRef {
  return Object.fromEntries(Object.entries(ref).filter(([, value]) => value !== undefined)) as DocumentRef;
}

/** Fetches lines as far as the host gives them, which is much further than the rows on the screen. */
interface WholeLine {
  text: string;
  /** Whether `text` is only the beginning: the line is longer than MAX_WHOLE_LINE_CHARS. */
  clipped: boolean;
}

interface WholeLines {
  generation: number;
  /** By line number. Lines that do not exist or were not kept are absent. */
  lines: ReadonlyMap<number, WholeLine>;
}

export type FetchWhole = (lines: readonly number[], signal: AbortSignal) => Promise<WholeLines>;

/**
 * @param lines rising numbers, at most MAX_EXPORT_LINES
 * @throws `changed` if the text was replaced meanwhile
 */
export async function fetchWholeLines(
  connection: Connection,
  document: DocumentRef,
  lines: readonly number[],
  signal: AbortSignal,
): Promise<WholeLines> {
  const found = new Map<number, WholeLine>();
  const wanted = lines.slice(0, MAX_EXPORT_LINES);
  let generation: number | null = null;
  for (let from: number | null = 0; from !== null; ) {
    const page: ExportResult = await connection.request(
      'exportLines',
      { document, lines: wanted, from },
      { signal },
    );
    generation ??= page.generation;
    if (page.generation !== generation)
      throw new SpillwayError('changed', 'The text changed while it was read', 'try again');
    for (const { line_number, text, clipped } of page.lines)
      found.set(line_number, { text, clipped: clipped ?? false });
    from = page.next;
  }
  return { generation: generation ?? 0, lines: found };
}
