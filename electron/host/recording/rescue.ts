/**
 * Keeps what agents delete. A descriptor is held on each recent capture of a source whose rescue is on: the system then
 * keeps the bytes when the owner unlinks the file, and they are copied into Spillway's own captures.
 */

import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import * as z from 'zod';
import { agentName } from '../../../shared/agent-names.ts';
import type { Artifact } from '../../../shared/artifact.ts';
import { type Rescue as Policy, Rescued } from '../../../shared/sources.ts';
import { formatBytes } from '../../../shared/text/format.ts';
import type { SourceKind } from '../../agents/agent.ts';
import type { AgentFile, FileDescription, FileState, UserFolders } from '../../agents/facts/described.ts';
import { FactFiles } from '../../agents/facts/fact-files.ts';
import type { FilesListener } from '../../library/files/known-files.ts';
import { replaceFile } from '../../store/format/small-file.ts';
import type { Disk, DiskFile } from '../../workers/disk.ts';
import { copyFile, copyProgress } from './file-copy.ts';

/** Descriptors held at most: the oldest are closed. */
const MAX_HELD = 200;
/** Reasons remembered of files that are not held. */
const MAX_UNHELD = 10_000;
const TOO_SOON = 'it was deleted as soon as it was made';
/** Agents delete their captures with the session, or sooner. */
const RECENT_MS = 24 * 3_600_000;
/** An agent says how a command ended after it deleted the output: ask again so much later. */
const ASK_MS: readonly number[] = [100, 300, 1000, 3000];

interface RescueOptions {
  home: string;
  user: UserFolders;
  disk: Disk;
  policy(agent: string): Policy;
  /** Most bytes to keep for one agent, from the current settings; 0 for no limit. */
  quotaBytes(): number;
  /** Bytes of an agent's deleted captures that are kept now. */
  keptBytes(agent: string): number;
  /** Shows a message in the windows. */
  say(text: string): void;
}

export class Rescuer implements FilesListener {
  readonly #options: RescueOptions;
  readonly #facts: FactFiles;
  /** The file, or why it could not be opened. */
  readonly #held = new Map<string, Promise<DiskFile | string>>();
  /** Copies under way, by agent. */
  readonly #copying = new Map<string, number>();
  readonly #book: RescueBook;
  /** Why a descriptor is not held, by path. */
  readonly #unheld = new Map<string, string>();
  readonly #work = new Set<Promise<void>>();
  #closed = false;

  constructor(options: RescueOptions) {
    this.#options = options;
    this.#facts = new FactFiles(options.user, options.disk);
    this.#book = new RescueBook(options.home);
  }

