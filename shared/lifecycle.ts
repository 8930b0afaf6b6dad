/**
 * The life of captures: statistics, cleanup, pins and sessions (CONTRACT 3, 4 and 6). Sizes are bytes, times ISO
 * 8601 in UTC.
 */
import * as z from 'zod';

const count = z.number().int().min(0);

export const StatsParams = z.object({});
export type StatsParams = z.input<typeof StatsParams>;

const Tally = z.object({
  /** Artifacts, each counted once however many files it has. */
  file_count: count,
  /** Bytes of the streams as read, before any compression. */
  total_bytes: count,
  /** When the oldest began; null when there is none. */
  oldest: z.string().nullable(),
});

const StoredTally = Tally.extend({
  /** Bytes on the disk, records included: less than `total_bytes` where streams were compressed. */
  stored_bytes: count,
  pinned_count: count,
  running_count: count,
});

export const SessionStats = StoredTally.extend({
  session: z.string(),
  /** Null when the session's own record is missing or cannot be read. */
  created_at: z.string().nullable(),
  ended_at: z.string().nullable(),
  /** It goes with everything in it when the process that owns it ends. */
  ephemeral: z.boolean(),
});
export type SessionStats = z.infer<typeof SessionStats>;

export const SourceStats = Tally.extend({ source: z.string() });
export type SourceStats = z.infer<typeof SourceStats>;

export const StorageStats = StoredTally.extend({
  retention_hours: z.number(),
  max_total_bytes: count,
  /** Sessions with captures, the most recently used first. */
  sessions: z.array(SessionStats),
  /** `captures`, then the watched files and directories. */
  sources: z.array(SourceStats),
});
export type StorageStats = z.infer<typeof StorageStats>;

export const CleanupParams = z.object({
  /** Only in this session. */
  session: z.string().min(1).optional(),
  /**
   * Removes captures that ended at least so long ago (0: every ended one), instead of those past the retention
   * settings.
   */
  older_than_hours: z.number().min(0).optional(),
  /** Just these, whatever their age, unless `older_than_hours` is given as well. */
  artifact_ids: z.array(z.string()).max(100_000).optional(),
  /** These stay. With a session, and neither an age nor ids: everything of the session but these goes. */
  keep: z.array(z.string()).max(100_000).optional(),
  /** Says what would go, and removes nothing. */
  dry_run: z.boolean().optional(),
});
export type CleanupParams = z.input<typeof CleanupParams>;

/** Why it went. */
export const RemovedReason = z.enum([
  /** It ended longer ago than was asked for, or than `retentionHours`. */
  'age',
  /** Captures took more than `maxTotalBytes`, and it was the oldest that could go. */
  'size',
  /** It was named, or was not on the list of what to keep. */
  'asked',
  /** Its session was ended, or was ephemeral and its owner is gone. */
  'session',
]);
export type RemovedReason = z.infer<typeof RemovedReason>;

/** Why it stayed. */
export const StayedReason = z.enum([
  'running',
  'pinned',
  /** On the list of what to keep. */
  'kept',
  /** Not old enough. */
  'recent',
  /** Its record cannot be read: it goes only when it is named by its id. */
  'damaged',
  /** A newer version of Spillway wrote its record. */
  'newer',
  /** One of its files is a link or a folder, which Spillway does not write. */
  'foreign',
  /** The system refused. */
  'failed',
  /** Asked for by an id that no capture has. */
  'unknown',
]);
export type StayedReason = z.infer<typeof StayedReason>;

export const Removed = z.object({
  artifact_id: z.string(),
  session: z.string().nullable(),
  reason: RemovedReason,
  /** Bytes it took on the disk. */
  bytes: count,
});
export type Removed = z.infer<typeof Removed>;

export const Stayed = z.object({
  artifact_id: z.string(),
  session: z.string().nullable(),
  reason: StayedReason,
  /** In a sentence, where there is more to say than the reason. */
  detail: z.string().optional(),
});
export type Stayed = z.infer<typeof Stayed>;

export const CleanupResult = z.object({
  dry_run: z.boolean(),
  removed_count: count,
  /** Freed on the disk. */
  removed_bytes: count,
  stayed_count: count,
  removed: z.array(Removed),
  stayed: z.array(Stayed),
  /** Sessions that went with the last of their captures. */
  removed_sessions: z.array(z.string()),
  /** Empty sessions that stay because they were used within the last minute; a later cleanup removes them. */
  resting_sessions: z.array(z.string()),
  /** Oddities of the request, as sentences: an unknown session. */
  warnings: z.array(z.string()),
});
export type CleanupResult = z.infer<typeof CleanupResult>;

export const PinParams = z.object({ artifact_id: z.string() });
export type PinParams = z.input<typeof PinParams>;

export const PinResult = z.object({
  artifact_id: z.string(),
  pinned: z.boolean(),
  /** False when it was so already. */
  changed: z.boolean(),
});
export type PinResult = z.infer<typeof PinResult>;

export const UseSessionParams = z.object({
  session: z.string().min(1).max(1000),
  /** For its commands that name none; as it was when absent. */
  cwd: z.string().nullable().optional(),
  /** Added to the environment of its commands; replaces what was there. */
  env: z.record(z.string(), z.string()).optional(),
  /** It goes, with everything in it, when this process ends. */
  ephemeral: z.boolean().optional(),
});
export type UseSessionParams = z.input<typeof UseSessionParams>;

/** A session as others see it: of its environment the names alone. */
export const Session = z.object({
  session: z.string(),
  created_at: z.string(),
  ended_at: z.string().nullable(),
  ephemeral: z.boolean(),
  cwd: z.string().nullable(),
  env_names: z.array(z.string()),
});
export type Session = z.infer<typeof Session>;

export const EndSessionParams = z.object({
  session: z.string().min(1).max(1000),
  /** Whether its captures go; as the setting `sessionEnd` says when absent. */
  delete: z.boolean().optional(),
});
export type EndSessionParams = z.input<typeof EndSessionParams>;

/** Removed and kept captures of the ended session; both empty where captures are kept. */
export const EndSessionResult = CleanupResult.omit({
  dry_run: true,
  resting_sessions: true,
  warnings: true,
}).extend({
  session: z.string(),
  ended_at: z.string(),
  deleted: z.boolean(),
});
export type EndSessionResult = z.infer<typeof EndSessionResult>;
