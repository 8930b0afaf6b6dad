/**
 * Reads captures that only the archive has: what is needed of them is fetched into a home of its own, and a host that
 * opens this home answers as for any other. Loaded only where `archive` is set.
 */
import { type Artifact, ArtifactId, type Status } from '../../../shared/artifact.ts';
import { isFileId } from '../../../shared/artifact-names.ts';
import { SpillwayError } from '../../../shared/errors.ts';
import { DEFAULT_LIST_LIMIT, DEFAULT_VIEW_LINES } from '../../../shared/limits.ts';
import { formatBytes } from '../../../shared/text/format.ts';
import type { InspectParams, ListParams, ListResult, ReadParams } from '../../../shared/views.ts';
import { Copies, isHere, type Wanted } from '../../archive/copies.ts';
import { beganAt, type Outcome } from '../../archive/keys.ts';
import { type Archived, findArchived, listArchive } from '../../archive/list.ts';
import { findCredentials, S3 } from '../../archive/s3.ts';
import { archiveOf } from '../../archive/ship.ts';
import type { CaptureRecord } from '../../store/format/record.ts';
import { createHost } from '../create.ts';
import type { Host, RequestOptions } from '../host.ts';
import { loadConfig } from '../settings/config.ts';
import { typedMoment } from '../views/time-bounds.ts';

/** Compressed bytes that one request fetches. */
export const MOST_BYTES = 256 * 1024 * 1024;
export const DAY_MS = 86_400_000;
/** How far back is looked where nothing says. */
export const USUAL_DAYS = 7;
export interface ArchiveFilter {
  failed: boolean;
  host?: string | undefined;
  since?: string | undefined;
}

export async function withStore<T>(
  home: string,
  signal: AbortSignal | undefined,
  use: (store: S3, space: string) => Promise<T>,
): Promise<T> {
  const archive = archiveOf(loadConfig(home).settings);
  const store = new S3(archive, findCredentials(), signal);
  try {
    return await use(store, archive.space);
  } finally {
    store.close();
  }
}

/** Whether this is the id of a capture that can only be in the archive. */
export function isElsewhere(home: string, id: string): boolean {
  if (!ArtifactId.safeParse(id).success || isFileId(id)) return false;
  return loadConfig(home).settings.archive !== null && !isHere(home, id);
}

/** Makes a home that has these captures of the archive, and runs `work` with it. Errors: `not_found`. */
export async function readArchived<T>(
  home: string,
  ids: readonly string[],
  wanted: Wanted,
  work: (view: string) => Promise<T>,
  signal?: AbortSignal,
): Promise<T> {
  return withStore(home, signal, async (store, space) => {
    const copies = new Copies(store, home);
    const records: CaptureRecord[] = [];
    for (const id of ids) {
      const found = await find(store, space, id);
      const bytes = bytesOf(found);
      if ('all' in wanted && bytes > MOST_BYTES)
        throw new SpillwayError(
          'unsupported',
          `${id} has ${formatBytes(bytes)} in the archive, and this view reads all of it`,
          'read a part of it: a range of lines, or the tail',
        );
      records.push(await copies.fetch(found, wanted));
    }
    const view = copies.view(records);
    return work(view).finally(() => copies.leave(view));
  });
}

/** Runs `use` with a host that has the capture. */
export function viewArchived<T>(
  home: string,
  id: string,
  wanted: Wanted,
  { signal }: RequestOptions = {},
  use: (host: Host) => Promise<T>,
): Promise<T> {
  return readArchived(home, [id], wanted, (view) => withView(view, use), signal);
}

/** Where captures were found: they stay as they are. */
const known = new Map<string, Archived>();
const MOST_KNOWN = 1000;

