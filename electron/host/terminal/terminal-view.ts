/** Builds the parts that every view of a terminal shares, from the files beside its stream. */
import { closeSync, fstatSync, readSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { argumentOn } from '../../../shared/arguments/argument.ts';
import { isTerminalId } from '../../../shared/artifact-names.ts';
import { SpillwayError } from '../../../shared/errors.ts';
import type { TerminalOutput, TerminalOutputParams } from '../../../shared/terminals.ts';
import { clipText } from '../../../shared/text/clip.ts';
import type { InspectParams, LinesView, View } from '../../../shared/views.ts';
import type { OpenStream } from '../../reader/bytes/open-stream.ts';
import { openStream } from '../../reader/bytes/streams.ts';
import { type RecordedTerminal, readTerminalLog } from '../../store/contents/commands.ts';
import { type CaptureEntry, shownLabel } from '../../store/format/entry.ts';
import { timesFile } from '../../store/format/names.ts';
import { openOwn } from '../../store/format/small-file.ts';
import { type Arrival, decodeArrivals, TIMES_RECORD_BYTES } from '../../store/format/times.ts';
import type { Host, RequestOptions } from '../host.ts';
import type { Screen } from './screen.ts';

/**
 * Milliseconds by which arrival times may lag behind the bytes (electron/recorder/streams/open-files.ts), and between
 * checks.
 */
const TIMES_LAG_MS = 300;
const CHECK_MS = 10;

export type TerminalFields = Pick<
  TerminalOutput,
  'name' | 'started_at' | 'last_activity' | 'running' | 'file_path'
>;

export function terminalFacts(entry: CaptureEntry): TerminalFields {
  const { record } = entry;
  const [stream] = entry.streams;
  return {
    name: shownLabel(entry),
    started_at: record.started_at,
    last_activity: new Date(lastActivity(entry)).toISOString(),
    running: record.status === 'running',
    file_path: stream?.path ?? null,
  };
}

export const NOTHING_NEW = {
  mode: 'since' as const,
  start_line: null,
  end_line: null,
  start_offset: null,
  lines_shown: 0,
  truncated: true,
  clipped_lines: 0,
  content: '',
  next_start_line: null,
};

export function base(view: LinesView) {
  const { artifact_id, stream, content_type, encoding, total_lines, total_bytes, note } = view;
  return {
    ...{ artifact_id, stream, content_type, encoding, total_lines, total_bytes },
    ...(note === undefined ? {} : { note }),
  };
}

export function screenView(screen: Screen) {
  const used = screen.lines.findLastIndex((line) => line !== '') + 1;
  const lines = screen.lines.slice(0, Math.max(used, screen.cursorRow));
  return {
    mode: 'screen' as const,
    lines_shown: lines.length,
    content: lines.join('\n'),
    screen: {
      columns: screen.columns,
      rows: screen.rows,
      cursor_row: screen.cursorRow,
      cursor_column: screen.cursorColumn,
      alternate: screen.alternate,
    },
    ...(screen.approximate ? { note: 'the screen is drawn from the last 8 MiB of the output' } : {}),
  };
}

export function filesOf(entry: CaptureEntry): TerminalFiles {
  return new TerminalFiles(entry.folder, entry.id);
}

/** Milliseconds since the epoch. */
export function lastActivity(entry: CaptureEntry): number {
  const last = filesOf(entry).lastArrival();
  return (
    writtenSince(entry, last?.end ?? 0) ?? Math.max(last?.time ?? 0, Date.parse(entry.record.started_at))
  );
}

/** When bytes were written whose time is not yet there; null when there are none. Milliseconds since the epoch. */
function writtenSince({ record, streams }: CaptureEntry, arrived: number): number | null {
  const path = record.status === 'running' ? streams[0]?.path : null;
  const stats = path ? statSync(path, { throwIfNoEntry: false }) : undefined;
  return stats && stats.size > arrived ? Math.floor(stats.mtimeMs) : null;
}

/** While it is recorded, bytes are there a little before their times. */
export async function timesReach(entry: CaptureEntry, size: number): Promise<void> {
  if (entry.record.status !== 'running') return;
  const until = performance.now() + TIMES_LAG_MS;
  while ((filesOf(entry).lastArrival()?.end ?? 0) < size && performance.now() < until) await wait(CHECK_MS);
}

export function sizesFromRecord({ record: { terminal } }: CaptureEntry) {
  return terminal === null ? [] : [{ type: 'resized' as const, offset: 0, ...terminal }];
}

export function maxChars({ max_chars }: TerminalOutputParams): { max_chars?: number } {
  return max_chars === undefined ? {} : { max_chars };
}

/** A time without a zone is one in UTC, as all times of views are; a date is its first moment. */
const TIMESTAMP = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d(?:\.\d+)?)?)(Z|[+-]\d\d:\d\d)?)?$/i;

