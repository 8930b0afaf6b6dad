/**
 * Keeps what agents delete. A descriptor is held on each recent capture of a source whose rescue is on: the system then
 * keeps the bytes when the owner unlinks the file, and they are copied into Spillway's own captures.
 */
import { closeSync, constants, fstatSync, lstatSync, openSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { agentName } from '../../../shared/agent-names.ts';
import type { Artifact } from '../../../shared/artifact.ts';
import type { Rescue as Policy } from '../../../shared/sources.ts';
import { formatBytes } from '../../../shared/text/format.ts';
import type { FileState } from '../../library/files/file-state.ts';
import type { FilesListener } from '../../library/files/known-files.ts';
import { FactFiles } from '../../library/sources/facts/fact-files.ts';
import type { FileDescription } from '../../library/sources/facts/file-description.ts';
import type { CaptureFile, SourceKind } from '../../library/sources/source.ts';
import type { UserFolders } from '../../library/sources/user-folders.ts';
import { copyFile } from './file-copy.ts';

/** Descriptors held at most: the oldest are closed. */
const MAX_HELD = 200;
/** Agents delete their captures with the session, or sooner. */
const RECENT_MS = 24 * 3_600_000;
/** Bytes kept of one agent while this process runs. */
const QUOTA_BYTES = 2 * 1024 ** 3;
/** An agent says how a command ended after it deleted the output: ask again so much later. */
const ASK_MS: readonly number[] = [100, 300, 1000, 3000];

export interface RescueOptions {
  home: string;
  user: UserFolders;
  policy(agent: string): Policy;
  /** Tells the windows what could not be kept. */
  say(text: string): void;
}

export class Rescue implements FilesListener {
  readonly #options: RescueOptions;
  readonly #facts: FactFiles;
  readonly #held = new Map<string, number>();
  readonly #keptBytes = new Map<string, number>();
  readonly #work = new Set<Promise<void>>();
  #closed = false;

  constructor(options: RescueOptions) {
    this.#options = options;
    this.#facts = new FactFiles(options.user);
  }

  found(path: string, stats: FileState, kind: SourceKind): void {
    if (this.#closed || kind.agent === undefined || Date.now() - stats.mtimeMs > RECENT_MS) return;
    if (this.#options.policy(kind.agent) === 'off') return;
    this.#letGo(path);
    try {
      const flags = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOFOLLOW ?? 0);
      this.#held.set(path, openSync(path, flags));
    } catch {
      // Deleted already, or not readable.
    }
    if (this.#held.size > MAX_HELD) this.#letGo(this.#held.keys().next().value!);
  }

  lost(path: string, artifact: Artifact, file: CaptureFile, kind: SourceKind): void {
    const fd = this.#held.get(path);
    if (fd === undefined) return;
    this.#held.delete(path);
    const work: Promise<void> = this.#rescue(fd, artifact, file, kind)
      .catch((error: Error) =>
        this.#options.say(`${titleOf(kind)} deleted output that could not be kept: ${error.message}`),
      )
      .finally(() => {
        closeSync(fd);
        this.#work.delete(work);
      });
    this.#work.add(work);
  }

  /** Keeps nothing of a file that is no longer followed. */
  readonly drop = (path: string): void => this.#letGo(path);

  /** Holds and closes what the policies ask for now. */
  review(files: Iterable<{ path: string; kind: SourceKind }>): void {
    for (const path of [...this.#held.keys()]) this.#letGo(path);
    for (const { path, kind } of files) {
      const stats = lstatSync(path, { throwIfNoEntry: false });
      if (stats?.isFile()) this.found(path, stats, kind);
    }
  }

  async close(): Promise<void> {
    this.#closed = true;
    for (const path of [...this.#held.keys()]) this.#letGo(path);
    await Promise.allSettled([...this.#work]);
  }

  async #rescue(fd: number, artifact: Artifact, file: CaptureFile, kind: SourceKind): Promise<void> {
    const { home, policy, say } = this.#options;
    const agent = artifact.agent?.name ?? '';
    const wanted = policy(agent);
    const { nlink, size } = fstatSync(fd);
    // It was renamed, or its source was switched off.
    if (nlink > 0 || wanted === 'off') return;
    const told = await this.#ended(artifact, file, kind);
    const { session: _, project: __, pid: ___, truncated: ____, ...facts } = told;
    const ended = { ...artifact, ...facts };
    const hasFailed = ended.status === 'failed' || (ended.exit_code ?? 0) !== 0;
    if (wanted === 'failed' && !hasFailed) return;
    const kept = (this.#keptBytes.get(agent) ?? 0) + size;
    if (kept > QUOTA_BYTES) {
      const quota = formatBytes(QUOTA_BYTES);
      say(
        `${titleOf(kind)} deleted ${formatBytes(size)} that were not kept: ${quota} of its output were rescued`,
      );
      return;
    }
    this.#keptBytes.set(agent, kept);
    await copyFile({ home, fd, frame: kind.frame, artifact: ended });
  }

  /** Facts about the command, once the agent has written how it ended. */
  async #ended(artifact: Artifact, file: CaptureFile, kind: SourceKind): Promise<FileDescription> {
    if (artifact.exit_code !== null || !kind.detail) return {};
    for (const ms of ASK_MS) {
      if (this.#closed) break;
      await pause(ms);
      const told = await kind.detail(file, this.#facts, {}).catch((): FileDescription => ({}));
      if (told.exit_code != null) return told;
    }
    return {};
  }

  #letGo(path: string): void {
    const fd = this.#held.get(path);
    this.#held.delete(path);
    if (fd !== undefined) closeSync(fd);
  }
}

function titleOf(kind: SourceKind): string {
  return agentName(kind.agent ?? kind.name).title;
}
