/**
 * What the host does about the life of captures: statistics, cleanup, pins and sessions when asked, and in a process
 * that stays (inspector, `serve`, `mcp`) cleaning and compressing by itself. The command line uses this without a host.
 */
import { lstatSync } from 'node:fs';
import type { Artifact } from '../../shared/artifact.ts';
import { ArtifactId } from '../../shared/artifact.ts';
import { SpillwayError } from '../../shared/errors.ts';
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
} from '../../shared/lifecycle.ts';
import type { Settings } from '../../shared/settings.ts';
import { cleanUp, deleteSession } from '../library/captures/cleanup.ts';
import { compressStreams } from '../library/captures/compress.ts';
import { capturesFolder } from '../library/captures/names.ts';
import { noSuchCapture, pinCapture, unpinCapture } from '../library/captures/pins.ts';
import { markEnded, readSession, sessionView, useSession } from '../library/captures/sessions.ts';
import { storageStats } from '../library/captures/stats.ts';
import { loadConfig } from './config.ts';
import { homeProblem } from './home.ts';

/** How often a process that stays cleans up. Milliseconds. */
export const CLEAN_EVERY_MS = 10 * 60 * 1000;

export interface LifecycleOptions {
  /** Told of what went wrong in the background, in a sentence; of the same thing once. */
  onProblem?: (problem: string) => void;
  everyMs?: number;
}

export class Lifecycle {
  readonly #home: string;
  readonly #options: LifecycleOptions;
  /** Ephemeral sessions that were made here, and go when this process closes. */
  readonly #ours = new Set<string>();
  readonly #incompressible = new Set<string>();
  readonly #stopping = new AbortController();
  #timer: NodeJS.Timeout | null = null;
  #round: Promise<void> = Promise.resolve();
  #lastProblem: string | null = null;

  constructor(home: string, options: LifecycleOptions = {}) {
    this.#home = home;
    this.#options = options;
  }

  /** Cleans and compresses now and every ten minutes, until `close`. */
  start(): void {
    const round = () => {
      this.#timer = setTimeout(round, this.#options.everyMs ?? CLEAN_EVERY_MS);
      this.#timer.unref();
      this.tidy();
    };
    round();
  }

  /** One round of the work that `start` repeats; those asked for meanwhile are one. Never rejects. */
  tidy(): Promise<void> {
    const next = this.#round.then(() => this.#tidyOnce());
    this.#round = next;
    return next;
  }

  /** `watched`: the artifacts of sources that are not captures. */
  async stats(watched: readonly Artifact[]): Promise<StorageStats> {
    return storageStats(this.#home, this.#settings(), watched);
  }

  /** Errors: `not_found` for what cannot be an id, before anything is removed; `home` when the captures are not this user's alone. */
  async cleanup(params: CleanupParams): Promise<CleanupResult> {
    for (const id of [...(params.artifact_ids ?? []), ...(params.keep ?? [])]) {
      // An id that was cut off would keep nothing, and what it was to keep would go.
      if (!ArtifactId.safeParse(id).success) throw noSuchCapture(this.#home, id);
    }
    return cleanUp(this.#checkedHome(), this.#settings(), params);
  }

  async pin({ artifact_id }: PinParams): Promise<PinResult> {
    return pinCapture(this.#home, artifact_id);
  }

  async unpin({ artifact_id }: PinParams): Promise<PinResult> {
    return unpinCapture(this.#home, artifact_id);
  }

  /** Sessions with what they hold, the one used last first. */
  async sessions(): Promise<StorageStats['sessions']> {
    return (await this.stats([])).sessions;
  }

  /** Defaults for commands of the session, environment values included; null when nobody made it. */
  session(name: string): { cwd: string | null; env: Readonly<Record<string, string>> } | null {
    return readSession(this.#home, name);
  }

  async useSession(params: UseSessionParams): Promise<Session> {
    const record = useSession(this.#home, params);
    if (record.ephemeral && record.owner?.pid === process.pid) this.#ours.add(record.name);
    return sessionView(record);
  }

  /** Its commands are to be stopped before. Errors: `not_found` when there is no such session. */
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
    const { dry_run, ...went } = deleted
      ? await deleteSession(this.#checkedHome(), settings, session)
      : NOTHING;
    return { session, ended_at: record.ended_at ?? new Date().toISOString(), deleted, ...went };
  }

  /** Ends what was ephemeral; resolves when nothing is under way any more. */
  async close(): Promise<void> {
    if (this.#timer) clearTimeout(this.#timer);
    this.#stopping.abort();
    await this.#round;
    for (const session of [...this.#ours]) await this.endSession({ session, delete: true }).catch(() => {});
  }

  async #tidyOnce(): Promise<void> {
    if (this.#stopping.signal.aborted) return;
    try {
      const home = this.#checkedHome();
      const settings = this.#settings();
      await cleanUp(home, settings);
      await compressStreams(home, {
        above: settings.compressAbove,
        minFreeBytes: settings.minFreeBytes,
        tried: this.#incompressible,
        signal: this.#stopping.signal,
      });
      this.#lastProblem = null;
    } catch (error) {
      if (this.#stopping.signal.aborted) return;
      const problem = `Old captures were not cleaned up: ${(error as Error).message}`;
      if (problem !== this.#lastProblem) this.#options.onProblem?.(problem);
      this.#lastProblem = problem;
    }
  }

  /** As they are now: a process that stays does not insist on what it read when it started. */
  #settings(): Settings {
    return loadConfig(this.#home).settings;
  }

  /** Nothing is removed in a home that others can write to. */
  #checkedHome(): string {
    for (const path of [this.#home, capturesFolder(this.#home)]) {
      if (!lstatSync(path, { throwIfNoEntry: false })) break;
      const problem = homeProblem(path);
      if (problem) throw problem;
    }
    return this.#home;
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
};