/** Milliseconds since the epoch. */
export function commandTime(timestamp: string | undefined): number {
  if (timestamp === undefined) {
    throw new SpillwayError(
      'usage',
      'since needs a since_timestamp',
      'give a time such as 2026-01-13T10:30:00.000Z',
    );
  }
  const [, date, clock = '00:00', zone = 'Z'] = TIMESTAMP.exec(timestamp.trim()) ?? [];
  const time = Date.parse(`${date}T${clock}${zone}`);
  if (!Number.isNaN(time)) return time;
  throw new SpillwayError(
    'usage',
    `since_timestamp cannot be ${JSON.stringify(timestamp.slice(0, 100))}`,
    'give a time such as 2026-01-13T10:30:00.000Z',
  );
}

const NO_TIMES: OpenStream = openStream({ type: 'bytes', bytes: new Uint8Array(), size: 0 });

/** Files of one terminal, by its session's folder and its id. */
class TerminalFiles {
  readonly #folder: string;
  readonly #id: string;

  constructor(folder: string, id: string) {
    this.#folder = folder;
    this.#id = id;
  }

  log(): RecordedTerminal {
    return readTerminalLog(this.#folder, this.#id);
  }

  /** The last recorded arrival; null if there is none. */
  lastArrival(): Arrival | null {
    return this.withTimes((times) => {
      const record = Buffer.alloc(TIMES_RECORD_BYTES);
      const records = Math.floor(times.size / TIMES_RECORD_BYTES);
      if (records === 0) return null;
      times.read(record, (records - 1) * TIMES_RECORD_BYTES);
      return decodeArrivals(record)[0] ?? null;
    });
  }

  /** A missing file counts as no arrivals. */
  withTimes<T>(use: (times: OpenStream) => T): T {
    const fd = openOwn(join(this.#folder, timesFile(this.#id)));
    if (fd === null) return use(NO_TIMES);
    try {
      const { size } = fstatSync(fd);
      return use({ size, read: (into, position) => readSync(fd, into, 0, into.length, position) });
    } finally {
      closeSync(fd);
    }
  }
}

/** Explains a failure in a terminal: the last command that failed there, as its earlier ones are history. */
const MOST_COMMAND_CHARS = 60;

/**
 * Returns what `host.inspect` does, but where that would explain all of a terminal, the view of the output of the last
 * command that failed there. Its note names the command. The window explains what it shows, so it doesn't use this.
 */
export async function inspectLastFailed(
  host: Pick<Host, 'inspect' | 'terminalCommands'>,
  asked: InspectParams,
  { onProgress, ...options }: RequestOptions,
): Promise<View> {
  const view = await host.inspect(asked, { ...options, ...(onProgress ? { onProgress } : {}) });
  const { mode, artifact_id } = view;
  if (mode !== 'failure' || !isTerminalId(artifact_id)) return view;
  if (asked.start_line !== undefined || asked.end_line !== undefined) return view;
  const { commands } = await host.terminalCommands({ artifact_id, failed: true, limit: 1 });
  const [last] = commands;
  if (last === undefined) return view;
  const { start_line, end_line } = last;
  const name = `the last command that failed here, ${JSON.stringify(clipText(last.command, MOST_COMMAND_CHARS).text)}`;
  if (start_line === null || end_line === null)
    return withNote(view, `${name}, printed nothing: this is of all`);
  const found = await host.inspect({ ...asked, start_line, end_line }, options);
  const { surface = 'tool' } = options;
  return withNote(
    found,
    `this is of ${name}: lines ${start_line} to ${end_line}; for others give ${argumentOn(surface, 'start_line')} and ${argumentOn(surface, 'end_line')}`,
  );
}

function withNote(view: View, note: string): View {
  return { ...view, note: view.note === undefined ? note : `${note}; ${view.note}` };
}