/** Throws `not_found`. */
export async function find(store: S3, space: string, id: string): Promise<Archived> {
  const key = store.address(`${space}/${id}`);
  const found = known.get(key) ?? (await findArchived(store, space, id));
  if (found === null)
    throw new SpillwayError(
      'not_found',
      `there is no capture ${id}, here or in the archive`,
      '`spillway list` and `spillway list --archive` name them',
    );
  if (known.size >= MOST_KNOWN) known.clear();
  known.set(key, found);
  return found;
}

/** Runs `use` with a host over a home of copies. */
export async function withView<T>(home: string, use: (host: Host) => Promise<T>): Promise<T> {
  const host = await createHost({ home, watch: false });
  return use(host).finally(() => host.close());
}

export function bytesOf({ objects }: Archived): number {
  return Object.values(objects).reduce((sum, bytes) => sum + bytes, 0);
}

/** Tells which part a view needs. Most views read all of it. */
export function wantedByView(mode: string, params: InspectParams): Wanted {
  const { stream, lines = DEFAULT_VIEW_LINES, start_line, end_line } = params;
  const simple = [
    ...[
      params.since,
      params.until,
      params.around,
      params.section,
      params.entries,
      params.encoding,
      params.log_format,
    ],
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

/** Filters by what the keys tell while it lists, so that it can end when the list is long enough. */
export async function archivedOf(
  store: S3,
  home: string,
  space: string,
  { failed, host, ...filter }: ArchiveFilter,
  { kind, status, cursor }: Pick<ListParams, 'kind' | 'status' | 'cursor'>,
  limit?: number,
): Promise<Archived[]> {
  const usual = Date.now() - USUAL_DAYS * DAY_MS;
  const since = filter.since === undefined ? usual : typedMoment(filter.since, Date.now() - DAY_MS).from;
  const named: Outcome | undefined = status && (status === 'failed' ? 'failed' : 'ok');
  if (failed && named === 'ok') return [];
  let isPast = cursor === undefined;
  const found = await listArchive(store, {
    ...{ home, space, host, since, outcome: failed ? 'failed' : named },
    fits: (place) => (!kind || kindOf(place.id) === kind) && (!status || statusOf(place) === status),
    ...(limit === undefined || cursor !== undefined ? {} : { limit }),
  });
  return found.filter(({ place }) => {
    isPast ||= place.id === cursor;
    return isPast;
  });
}

type Place = Archived['place'];

const kindOf = (id: string) => id.slice(0, id.indexOf('-')) as Artifact['kind'];
const exitCodeOf = ({ exit }: Place) => (/^\d+$/.test(exit) ? Number(exit) : null);

function statusOf(place: Place): Status {
  if (place.outcome === 'failed') return 'failed';
  return exitCodeOf(place) === 0 ? 'succeeded' : 'finished';
}

/** As `list`, of the archive: what its keys tell. */
export async function listArchived(
  home: string,
  params: ListParams,
  filter: ArchiveFilter,
  signal?: AbortSignal,
): Promise<ListResult> {
  const { limit = DEFAULT_LIST_LIMIT } = params;
  const found = await withStore(home, signal, (store, space) =>
    archivedOf(store, home, space, filter, params, limit + 1),
  );
  const next_cursor = found.length > limit ? found[limit]!.place.id : null;
  return { outputs: found.slice(0, limit).map(outputOf), next_cursor };
}

/** An artifact as far as its key tells. `host` is the machine. */
function outputOf({ place }: Archived): Artifact & { host: string } {
  const { id, exit, label, host } = place;
  const exitCode = exitCodeOf(place);
  return {
    ...{ artifact_id: id, kind: kindOf(id), label, host, status: statusOf(place) },
    ...{ command: null, args: null, cwd: null, env_names: null, session: null, source: 'archive' },
    ...{ origin: null, agent: null, cause: null, pinned: false, expires_at: null, warnings: [] },
    ...{ exit_code: exitCode, signal: exitCode === null && exit !== '-' ? exit : null },
    ...{ started_at: new Date(beganAt(id)).toISOString(), ended_at: null, duration_ms: null, streams: [] },
  };
}
