/**
 * Lets commands read captures that only the archive has: what they need is fetched into a home of its own, and they
 * read that. Loaded only where `archive` is set.
 */
import type { Artifact, Status } from '../../shared/artifact.ts';
import { SpillwayError } from '../../shared/errors.ts';
import { DEFAULT_LIST_LIMIT, DEFAULT_VIEW_LINES, MAX_LIST_LIMIT } from '../../shared/limits.ts';
import type { FoundOutputs, SearchOutputsParams } from '../../shared/search-outputs.ts';
import { formatBytes, plural } from '../../shared/text/format.ts';
import type { InspectParams, ListParams, ReadParams } from '../../shared/views.ts';
import { Copies, isHere, type Wanted } from '../archive/copies.ts';
import { findCredentials } from '../archive/credentials.ts';
import { beganAt } from '../archive/keys.ts';
import { type Archived, findArchived, listArchive } from '../archive/list.ts';
import { S3 } from '../archive/s3.ts';
import { archiveOf } from '../archive/ship.ts';
import { runInOrder } from '../host/in-order.ts';
import { loadConfig } from '../host/settings/config.ts';
import { resolveHome } from '../host/settings/home-path.ts';
import { typedMoment } from '../host/views/time-bounds.ts';
import { noteForPerson, tell } from './output/print.ts';
import { withHost } from './with-host.ts';

/** Compressed bytes that one command fetches. */
const MOST_BYTES = 256 * 1024 * 1024;
const DAY_MS = 86_400_000;
/** How far back is looked where nothing says. */
const USUAL_DAYS = 7;
/** Captures fetched at once. */
const PARALLEL = 8;

export interface ArchiveFilter {
  failed: boolean;
  host?: string | undefined;
  since?: string | undefined;
}

async function withStore<T>(use: (store: S3, home: string, space: string) => Promise<T>): Promise<T> {
  const home = resolveHome(process.env);
  const archive = archiveOf(loadConfig(home).settings);
  const store = new S3(archive, findCredentials());
  try {
    return await use(store, home, archive.space);
  } finally {
    store.close();
  }
}

/**
 * Runs `work` on a capture of this machine; else fetches what is needed of it and runs `work` with a home that has it.
 * Errors: `not_found`.
 */
export async function readArchived<T>(
  id: string,
  wanted: Wanted,
  work: (home?: string) => Promise<T>,
): Promise<T> {
  if (isHere(resolveHome(process.env), id)) return work();
  return withStore(async (store, home, space) => {
    const found = await findArchived(store, space, id);
    if (found === null)
      throw new SpillwayError(
        'not_found',
        `there is no capture ${id}, here or in the archive`,
        '`spillway list` and `spillway list --archive` name them',
      );
    const bytes = bytesOf(found);
    if ('all' in wanted && bytes > MOST_BYTES)
      throw new SpillwayError(
        'unsupported',
        `${id} has ${formatBytes(bytes)} in the archive, and this view reads all of it`,
        'read a part: --start and --end, or --mode tail',
      );
    const copies = new Copies(store, home);
    const view = copies.view([await copies.fetch(found, wanted)]);
    return work(view).finally(() => copies.leave(view));
  });
}

function bytesOf({ objects }: Archived): number {
  return Object.values(objects).reduce((sum, bytes) => sum + bytes, 0);
}

/** Tells which part a view needs. Most views read all of it. */
export function wantedByView(mode: string, params: InspectParams): Wanted {
  const { stream, lines = DEFAULT_VIEW_LINES, start_line, end_line } = params;
  const simple = [
    ...[params.since, params.until, params.around, params.section, params.entries, params.encoding],
  ].every((one) => one === undefined || one === false);
  if (!simple) return { all: true };
  if (mode === 'head') return { stream, lines: [1, lines] };
  if (mode === 'tail') return { stream, tail: lines };
  if (mode !== 'range' || start_line === undefined || start_line < 1) return { all: true };
  if (end_line !== undefined && end_line < 1) return { all: true };
  return { stream, lines: [start_line, end_line ?? start_line + lines] };
}

/** Bytes of a window when none are named; more than any window has by default. */
const WINDOW_BYTES = 1024 * 1024;

export function wantedByRead({ stream, offset = 0, limit = WINDOW_BYTES, search }: ReadParams): Wanted {
  if (search !== undefined || offset < 0) return { all: true };
  // A window keeps to whole characters.
  return { stream, bytes: [Math.max(0, offset - 8), offset + limit + 8] };
}

