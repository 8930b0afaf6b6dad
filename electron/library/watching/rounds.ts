/**
 * Schedules rounds: looks at a whole source. Watches lose events (a full queue, a network share, a folder replaced in
 * between), so rounds repeat: twice a second for a small source, for a large one so seldom that all rounds together
 * take far less than one percent of a core. Each source gets the same share.
 */
import { farPathOf, isServed } from '../../reader/disks/mounts.ts';
import type { Disk } from '../../workers/disk.ts';
import type { FolderTree } from './tree.ts';

const MIN_PAUSE_MS = 500;
/** The same for agents' directories: there are many of them, and watches report what changes. */
const MIN_AGENT_PAUSE_MS = 10_000;
/** The same for shares: each look may be a message to another machine. */
const MIN_FAR_PAUSE_MS = 2000;
const MAX_PAUSE_MS = 5 * 60_000;
/**
 * Cost of one look, measured: 75 ms of a core for 10,000. Not timed at run time, or a busy machine would pause for
 * minutes.
 */
const LOOK_MS = 0.0075;
/** Pause after a round, as a multiple of its cost. Garbage collection costs as much again. */
const PAUSE_FACTOR = 1000;
/** The same where no watch reports changes: five percent of a core. */
const BLIND_PAUSE_FACTOR = 20;
export class Rounds {
  readonly #disk: Disk;
  readonly #looks = new Map<FolderTree, number>();
  readonly #timers = new Map<FolderTree, NodeJS.Timeout>();
  #closed = false;

  constructor(disk: Disk) {
    this.#disk = disk;
  }

  /** Makes the first round and resolves; with `isWatching` goes on making rounds. */
  async begin(tree: FolderTree, isWatching: boolean): Promise<void> {
    this.#looks.set(tree, 0);
    const looks = await tree.round();
    if (!this.#looks.has(tree)) return;
    this.#looks.set(tree, looks);
    if (isWatching) this.#plan(tree, await this.#isSilent(tree.source.path));
  }

  /** Makes no more rounds over a tree. */
  end(tree: FolderTree): void {
    clearTimeout(this.#timers.get(tree));
    this.#timers.delete(tree);
    this.#looks.delete(tree);
  }

  close(): void {
    this.#closed = true;
    for (const timer of this.#timers.values()) clearTimeout(timer);
    this.#timers.clear();
  }

  #plan(tree: FolderTree, isBlind: boolean): void {
    if (this.#closed || !this.#looks.has(tree)) return;
    const cost = (this.#looks.get(tree) ?? 0) * LOOK_MS;
    const factor = isBlind || tree.isBlind ? BLIND_PAUSE_FACTOR : PAUSE_FACTOR;
    const pause = cost * this.#looks.size * factor;
    const next = async () => {
      // A failed round is repeated by the next.
      const looks = await tree.round().catch(() => 0);
      if (this.#looks.has(tree)) this.#looks.set(tree, looks);
      this.#plan(tree, isBlind);
    };
    const isAgent = tree.source.kind.agent !== undefined && !isBlind && !tree.isBlind;
    const isFar = isShare(tree.source.path);
    const least = isAgent ? MIN_AGENT_PAUSE_MS : isFar ? MIN_FAR_PAUSE_MS : MIN_PAUSE_MS;
    const timer = setTimeout(() => void next(), Math.min(MAX_PAUSE_MS, Math.max(least, pause)));
    this.#timers.set(tree, timer.unref());
  }

  async #isSilent(path: string): Promise<boolean> {
    return isShare(path) || (await this.#disk.isSilent(path));
  }
}

function isShare(path: string): boolean {
  const far = farPathOf(path);
  return far !== null && isServed(far);
}
