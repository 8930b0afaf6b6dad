/** `spillway cleanup`: removes captures, and reports what was removed, what stayed and why. */
import { isFileId } from '../../../shared/artifact-names.ts';
import { SpillwayError } from '../../../shared/errors.ts';
import type {
  CleanupResult,
  PinResult,
  RemovedReason,
  Stayed,
  StayedReason,
  StorageStats,
} from '../../../shared/lifecycle.ts';
import { escapeLine } from '../../../shared/text/escape.ts';
import { formatBytes, formatCount, formatRelative, plural } from '../../../shared/text/format.ts';
import { print, printJson, tell, terminalLook } from '../output/print.ts';
import { table } from '../output/table.ts';
import { captureIdOf } from '../target.ts';
import { withHost, withLifecycle } from '../with-host.ts';

export interface CleanupOptions {
  olderThan?: number;
  session?: string;
  keep?: string[];
  dryRun?: boolean;
  json?: boolean;
}

export async function cleanup(options: CleanupOptions): Promise<number> {
  const keep = options.keep && (await Promise.all(options.keep.map(captureIdOf)));
  const result = await withLifecycle((lifecycle) =>
    lifecycle.cleanup({
      ...(options.olderThan === undefined ? {} : { older_than_hours: options.olderThan }),
      ...(options.session === undefined ? {} : { session: options.session }),
      ...(keep === undefined ? {} : { keep }),
      dry_run: options.dryRun ?? false,
    }),
  );
  // The MCP tool returns the same object, and may cut its lists.
  if (options.json) await printJson({ ...result, lists_cut: false });
  else await print(cleanupReport(result, terminalLook()));
  for (const one of result.stayed) if (one.reason === 'failed') await tell(`spillway: ${failure(one)}`);
  for (const warning of result.warnings) await tell(`spillway: ${escapeLine(warning)}`);
  return 0;
}

/** `spillway delete`: returns the exit status, 2 if a named capture stays. */
export async function deleteNamed(names: readonly string[], { json }: { json?: boolean }): Promise<number> {
  const ids = [...new Set(await Promise.all(names.map(captureIdOf)))];
  const file = ids.find(isFileId);
  if (file !== undefined)
    throw new SpillwayError(
      'unsupported',
      `${file} is a file of another program`,
      'Spillway removes its own captures alone: remove the file itself',
    );
  const result = await withLifecycle((lifecycle) => lifecycle.deleteCaptures(ids));
  if (json) await printJson({ ...result, lists_cut: false });
  else await print(cleanupReport(result, terminalLook()));
  for (const one of result.stayed) await tell(`spillway: ${deleteFailure(one)}`);
  for (const warning of result.warnings) await tell(`spillway: ${escapeLine(warning)}`);
  return result.stayed.length === 0 ? 0 : 2;
}

function deleteFailure(one: Stayed): string {
  const { artifact_id: id, reason } = one;
  if (reason === 'unknown') return escapeLine(`there is no capture ${id}: \`spillway list\` names them`);
  if (reason === 'running') return escapeLine(`${id} is running: stop the command first`);
  return failure(one);
}

/** Returns the report as text. Keeps to `columns` if `isTerminal`. */
function cleanupReport(
  result: CleanupResult,
  { isTerminal, columns }: { isTerminal: boolean; columns: number },
): string {
  const { dry_run, removed, removed_count, removed_bytes, removed_sessions, resting_sessions, stayed } =
    result;
  const rows = removed.map(({ artifact_id, bytes, reason, session }) => [
    artifact_id,
    formatBytes(bytes),
    WENT[reason],
    escapeLine(session ?? '-'),
  ]);
  const went = `${dry_run ? 'Would remove' : 'Removed'} ${plural(removed_count, 'capture')}, ${formatBytes(removed_bytes)}`;
  const sessions =
    removed_sessions.length === 0
      ? ''
      : `${dry_run ? 'Would remove' : 'Removed'} ${plural(removed_sessions.length, 'session')} with nothing left: ${removed_sessions.map(escapeLine).join(', ')}\n`;
  return [
    rows.length === 0 ? '' : `${table(HEAD, rows, isTerminal ? columns : null)}\n`,
    `${went}${staying(stayed)}\n`,
    sessions,
    resting(resting_sessions, dry_run),
  ].join('');
}

/** `1 session with nothing left stays for now, as it was used within the last minute: build` */
function resting(sessions: readonly string[], dryRun: boolean): string {
  if (sessions.length === 0) return '';
  const one = sessions.length === 1;
  const stays = dryRun ? 'would stay' : one ? 'stays' : 'stay';
  const why = `as ${one ? 'it was' : 'they were'} used within the last minute`;
  return `${plural(sessions.length, 'session')} with nothing left ${stays} for now, ${why}: ${sessions.map(escapeLine).join(', ')}\n`;
}

const HEAD = [
  { name: 'ID' },
  { name: 'SIZE', right: true },
  { name: 'WHY' },
  { name: 'SESSION', shrinks: true },
] as const;

const WENT: Record<RemovedReason, string> = {
  age: 'old enough',
  size: 'over maxTotalBytes',
  asked: 'asked for',
  session: 'its session ended',
};