async function archivedOf(store: S3, home: string, space: string, filter: ArchiveFilter, limit?: number) {
  const { failed, host } = filter;
  const usual = Date.now() - USUAL_DAYS * DAY_MS;
  const since = filter.since === undefined ? usual : typedMoment(filter.since, Date.now() - DAY_MS).from;
  return listArchive(store, { home, space, failed, host, since, ...(limit === undefined ? {} : { limit }) });
}

/** As `list`, of the archive: what its keys tell. */
export async function listArchived(params: ListParams, filter: ArchiveFilter) {
  const { limit = DEFAULT_LIST_LIMIT, kind, status } = params;
  const found = await withStore((store, home, space) =>
    archivedOf(store, home, space, filter, kind || status ? undefined : limit + 1),
  );
  const outputs = found
    .map(outputOf)
    .filter((one) => (!kind || one.kind === kind) && (!status || one.status === status));
  const next_cursor = outputs.length > limit ? outputs[limit]!.artifact_id : null;
  return { outputs: outputs.slice(0, limit), next_cursor };
}

/** An artifact as far as its key tells. `host` is the machine. */
function outputOf({ place }: Archived): Artifact & { host: string } {
  const { id, exit, label, outcome, host } = place;
  const exitCode = /^\d+$/.test(exit) ? Number(exit) : null;
  const status: Status = outcome === 'failed' ? 'failed' : exitCode === 0 ? 'succeeded' : 'finished';
  return {
    ...{ artifact_id: id, kind: id.slice(0, id.indexOf('-')) as Artifact['kind'], label, host, status },
    ...{ command: null, args: null, cwd: null, env_names: null, session: null, source: 'archive' },
    ...{ origin: null, agent: null, cause: null, pinned: false, expires_at: null, warnings: [] },
    ...{ exit_code: exitCode, signal: exitCode === null && exit !== '-' ? exit : null },
    ...{ started_at: new Date(beganAt(id)).toISOString(), ended_at: null, duration_ms: null, streams: [] },
  };
}

/** How much a search of the archive read, and the machines with matches. */
export interface FoundArchived extends FoundOutputs {
  archive: {
    /** Captures that fit the filter, and those left out because of the budget, the oldest. */
    captures: number;
    left_out: number;
    fetched_bytes: number;
    budget_bytes: number;
    hosts: string[];
  };
}

/** Fetches the newest captures that the budget has room for, and searches them. */
export function searchArchived(
  params: SearchOutputsParams,
  filter: ArchiveFilter,
  quiet: boolean,
): Promise<FoundArchived> {
  return withStore(async (store, home, space) => {
    const found = await archivedOf(store, home, space, filter);
    let bytes = 0;
    const chosen = found.filter((one) => {
      bytes += bytesOf(one);
      return bytes <= MOST_BYTES;
    });
    const chosenBytes = chosen.reduce((sum, one) => sum + bytesOf(one), 0);
    const left_out = found.length - chosen.length;
    if (!quiet)
      await tell(
        noteForPerson(
          `searches ${plural(chosen.length, 'capture')} of the archive, ${formatBytes(chosenBytes)} of at most ${formatBytes(MOST_BYTES)}${left_out > 0 ? `; leaves out the ${left_out} oldest: narrow it with --since, --host or --failed` : ''}`,
        ),
      );
    const copies = new Copies(store, home);
    const records: Awaited<ReturnType<Copies['fetch']>>[] = [];
    const fetched = (one: Archived) => copies.fetch(one, { all: true });
    await runInOrder(chosen, PARALLEL, fetched, (record) => void records.push(record));
    const view = copies.view(records);
    try {
      const { since: _, failed: __, ...rest } = params;
      const result = await withHost(
        (host) => host.searchOutputs({ ...rest, limit: MAX_LIST_LIMIT }, { surface: 'command line' }),
        { threads: true, home: view },
      );
      const hostOf = new Map(chosen.map(({ place }) => [place.id, place.host]));
      const hosts = [...new Set(result.outputs.map((one) => hostOf.get(one.artifact_id)!))];
      const spent = { fetched_bytes: store.spent.bytes, budget_bytes: MOST_BYTES };
      return { ...result, archive: { captures: found.length, left_out, ...spent, hosts } };
    } finally {
      copies.leave(view);
    }
  });
}
