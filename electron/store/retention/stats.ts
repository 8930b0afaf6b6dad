/** Counts captures by session, and watched files by source. */
import { type Artifact, CAPTURES_SOURCE } from '../../../shared/artifact.ts';
import type { SessionStats, SourceStats, StorageStats } from '../../../shared/lifecycle.ts';
import type { Settings } from '../../../shared/settings.ts';
import { type Capture, type KnownRecord, readFolders, type SessionFolder } from '../format/folder.ts';
import { sandboxOf } from '../format/places.ts';
import { mendFolder } from '../mend.ts';
import { isRunning, usedMs } from './retention.ts';

/**
 * `watched`: artifacts of other sources; captures among them are skipped, as they are counted from the disk. A
 * capture whose record can't be read counts with the size of its files.
 */
export async function storageStats(
  home: string,
  settings: Pick<Settings, 'retentionHours' | 'maxTotalBytes'>,
  watched: readonly Artifact[] = [],
  known?: KnownRecord,
): Promise<StorageStats> {
  const sessions: Used[] = [];
  for await (const folder of readFolders(home, undefined, known)) {
    // Not a session: no record of one, and no captures.
    if (folder.session === null && folder.captures.length === 0) continue;
    mendFolder(folder);
    const one = { used: usedMs(folder), stats: sessionStats(folder) };
    if (sandboxOf(folder.path) === null) sessions.push(one);
    else add(sessions, one);
  }
  const stats = sessions.sort((a, b) => b.used - a.used).map((session) => session.stats);
  const captures = { source: CAPTURES_SOURCE, ...tally(stats) };
  const sources = [captures, ...sourceStats(watched)];
  const all = tally(sources);
  return {
    ...all,
    stored_bytes: stats.reduce((sum, one) => sum + one.stored_bytes, 0),
    pinned_count: stats.reduce((sum, one) => sum + one.pinned_count, 0),
    running_count: stats.reduce((sum, one) => sum + one.running_count, 0),
    retention_hours: settings.retentionHours,
    max_total_bytes: settings.maxTotalBytes,
    sessions: stats,
    sources,
  };
}

interface Used {
  used: number;
  stats: SessionStats;
}

/** A session's captures from sandboxes lie in a folder of their own. */
function add(sessions: Used[], { used, stats }: Used): void {
  const known = sessions.find((one) => one.stats.session === stats.session);
  if (known === undefined) {
    sessions.push({ used, stats });
    return;
  }
  known.used = Math.max(known.used, used);
  known.stats.oldest = earlier(known.stats.oldest, stats.oldest);
  for (const name of COUNTS) known.stats[name] += stats[name];
}

const COUNTS = ['file_count', 'total_bytes', 'stored_bytes', 'pinned_count', 'running_count'] as const;

function sessionStats(folder: SessionFolder): SessionStats {
  const captures = folder.captures.filter((capture) => capture.gone === null);
  const named = folder.session?.name ?? captures.find((capture) => capture.record)?.record?.session;
  return {
    session: named ?? folder.path.split(/[/\\]/).at(-1)!,
    created_at: folder.session?.created_at ?? null,
    ended_at: folder.session?.ended_at ?? null,
    ephemeral: folder.session?.ephemeral ?? false,
    file_count: captures.length,
    total_bytes: captures.reduce((sum, capture) => sum + textBytes(capture), 0),
    oldest: captures.reduce((oldest, { record }) => earlier(oldest, record?.started_at ?? null), NEVER),
    stored_bytes: captures.reduce((sum, capture) => sum + capture.bytes, 0),
    pinned_count: captures.filter((capture) => capture.pinned).length,
    running_count: captures.filter((capture) => isRunning(capture)).length,
  };
}

/** While a command runs, its files are ahead of its record. */
function textBytes(capture: Capture): number {
  if (capture.record === null) return capture.bytes;
  return capture.record.streams.reduce((sum, stream) => {
    const file = capture.record!.recorder && capture.files.find(({ name }) => name === stream.file);
    return sum + Math.max(stream.total_bytes, file ? file.bytes : 0);
  }, 0);
}

function sourceStats(artifacts: readonly Artifact[]): SourceStats[] {
  const sources = new Map<string, SourceStats>();
  for (const { source, streams, started_at } of artifacts) {
    if (source === null || source === CAPTURES_SOURCE) continue;
    const known = sources.get(source) ?? { source, file_count: 0, total_bytes: 0, oldest: null };
    sources.set(source, {
      source,
      file_count: known.file_count + 1,
      total_bytes: known.total_bytes + streams.reduce((sum, stream) => sum + stream.total_bytes, 0),
      oldest: earlier(known.oldest, started_at),
    });
  }
  return [...sources.values()].sort((a, b) => (a.source < b.source ? -1 : 1));
}

function tally(parts: readonly Pick<SourceStats, 'file_count' | 'total_bytes' | 'oldest'>[]) {
  return {
    file_count: parts.reduce((sum, part) => sum + part.file_count, 0),
    total_bytes: parts.reduce((sum, part) => sum + part.total_bytes, 0),
    oldest: parts.reduce((oldest, part) => earlier(oldest, part.oldest), NEVER),
  };
}

const NEVER: string | null = null;

/** Both ISO 8601 in UTC, or null. */
function earlier(a: string | null, b: string | null): string | null {
  if (a === null || b === null) return a ?? b;
  return a < b ? a : b;
}