/** In the order they are reported. */
const STAYED: Record<StayedReason, string> = {
  recent: 'not old enough',
  running: 'running',
  pinned: 'pinned',
  kept: 'to be kept',
  unshipped: 'to be shipped',
  damaged: 'with a damaged record',
  newer: 'of a newer version of Spillway',
  foreign: 'with a file that is not Spillway’s',
  failed: 'could not be removed',
  unknown: 'not known',
};

/** `; 5 stay (3 running, 2 pinned)` */
function staying(stayed: readonly Stayed[]): string {
  if (stayed.length === 0) return '';
  const parts = (Object.keys(STAYED) as StayedReason[]).flatMap((reason) => {
    const count = stayed.filter((one) => one.reason === reason).length;
    return count === 0 ? [] : `${count} ${STAYED[reason]}`;
  });
  return `; ${stayed.length} ${stayed.length === 1 ? 'stays' : 'stay'} (${parts.join(', ')})`;
}

function failure({ artifact_id, detail }: Stayed): string {
  return escapeLine(`${artifact_id} stays: ${detail ?? 'it cannot be removed'}`);
}

/** `spillway pin` and `spillway unpin`: no cleanup removes a pinned capture. */
export interface PinOptions {
  json?: boolean;
}

export async function pin(id: string, options: PinOptions): Promise<number> {
  const artifact_id = await captureIdOf(id);
  // Pinning another program's file pins a copy of it, which only a host can find.
  if (isFileId(artifact_id)) return say(await withHost((host) => host.pin({ artifact_id })), options);
  return say(await withLifecycle((lifecycle) => lifecycle.pinCapture({ artifact_id })), options);
}

export async function unpin(id: string, options: PinOptions): Promise<number> {
  const artifact_id = await captureIdOf(id);
  return say(await withLifecycle((lifecycle) => lifecycle.unpin({ artifact_id })), options);
}

async function say(result: PinResult, { json }: PinOptions): Promise<number> {
  const { artifact_id, pinned, changed } = result;
  const state = pinned ? 'pinned' : changed ? 'no longer pinned' : 'not pinned';
  if (json) await printJson(result);
  else await print(`${artifact_id} is ${pinned && !changed ? 'pinned already' : state}\n`);
  return 0;
}

/** `spillway stats`: reports what is stored, by session and by source, and how long it is kept. */
export async function stats({ json }: { json?: boolean }): Promise<number> {
  const result = await withHost((host) => host.stats({}));
  // The MCP tool returns the same object, and may cut its lists.
  if (json) await printJson({ ...result, lists_cut: false });
  else await print(storageReport(result, Date.now(), terminalLook()));
  return 0;
}

/** Returns the report as text. `now`: milliseconds since the epoch. */
function storageReport(
  stats: StorageStats,
  now: number,
  { isTerminal, columns }: { isTerminal: boolean; columns: number },
): string {
  const width = isTerminal ? columns : null;
  const age = (iso: string | null) => (iso === null ? '-' : formatRelative(Date.parse(iso), now));
  const sources = stats.sources.map((one) => [
    escapeLine(one.source),
    formatCount(one.file_count),
    formatBytes(one.total_bytes),
    age(one.oldest),
  ]);
  const sessions = stats.sessions.map((one) => [
    escapeLine(one.session),
    formatCount(one.file_count),
    formatBytes(one.total_bytes),
    formatBytes(one.stored_bytes),
    age(one.oldest),
    stateOf(one),
  ]);
  return [
    table(SOURCES, sources, width),
    sessions.length === 0 ? '' : `\n${table(SESSIONS, sessions, width)}`,
    `\nCaptures take ${formatBytes(stats.stored_bytes)} on the disk. ${removalOf(stats)}\n`,
  ].join('');
}

function removalOf(stats: StorageStats): string {
  const after = plural(stats.retention_hours, 'hour');
  const most = formatBytes(stats.max_total_bytes);
  const removal = `They are removed ${after} after they end, or earlier, oldest first, above ${most}.`;
  return stats.pinned_count > 0 ? `${removal} ${plural(stats.pinned_count, 'is', 'are')} pinned.` : removal;
}

const SOURCES = [
  { name: 'SOURCE', shrinks: true },
  { name: 'OUTPUTS', right: true },
  { name: 'SIZE', right: true },
  { name: 'OLDEST', right: true },
] as const;

const SESSIONS = [
  { name: 'SESSION', shrinks: true },
  { name: 'OUTPUTS', right: true },
  { name: 'SIZE', right: true },
  { name: 'ON DISK', right: true },
  { name: 'OLDEST', right: true },
  { name: 'STATE' },
] as const;

function stateOf(session: StorageStats['sessions'][number]): string {
  const parts = [
    session.running_count > 0 ? `${session.running_count} running` : '',
    session.pinned_count > 0 ? `${session.pinned_count} pinned` : '',
    session.ended_at === null ? '' : 'ended',
    session.ephemeral ? 'ephemeral' : '',
  ];
  return parts.filter(Boolean).join(', ') || '-';
}
