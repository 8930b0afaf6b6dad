/** Answers requests about statistics, cleanup, pins and sessions. The command line uses it without a host. */
import { lstatSync } from 'node:fs';
import { type Artifact, ArtifactId } from '../../../shared/artifact.ts';
import { SpillwayError } from '../../../shared/errors.ts';
import type {
  CleanupParams,
  CleanupResult,
  EndSessionParams,
  EndSessionResult,
  PinParams,
  PinResult,
  Session,
  StorageStats,
  UseSessionParams,
} from '../../../shared/lifecycle.ts';
import type { Settings } from '../../../shared/settings.ts';
import type { SourceKind } from '../../agents/agent.ts';
import type { KnownRecord } from '../../store/format/folder.ts';
import { noSuchCapture, pinCapture, unpinCapture } from '../../store/format/pins.ts';
import { captureRoots, capturesFolder } from '../../store/format/places.ts';
import type { SessionRecord } from '../../store/format/session.ts';
import { cleanUp, deleteSession } from '../../store/retention/cleanup.ts';
import {
  markEnded,
  readSession,
  sessionVariables,
  sessionView,
  useSession,
} from '../../store/retention/sessions.ts';
import { storageStats } from '../../store/retention/stats.ts';
import { type Disk, type DiskFile, isUnanswered } from '../../workers/disk.ts';
import { copyFile, copyProgress } from '../recording/file-copy.ts';
import { loadConfig } from '../settings/config.ts';
import { homeProblem } from '../settings/home.ts';
import { writableParentProblem } from '../settings/writable-parent.ts';

export class Lifecycle {
  readonly #home: string;
  /** Ephemeral sessions made here, which are removed when this process closes. */
  readonly #ours = new Set<string>();

  constructor(home: string) {
    this.#home = home;
  }

