/** `spillway stats`: reports what is stored, by session and by source, and how long it is kept. */
import type { StorageStats } from '../../../shared/lifecycle.ts';
import { escapeLine } from '../../../shared/text/escape.ts';
import { formatBytes, formatCount, formatRelative, plural } from '../../../shared/text/format.ts';
import { print, printJson, terminalLook } from '../output/print.ts';
import { table } from '../output/table.ts';
import { withHost } from '../with-host.ts';

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