  found(path: string, stats: FileState, kind: SourceKind): void {
    if (this.#closed || kind.agent === undefined || Date.now() - stats.mtimeMs > RECENT_MS) return;
    if (this.#options.policy(kind.agent) === 'off') return;
    this.#letGo(path);
    const whyNot = ({ code }: NodeJS.ErrnoException) =>
      code === 'ENOENT' ? TOO_SOON : `it could not be opened (${code})`;
    this.#held.set(path, this.#options.disk.open(path).catch(whyNot));
    if (this.#held.size <= MAX_HELD) return;
    const [oldest] = this.#held.keys();
    this.#letGo(oldest!);
    this.#unhold(oldest!, `more than ${MAX_HELD} files were written at once`);
  }

  lost(path: string, artifact: Artifact, file: AgentFile, kind: SourceKind): void {
    const held = this.#held.get(path) ?? this.#unheld.get(path);
    this.#held.delete(path);
    this.#unheld.delete(path);
    if (held === undefined) return;
    const work: Promise<void> = this.#lost(path, held, artifact, file, kind)
      .catch((error: Error) => this.#say(artifact, kind, error.message))
      .finally(() => this.#work.delete(work));
    this.#work.add(work);
  }

  async #lost(
    path: string,
    opening: Promise<DiskFile | string> | string,
    artifact: Artifact,
    file: AgentFile,
    kind: SourceKind,
  ): Promise<void> {
    const held = await opening;
    if (typeof held === 'string') return this.#miss(path, artifact, file, kind, held);
    try {
      await this.#rescue(held, artifact, file, kind);
    } finally {
      held.close();
    }
  }

  vanished(_path: string, kind: SourceKind): void {
    if (kind.agent !== undefined && !this.#closed && this.#options.policy(kind.agent) === 'all')
      this.#book.missed(kind.agent, 0, TOO_SOON);
  }

  /** Stops keeping a file when it stops being followed. */
  readonly drop = (path: string): void => this.#letGo(path);

  /** Holds and closes what the policies ask for now. */
  review(files: Iterable<{ path: string; kind: SourceKind }>): void {
    for (const path of [...this.#held.keys(), ...this.#unheld.keys()]) this.#letGo(path);
    for (const { path, kind } of files)
      void this.#options.disk.stat(path).then(
        (entry) => !(entry instanceof Error) && entry.isFile() && this.found(path, entry, kind),
        () => {},
      );
  }

  async close(): Promise<void> {
    this.#closed = true;
    for (const path of [...this.#held.keys()]) this.#letGo(path);
    await Promise.allSettled([...this.#work]);
    this.#book.close();
  }

  async #rescue(held: DiskFile, artifact: Artifact, file: AgentFile, kind: SourceKind): Promise<void> {
    const { home, policy, keptBytes } = this.#options;
    const quotaBytes = this.#options.quotaBytes();
    const agent = artifact.agent?.name ?? '';
    const { nlink, size } = await held.stat();
    // It was renamed, or its source was switched off.
    if (nlink > 0 || policy(agent) === 'off') return;
    const printed = (await held.read(0, 1024)).toString('utf8');
    const { ended, mayHaveFailed } = await this.#asEnded(artifact, { ...file, printed }, kind);
    if (!isWanted(policy(agent), ended, mayHaveFailed)) return;
    const copying = this.#copying.get(agent) ?? 0;
    if (quotaBytes > 0 && keptBytes(agent) + copying + size > quotaBytes) {
      this.#say(artifact, kind, `${formatBytes(quotaBytes)} of its output are kept (rescueQuotaBytes)`);
      return;
    }
    this.#copying.set(agent, copying + size);
    try {
      const onProgress = copyProgress(ended.label, this.#options.say);
      await copyFile({ home, file: held, frame: kind.frame, artifact: ended, onProgress });
      this.#book.kept(agent, size);
    } finally {
      this.#copying.set(agent, (this.#copying.get(agent) ?? size) - size);
    }
  }

  /** Counts a capture that was deleted and is not held. */
  async #miss(
    path: string,
    artifact: Artifact,
    file: AgentFile,
    kind: SourceKind,
    why: string,
  ): Promise<void> {
    const policy = this.#options.policy(artifact.agent?.name ?? '');
    if (policy === 'off' || !((await this.#options.disk.stat(path)) instanceof Error)) return;
    const { ended, mayHaveFailed } = await this.#asEnded(artifact, file, kind);
    if (isWanted(policy, ended, mayHaveFailed)) this.#say(artifact, kind, why);
  }

  /** Counts a missed capture, and shows a message in the windows. */
  #say(artifact: Artifact, kind: SourceKind, why: string): void {
    const bytes = artifact.streams[0]?.total_bytes ?? 0;
    this.#book.missed(artifact.agent?.name ?? kind.name, bytes, why);
    this.#options.say(`${titleOf(kind)} deleted ${formatBytes(bytes)} that were not kept, because ${why}`);
  }

  /** The artifact with how its command ended. */
  async #asEnded(
    artifact: Artifact,
    file: AgentFile,
    kind: SourceKind,
  ): Promise<{ ended: Artifact; mayHaveFailed: boolean }> {
    const {
      session: _,
      project: __,
      pid: ___,
      truncated: ____,
      mayHaveFailed = false,
      ...facts
    } = await this.#ended(artifact, file, kind);
    return { ended: { ...artifact, ...facts }, mayHaveFailed };
  }

  /** Facts about the command, once the agent has written how it ended. */
  async #ended(artifact: Artifact, file: AgentFile, kind: SourceKind): Promise<FileDescription> {
    if (artifact.exit_code !== null || !kind.detail) return {};
    let reported: FileDescription = {};
    for (const ms of ASK_MS) {
      if (this.#closed) break;
      await pause(ms);
      reported = await kind.detail(file, this.#facts, {}).catch(() => reported);
      if (reported.exit_code != null) return reported;
    }
    return reported.mayHaveFailed === undefined ? {} : reported;
  }

  #unhold(path: string, why: string): void {
    this.#unheld.set(path, why);
    if (this.#unheld.size > MAX_UNHELD) this.#unheld.delete(this.#unheld.keys().next().value!);
  }

  #letGo(path: string): void {
    const opening = this.#held.get(path);
    this.#unheld.delete(path);
    this.#held.delete(path);
    void opening?.then((file) => typeof file !== 'string' && file.close());
  }
}

/** Bytes of the copies of an agent's captures that would go with the next cleanup. */
export function rescuedBytes(artifacts: readonly Artifact[], agent: string): number {
  return artifacts
    .filter(
      (one) =>
        one.kind !== 'file' && typeof one.origin === 'string' && one.agent?.name === agent && !one.pinned,
    )
    .reduce((sum, { streams }) => sum + (streams[0]?.total_bytes ?? 0), 0);
}

function isWanted(policy: Policy, { status, exit_code }: Artifact, mayHaveFailed: boolean): boolean {
  const failed = status === 'failed' || (exit_code ?? 0) !== 0 || mayHaveFailed;
  return policy === 'all' || (policy === 'failed' && failed);
}

function titleOf(kind: SourceKind): string {
  return agentName(kind.agent ?? kind.name).title;
}

/** Changes within this time are written together. */
const WRITE_AFTER_MS = 300;

const Book = z.object({ version: z.literal(1), agents: z.record(z.string(), Rescued) });

/**
 * Counts which of each agent's deleted captures were kept and which were missed, in `run/rescue.json`. Only the
 * inspector writes that file.
 */
class RescueBook {
  readonly #home: string;
  readonly #agents: Record<string, Rescued>;
  #timer: NodeJS.Timeout | null = null;

  constructor(home: string) {
    this.#home = home;
    this.#agents = readRescued(home);
  }

  kept(agent: string, bytes: number): void {
    const one = this.#of(agent);
    one.kept += 1;
    one.kept_bytes += bytes;
    this.#changed();
  }

  /** `why`: ends the sentence "missed, because …". */
  missed(agent: string, bytes: number, why: string): void {
    const one = this.#of(agent);
    one.missed += 1;
    one.missed_bytes += bytes;
    one.why = why;
    this.#changed();
  }

  close(): void {
    if (this.#timer === null) return;
    clearTimeout(this.#timer);
    this.#write();
  }

  #of(agent: string): Rescued {
    this.#agents[agent] ??= { kept: 0, kept_bytes: 0, missed: 0, missed_bytes: 0, why: null };
    return this.#agents[agent];
  }

  #changed(): void {
    this.#timer ??= setTimeout(() => this.#write(), WRITE_AFTER_MS).unref();
  }

  #write(): void {
    this.#timer = null;
    try {
      mkdirSync(join(this.#home, 'run'), { recursive: true, mode: 0o700 });
      replaceFile(fileIn(this.#home), JSON.stringify({ version: 1, agents: this.#agents }));
    } catch {
      // Whatever needs the disk reports that it is full or gone.
    }
  }
}

/** Returns the counts by agent. */
export function readRescued(home: string): Record<string, Rescued> {
  try {
    return Book.parse(JSON.parse(readFileSync(fileIn(home), 'utf8'))).agents;
  } catch {
    return {};
  }
}

function fileIn(home: string): string {
  return join(home, 'run', 'rescue.json');
}
