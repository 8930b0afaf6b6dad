/**
 * Warns when a watched file grows abnormally: faster than a limit, past a size, on a file system in memory, or
 * after the process that writes it ended. Warns once for a file, and again when its size has doubled.
 */
import { statfs } from 'node:fs/promises';
import { agentName } from '../../../shared/agent-names.ts';
import type { LibraryEvent } from '../../../shared/api/api.ts';
import type { Artifact } from '../../../shared/artifact.ts';
import { formatBytes } from '../../../shared/text/format.ts';

export interface GrowthLimits {
  /** Bytes a minute. */
  growthWarnBytes: number;
  /** Bytes of one file. */
  sizeWarnBytes: number;
}

export interface GrowthGuardOptions {
  limits(): GrowthLimits;
  say(text: string): void;
  now?: () => number;
}

interface Seen {
  bytes: number;
  /** Size and time from which the rate is reckoned. */
  fromBytes: number;
  fromMs: number;
  /** Don't warn about the file again below this size. */
  quietBytes: number;
}

const MINUTE_MS = 60_000;
/** A shorter burst says nothing about a minute. */
const LEAST_MS = 1000;
/** A file in memory this large takes what programs need. */
const MEMORY_WARN_BYTES = 256 * 1024 * 1024;
/** Growth after the writer's end that is worth a warning. */
const ORPHAN_WARN_BYTES = 16 * 1024 * 1024;
/** File systems in memory (statfs(2)): tmpfs and ramfs. */
const IN_MEMORY = new Set([0x01021994, 0x858458f6]);

export class GrowthGuard {
  readonly #options: GrowthGuardOptions;
  readonly #seen = new Map<string, Seen>();
  readonly #now: () => number;

  constructor(options: GrowthGuardOptions) {
    this.#options = options;
    this.#now = options.now ?? Date.now;
  }

  readonly take = ({ changed, removed }: Pick<LibraryEvent, 'changed' | 'removed'>): void => {
    for (const id of removed) this.#seen.delete(id);
    for (const artifact of changed) if (artifact.kind === 'file') this.#look(artifact);
  };

  #look(artifact: Artifact): void {
    const bytes = artifact.streams[0]?.total_bytes ?? 0;
    const now = this.#now();
    const seen = this.#seen.get(artifact.artifact_id);
    if (!seen) {
      const fresh = { bytes, fromBytes: bytes, fromMs: now, quietBytes: 0 };
      this.#seen.set(artifact.artifact_id, fresh);
      return;
    }
    const grown = bytes - seen.bytes;
    seen.bytes = bytes;
    if (grown <= 0 || bytes < seen.quietBytes) return;
    const problem = this.#problem(artifact, seen, bytes, now);
    if (now - seen.fromMs >= MINUTE_MS) Object.assign(seen, { fromBytes: bytes, fromMs: now });
    if (problem !== null) this.#warn(artifact, seen, problem);
    else if (bytes > MEMORY_WARN_BYTES) void this.#lookAtMemory(artifact, seen);
  }

  #problem({ status, agent }: Artifact, seen: Seen, bytes: number, now: number): string | null {
    const { growthWarnBytes, sizeWarnBytes } = this.#options.limits();
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

  async #lookAtMemory(artifact: Artifact, seen: Seen): Promise<void> {
    const path = artifact.streams[0]?.file_path;
    const type = path
      ? await statfs(path).then(
          (stats) => stats.type >>> 0,
          () => 0,
        )
      : 0;
    if (IN_MEMORY.has(type) && seen.bytes >= seen.quietBytes)
      this.#warn(artifact, seen, `has ${formatBytes(seen.bytes)} on a file system in memory, and grows`);
  }

  #warn({ agent, streams, artifact_id }: Artifact, seen: Seen, problem: string): void {
    seen.quietBytes = seen.bytes * 2;
    const writer = agent?.pid ? `, written by process ${agent.pid}` : '';
    const owner = agent ? ` of ${agentName(agent.name).title}` : '';
    this.#options.say(`${streams[0]?.file_path ?? artifact_id}${owner} ${problem}${writer}`);
  }
}
