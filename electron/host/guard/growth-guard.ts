/**
 * Warns if a watched file, or all files of a source, grow abnormally: faster than a limit, beyond a size, or after
 * their command ended. Warns once, and again when the size has doubled. Stops following a file if a process reads it
 * and also writes to it, as it would grow for ever.
 */
import { agentName } from '../../../shared/agents/agent-names.ts';
import type { Artifact } from '../../../shared/artifact.ts';
import { formatBytes } from '../../../shared/text/format.ts';
import type { Listed } from '../../library/catalogue/listed.ts';
import { loopIn, type Opener } from './open-files.ts';

export interface GrowthLimits {
  /** Bytes a minute. */
  growthWarnBytes: number;
  /** Bytes of one file. */
  sizeWarnBytes: number;
}

interface GrowthGuardOptions {
  limits(): GrowthLimits;
  /** `about`: the file or source; `artifact`: null for a source. `what`: the sentence without its beginning. */
  warn(about: string, artifact: Artifact | null, what: string): void;
  /** Returns the processes that have a file open. */
  openers(path: string): Promise<readonly Opener[]>;
  /** Stops following a file, for a reason. */
  stop(path: string, reason: string): void;
  now?: () => number;
}

interface Seen {
  bytes: number;
  /** Size and time from which the rate is computed. */
  fromBytes: number;
  fromMs: number;
  /** Don't warn again below this size. */
  quietBytes: number;
  /** File size at the last check of which processes have it open. */
  askedBytes: number;
  source: string | null;
}

const MINUTE_MS = 60_000;
/** Shortest time for computing a rate per minute. */
const LEAST_MS = 1000;
/** Growth after the writer's end that causes a warning. */
const ORPHAN_WARN_BYTES = 16 * 1024 * 1024;
/**
 * Growth between two checks of which processes have the file open: seconds, for a command that reads its own output.
 */
const ASK_BYTES = 8 * 1024 * 1024;

export class GrowthGuard {
  readonly #options: GrowthGuardOptions;
  readonly #seen = new Map<string, Seen>();
  readonly #sources = new Map<string, Seen>();
  readonly #now: () => number;

  constructor(options: GrowthGuardOptions) {
    this.#options = options;
    this.#now = options.now ?? Date.now;
  }

  readonly take = (changed: readonly Listed[], removed: readonly string[]): void => {
    for (const id of removed) this.#forget(id);
    for (const one of changed) if (one.kind === 'file') this.#look(one);
  };

  /** Bytes of a source's files. */
  bytesOf(source: string): number {
    return this.#sources.get(source)?.bytes ?? 0;
  }

  #forget(id: string): void {
    const seen = this.#seen.get(id);
    const source = seen?.source == null ? undefined : this.#sources.get(seen.source);
    this.#seen.delete(id);
    if (!seen || !source) return;
    source.bytes -= seen.bytes;
    source.fromBytes -= seen.bytes;
  }

  #look(one: Listed): void {
    const { artifact_id: id, sourceName: source, bytes } = one;
    const now = this.#now();
    const seen = this.#seen.get(id);
    if (!seen) {
      this.#seen.set(id, fresh(bytes, now, source));
      this.#lookAtSource(source, bytes, true, now);
      return;
    }
    const grown = bytes - seen.bytes;
    seen.bytes = bytes;
    this.#lookAtSource(source, grown, false, now);
    if (grown <= 0) return;
    const { artifact } = one;
    const problem = bytes < seen.quietBytes ? null : this.#problem(artifact, seen, now);
    if (now - seen.fromMs >= MINUTE_MS) Object.assign(seen, { fromBytes: bytes, fromMs: now });
    if (problem !== null) seen.quietBytes = bytes * 2;
    if (problem === null && bytes - seen.askedBytes < ASK_BYTES) return;
    seen.askedBytes = bytes;
    void this.#ask(artifact, problem);
  }

  /** `isFound`: the file existed before it was first seen, so it did not grow. */
  #lookAtSource(name: string | null, grown: number, isFound: boolean, now: number): void {
    if (name === null) return;
    const seen = this.#sources.get(name) ?? fresh(0, now, null);
    this.#sources.set(name, seen);
    seen.bytes += grown;
    if (isFound) seen.fromBytes += grown;
    const { growthWarnBytes } = this.#options.limits();
    const passed = now - seen.fromMs;
    const sum = seen.bytes - seen.fromBytes;
    if (
      growthWarnBytes > 0 &&
      sum >= growthWarnBytes &&
      passed <= MINUTE_MS &&
      seen.bytes >= seen.quietBytes
    ) {
      seen.quietBytes = seen.bytes * 2;
      this.#options.warn(
        name,
        null,
        `grew by ${formatBytes(sum)} in ${Math.round(passed / 1000)} s, all files together`,
      );
    }
    if (passed >= MINUTE_MS) Object.assign(seen, { fromBytes: seen.bytes, fromMs: now });
  }

  #problem({ status, agent }: Artifact, seen: Seen, now: number): string | null {
    const { growthWarnBytes, sizeWarnBytes } = this.#options.limits();
    const { bytes } = seen;
    const passed = now - seen.fromMs;
    const grown = bytes - seen.fromBytes;
    if (growthWarnBytes > 0 && passed >= LEAST_MS && grown >= growthWarnBytes * (passed / MINUTE_MS))
      return `grew by ${formatBytes(grown)} in ${Math.round(passed / 1000)} s`;
    if (sizeWarnBytes > 0 && bytes >= sizeWarnBytes) return `has ${formatBytes(bytes)} and grows`;
    const isOver = agent !== null && !['running', 'finished'].includes(status);
    if (isOver && grown >= ORPHAN_WARN_BYTES)
      return `grew by ${formatBytes(grown)} after its command ended: a process that it left behind writes it`;
    return null;
  }

  async #ask(artifact: Artifact, problem: string | null): Promise<void> {
    const path = artifact.streams[0]?.file_path ?? null;
    const openers = path === null ? [] : await this.#options.openers(path);
    const loop = loopIn(openers);
    if (path !== null && loop) {
      const reason = `reads itself: ${named(loop)} prints into it what it reads from it. It is no longer followed: end that process`;
      this.#options.stop(path, reason);
      this.#options.warn(path, artifact, reason);
    } else if (problem !== null) {
      this.#options.warn(path ?? artifact.artifact_id, artifact, problem + writtenBy(artifact, openers));
    }
  }
}

function fresh(bytes: number, now: number, source: string | null): Seen {
  return { bytes, fromBytes: bytes, fromMs: now, quietBytes: 0, askedBytes: bytes, source };
}

/** Names the process that writes the file: of a command's processes, the one that prints into it. */
function writtenBy({ agent }: Artifact, openers: readonly Opener[]): string {
  const writer = openers.find(({ printsInto }) => printsInto) ?? openers.find(({ writes }) => writes);
  if (writer) return `, written by ${named(writer)}`;
  return agent?.pid ? `, written by process ${agent.pid}` : '';
}

function named({ pid, name }: Pick<Opener, 'pid' | 'name'>): string {
  return name === '' ? `process ${pid}` : `process ${pid} (${name})`;
}

/** Names the file: with its path for people, only by its agent for agents that may not read it. */
export function aboutFile({ agent, streams, artifact_id }: Artifact, withPath: boolean): string {
  const title = agent && agentName(agent.name).title;
  if (!withPath) return title === null ? 'A watched file' : `A capture of ${title}`;
  return `${streams[0]?.file_path ?? artifact_id}${title === null ? '' : ` of ${title}`}`;
}
