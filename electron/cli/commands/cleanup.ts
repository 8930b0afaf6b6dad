/** `spillway cleanup`: removes captures, and reports what was removed, what stayed and why. */
import { isFileId } from '../../../shared/artifact-names.ts';
import { SpillwayError } from '../../../shared/errors.ts';
import type { CleanupResult, RemovedReason, Stayed, StayedReason } from '../../../shared/lifecycle.ts';
import { escapeLine } from '../../../shared/text/escape.ts';
import { formatBytes, plural } from '../../../shared/text/format.ts';
import { print, printJson, tell, terminalLook } from '../output/print.ts';
import { table } from '../output/table.ts';
import { captureIdOf } from '../target.ts';
import { withLifecycle } from '../with-host.ts';

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