  /** `watched`: artifacts of other sources than our captures. `known` saves reading records again. */
  async statsWith(watched: readonly Artifact[], known?: KnownRecord): Promise<StorageStats> {
    return storageStats(this.#home, this.#settings(), watched, known);
  }

  /**
   * Errors: `not_found` for a malformed id, before anything is removed; `home` when other users can change the
   * captures.
   */
  async cleanup(params: CleanupParams): Promise<CleanupResult> {
    for (const id of [...(params.artifact_ids ?? []), ...(params.keep ?? [])]) {
      // A shortened id would match nothing, and the capture it should keep would be removed.
      if (!ArtifactId.safeParse(id).success) throw noSuchCapture(this.#home, id);
    }
    return cleanUp(privateHome(this.#home), this.#settings(), params);
  }

  /** Removes the named captures, pinned ones too. Errors as of `cleanup`. */
  async deleteCaptures(ids: readonly string[]): Promise<CleanupResult> {
    const named = { artifact_ids: [...ids] };
    const first = await this.cleanup(named);
    const pinned = first.stayed.flatMap(({ artifact_id: id, reason }) => (reason === 'pinned' ? [id] : []));
    if (pinned.length === 0) return first;
    for (const artifact_id of pinned) await this.unpin({ artifact_id });
    const second = await this.cleanup({ artifact_ids: pinned });
    // What cannot go, such as a running one, stays as protected as it was.
    for (const { artifact_id } of second.stayed) await this.pinCapture({ artifact_id }).catch(() => {});
    return {
      ...second,
      removed: [...first.removed, ...second.removed],
      removed_count: first.removed_count + second.removed_count,
      removed_bytes: first.removed_bytes + second.removed_bytes,
      removed_sessions: [...first.removed_sessions, ...second.removed_sessions],
      stayed: [...first.stayed.filter(({ reason }) => reason !== 'pinned'), ...second.stayed],
      warnings: [...first.warnings, ...second.warnings],
    };
  }

  async pinCapture({ artifact_id }: PinParams): Promise<PinResult> {
    return pinCapture(this.#home, artifact_id);
  }

  async unpin({ artifact_id }: PinParams): Promise<PinResult> {
    return unpinCapture(this.#home, artifact_id);
  }

  /** The sessions with their sizes, most recently used first. */
  async sessions(known?: KnownRecord): Promise<StorageStats['sessions']> {
    return (await this.statsWith([], known)).sessions;
  }

  /** Returns the session with the values of its variables that this process set; null if it does not exist. */
  session(name: string): (SessionRecord & { env: Readonly<Record<string, string>> }) | null {
    const record = readSession(this.#home, name);
    return record && { ...record, env: sessionVariables(this.#home, record) };
  }

  async useSession(params: UseSessionParams): Promise<Session> {
    const record = useSession(this.#home, params);
    if (record.ephemeral && record.owner?.pid === process.pid) this.#ours.add(record.name);
    return sessionView(record);
  }

  /** Ends a session whose commands have been stopped. Errors: `not_found` for an unknown session. */
  async endSession({ session, delete: asked }: EndSessionParams): Promise<EndSessionResult> {
    const record = markEnded(this.#home, session, new Date());
    if (record === null) {
      throw new SpillwayError(
        'not_found',
        `there is no session ${JSON.stringify(session)}`,
        'storage_stats names the sessions there are',
      );
    }
    this.#ours.delete(session);
    const settings = this.#settings();
    const deleted = asked ?? (record.ephemeral || settings.sessionEnd === 'delete');
    const { dry_run, resting_sessions, warnings, ...went } = deleted
      ? await deleteSession(privateHome(this.#home), settings, session)
      : NOTHING;
    return { session, ended_at: record.ended_at ?? new Date().toISOString(), deleted, ...went };
  }

  /** Ends ephemeral sessions. */
  async close(): Promise<void> {
    for (const session of [...this.#ours]) await this.endSession({ session, delete: true }).catch(() => {});
  }

  /** Reads the settings each time, so that a long-running process follows changes. */
  #settings(): Settings {
    return loadConfig(this.#home).settings;
  }
}

const NOTHING: CleanupResult = {
  dry_run: false,
  removed_count: 0,
  removed_bytes: 0,
  stayed_count: 0,
  removed: [],
  stayed: [],
  removed_sessions: [],
  resting_sessions: [],
  warnings: [],
};

/** Returns the home; one that does not exist yet passes, too. Errors: `home`. */
export function privateHome(home: string): string {
  const open = writableParentProblem(home);
  if (open) throw open;
  for (const path of [home, capturesFolder(home), ...captureRoots(home)]) {
    if (!lstatSync(path, { throwIfNoEntry: false })) continue;
    const problem = homeProblem(path);
    if (problem) throw problem;
  }
  return home;
}

// Pins an agent's capture: makes a pinned copy of it in Spillway's own captures. The file itself is never touched.

interface PinFileOptions {
  home: string;
  artifact: Artifact;
  kind: SourceKind | undefined;
  /** Copies that were made before. */
  captures: readonly Artifact[];
  disk: Disk;
  say(text: string): void;
}

/** Throws `not_found` if the file no longer exists, and `no_permission`. */
export async function pinFile(options: PinFileOptions): Promise<PinResult> {
  const { home, artifact, kind, captures, disk, say } = options;
  const path = artifact.streams[0]?.file_path ?? '';
  const bytes = artifact.streams[0]?.total_bytes ?? 0;
  const known = captures.find(
    ({ origin, pinned, streams }) => pinned && origin === path && streams[0]?.total_bytes === bytes,
  );
  if (known) return { artifact_id: known.artifact_id, pinned: true, changed: false };
  const file = await opened(disk, path);
  try {
    const id = await copyFile({
      home,
      file,
      artifact,
      frame: kind?.frame,
      onProgress: copyProgress(artifact.label, say),
    });
    return await pinCapture(home, id);
  } finally {
    file.close();
  }
}

async function opened(disk: Disk, path: string): Promise<DiskFile> {
  try {
    return await disk.open(path);
  } catch (error) {
    if (isUnanswered(error)) throw error;
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT')
      throw new SpillwayError('not_found', `${path} no longer exists`, 'nothing is left to copy');
    throw new SpillwayError('no_permission', `${path} cannot be read (${code})`, 'change its permissions');
  }
}
