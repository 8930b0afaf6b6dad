/**
 * Declares statistics, cleanup, pins and sessions of captures (CONTRACT 3, 4 and 6). Sizes are bytes, times ISO 8601 in
 * UTC.
 */

import * as z from 'zod';
import { ArtifactId, Status } from './artifact.ts';

const count = z.number().int().min(0);

export const StatsParams = z.object({});
export type StatsParams = z.input<typeof StatsParams>;

const Tally = z.object({
  /** Number of artifacts, however many files each has. */
  file_count: count,
  /** Bytes of the streams as read, before any compression. */
  total_bytes: count,
  /** Start of the oldest; null if there is none. */
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
  /** Whether it is removed, with everything in it, when its process ends. */
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
  /** Only these, of any age unless `older_than_hours` is also given. */
  artifact_ids: z.array(z.string()).max(100_000).optional(),
  /** Keeps these. With a session but no age or ids, removes everything else of the session. */
  keep: z.array(z.string()).max(100_000).optional(),
  /** Reports what would be removed, without removing it. */
  dry_run: z.boolean().optional(),
});
export type CleanupParams = z.input<typeof CleanupParams>;

export const RemovedReason = z.enum([
  /** It ended longer ago than was asked for, or than `retentionHours`. */
  'age',
  /** Captures exceeded `maxTotalBytes`, and it was the oldest removable one. */
  'size',
  /** It was named, or was not on the list of what to keep. */
  'asked',
  /** Its session was ended, or was ephemeral and its process has ended. */
  'session',
]);
export type RemovedReason = z.infer<typeof RemovedReason>;

export const StayedReason = z.enum([
  'running',
  'pinned',
  /** On the list of what to keep. */
  'kept',
  /** Not old enough. */
  'recent',
  /** It waits to be shipped to the archive. */
  'unshipped',
  /** Its record cannot be read: only naming its id removes it. */
  'damaged',
  /** A newer version of Spillway wrote its record. */
  'newer',
  /** One of its files is a link or a folder, which Spillway does not write. */
  'foreign',
  /** The system refused. */
  'failed',
  /** No capture has the id. */
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
  /** A sentence with more than the reason. */
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
  /** Sessions removed with the last of their captures. */
  removed_sessions: z.array(z.string()),
  /** Empty sessions that stay because they were used within the last minute; a later cleanup removes them. */
  resting_sessions: z.array(z.string()),
  /** Sentences about problems of the request, such as an unknown session. */
  warnings: z.array(z.string()),
});
export type CleanupResult = z.infer<typeof CleanupResult>;

export const PinParams = z.object({ artifact_id: z.string() });
export type PinParams = z.input<typeof PinParams>;

export const PinResult = z.object({
  artifact_id: z.string(),
  pinned: z.boolean(),
  /** False if nothing changed. */
  changed: z.boolean(),
});
export type PinResult = z.infer<typeof PinResult>;

export const UseSessionParams = z.object({
  session: z.string().min(1).max(1000),
  /** Default for its commands; absent to leave it unchanged. */
  cwd: z.string().nullable().optional(),
  /** Added to the environment of its commands; replaces what was there. */
  env: z.record(z.string(), z.string()).optional(),
  /** Whether it is removed, with everything in it, when this process ends. */
  ephemeral: z.boolean().optional(),
});
export type UseSessionParams = z.input<typeof UseSessionParams>;

/** A session, with only the names of its environment variables. */
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
  /** Whether to delete its captures; by default as the setting `sessionEnd` says. */
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

/** Stopping a running command from the window. */
export const StopParams = z.object({ artifact_id: ArtifactId });

export const StopPlan = z.object({
  /** Why a person can't stop it from here, as a sentence; null when they can. */
  refused: z.string().nullable(),
  /** The command and the processes it started, as far as is known. */
  processes: z.number().int(),
});
export type StopPlan = z.infer<typeof StopPlan>;

export const StopResult = z.object({
  status: Status,
  exit_code: z.number().int().nullable(),
  signal: z.string().nullable(),
  /** Whether it ignored SIGTERM and was killed. */
  killed: z.boolean(),
  /** Processes that still run. */
  left: z.number().int(),
});
export type StopResult = z.infer<typeof StopResult>;
