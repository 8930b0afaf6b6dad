/**
 * When each source is looked at as a whole. Watches lose events (a full queue, a network share, a folder that was replaced
 * in between), so everything is looked at again and again: twice a second where that is little, else as seldom as keeps all
 * of it far below a per cent of one core, of which every source has the same share.
 */
import type { Tree } from './tree.ts';

const LEAST_MS = 500;
const MOST_MS = 5 * 60_000;
/** What one look costs: 75 ms of a core for 10,000. Counted, not timed, or a busy machine would be blind for minutes. */
const LOOK_MS = 0.0075;
/** Milliseconds between rounds for each that they cost; what they leave behind to be collected costs as much again. */
const REST = 1000;
/** Where nothing else tells of changes: five per cent. */
const BLIND_REST = 20;

export class Rounds {
  readonly #looks = new Map<Tree, number>();
  readonly #timers = new Map<Tree, NodeJS.Timeout>();
  #closed = false;

  /** Resolves after the first round. `isBlind`: nothing tells of what others change there. */
  async begin(tree: Tree, isWatching: boolean, isBlind: () => Promise<boolean>): Promise<void> {
    this.#looks.set(tree, await tree.round());
    if (isWatching) this.#plan(tree, await isBlind());
  }

  close(): void {
    this.#closed = true;
    for (const timer of this.#timers.values()) clearTimeout(timer);
    this.#timers.clear();
  }

  #plan(tree: Tree, isBlind: boolean): void {
    if (this.#closed) return;
    const cost = (this.#looks.get(tree) ?? 0) * LOOK_MS;
    const rest = cost * this.#looks.size * (isBlind || tree.isBlind ? BLIND_REST : REST);
    const next = async () => {
      // What can't be looked at now may be at the next round.
      const looks = await tree.round().catch(() => 0);
      this.#looks.set(tree, looks);
      this.#plan(tree, isBlind);
    };
    const timer = setTimeout(() => void next(), Math.min(MOST_MS, Math.max(LEAST_MS, rest)));
    this.#timers.set(tree, timer.unref());
  }
}
