/** `spillway cleanup`: removes captures, and says what went, what stayed and why. */
import type { CleanupResult, RemovedReason, Stayed, StayedReason } from '../../shared/lifecycle.ts';
import { escapeLine } from '../../shared/text/escape.ts';
import { formatBytes, formatNumber } from '../../shared/text/format.ts';
import { nearest } from '../../shared/text/nearest.ts';
import { print, printJson, tell, terminal } from './output/print.ts';
import { table } from './output/table.ts';
import { withLifecycle } from './with-lifecycle.ts';

export interface CleanupOptions {
  olderThan?: number;
  session?: string;
  keep?: string[];
  dryRun?: boolean;
  json?: boolean;
}

export async function cleanup(options: CleanupOptions): Promise<number> {
  const { result, unknown } = await withLifecycle(async (lifecycle) => {
    const result = await lifecycle.cleanup({
      ...(options.olderThan === undefined ? {} : { older_than_hours: options.olderThan }),
      ...(options.session === undefined ? {} : { session: options.session }),
      ...(options.keep === undefined ? {} : { keep: options.keep }),
      dry_run: options.dryRun ?? false,
    });
    const nothing = result.removed_count === 0 && result.stayed.length === 0;
    if (!nothing || options.session === undefined) return { result, unknown: null };
    const names = (await lifecycle.sessions()).map(({ session }) => session);
    return {
      result,
      unknown: names.includes(options.session) ? null : unknownSession(options.session, names),
    };
  });
  // Over MCP, where it is the same object, a reply has a length.
  if (options.json) await printJson({ ...result, lists_cut: false });
  else await print(report(result, terminal()));
  for (const one of result.stayed) if (one.reason === 'failed') await tell(`spillway: ${failure(one)}`);
  if (unknown !== null && result.removed_sessions.length === 0) await tell(`spillway: ${unknown}`);
  return 0;
}

/** Nothing to remove is what was asked for; but a name may be mistyped. */
function unknownSession(name: string, names: readonly string[]): string {
  const near = nearest(name, names, 3);
  const todo = near.length > 0 ? `the nearest: ${near.join(', ')}` : 'spillway stats names those there are';
  return escapeLine(`there is no session ${JSON.stringify(name)}: ${todo}`);
}

/** For a person. `isTerminal` decides whether it keeps to `columns`. */
export function report(
  result: CleanupResult,
  { isTerminal, columns }: { isTerminal: boolean; columns: number },
): string {
  const { dry_run, removed, removed_count, removed_bytes, removed_sessions, stayed } = result;
  const rows = removed.map(({ artifact_id, bytes, reason, session }) => [
    artifact_id,
    formatBytes(bytes),
    WENT[reason],
    escapeLine(session ?? '-'),
  ]);
  const went = `${dry_run ? 'Would remove' : 'Removed'} ${formatNumber(removed_count, 'capture')}, ${formatBytes(removed_bytes)}`;
  const sessions =
    removed_sessions.length === 0
      ? ''
      : `${dry_run ? 'Would remove' : 'Removed'} ${formatNumber(removed_sessions.length, 'session')} with nothing left: ${removed_sessions.map(escapeLine).join(', ')}\n`;
  return [
    rows.length === 0 ? '' : `${table(HEAD, rows, isTerminal ? columns : null)}\n`,
    `${went}${staying(stayed)}\n`,
    sessions,
  ].join('');
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

/** In the order in which they are told. */
const STAYED: Record<StayedReason, string> = {
  recent: 'not old enough',
  running: 'running',
  pinned: 'pinned',
  kept: 'to be kept',
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
