/** Processes that a command left running in the background when it ended; they may still print. */
import { isProcessAlive } from '../../store/processes.ts';
import {
  endMembers,
  GRACE_MS,
  type ProcessTree,
  processes,
  sendSignal,
  startOf,
  treeMembers,
} from './process-tree.ts';

interface BackgroundOptions {
  /** Whether this process still reads their output, until `rest` resolves. */
  isRead: boolean;
  rest: Promise<void>;
  /** The recorder process that reads their output until it closes; null if there is none. */
  recorder: number | null;
}

/** Returns null if no such process is known. The command of `tree` has ended and was waited for. */
export function backgroundOf(tree: ProcessTree, options: BackgroundOptions): Background | null {
  const background = new Background(tree, options);
  return background.isOver ? null : background;
}

export class Background {
  readonly #tree: ProcessTree;
  readonly #recorder: number | null;
  /** Members of its process group, with their start: while one of them runs, the group's number is not reused. */
  readonly #group: ReadonlyMap<number, string | null>;
  readonly #leaderStart: string | null;
  #isRead: boolean;

  constructor(tree: ProcessTree, { isRead, rest, recorder }: BackgroundOptions) {
    this.#tree = { ...tree, spared: recorder };
    this.#recorder = recorder;
    this.#isRead = isRead;
    this.#group = hasGroup(tree) ? groupOf(tree.pid) : new Map();
    this.#leaderStart = tree.leader ? startOf(tree.leader) : null;
    const ended = () => {
      this.#isRead = false;
    };
    rest.then(ended, ended);
  }

  /** Whether no background child is known to be running. */
  get isOver(): boolean {
    return !this.#isOpen() && !this.#isGroupThere() && !this.#isLeaderThere();
  }

  /** Ends them, and waits until their last output is recorded. Returns false if none was still running. */
  async end(graceMs = GRACE_MS): Promise<boolean> {
    const found = await this.#end(graceMs);
    for (let waited = 0; this.#isOpen() && waited < GRACE_MS; waited += 20)
      await new Promise((resolve) => setTimeout(resolve, 20));
    return found;
  }

  async #end(graceMs: number): Promise<boolean> {
    if (this.isOver) return false;
    let found = false;
    await endMembers({
      members: () => {
        const tree = this.#isLeaderThere() ? this.#tree : { ...this.#tree, leader: null };
        const members = treeMembers(tree, [], this.#isGroupThere());
        found ||= members.length > 0;
        return members;
      },
      // Signal them one by one: another group may have the number by now.
      signal: (known, signal) => {
        for (const pid of known) sendSignal(pid, signal);
      },
      isMore: () => false,
      graceMs,
    });
    return found;
  }

  #isOpen(): boolean {
    return this.#isRead || (this.#recorder !== null && isProcessAlive(this.#recorder));
  }

  #isGroupThere(): boolean {
    return [...this.#group].some(([pid, started]) => isProcessAlive(pid) && startOf(pid) === started);
  }

  /** A leader that adopts orphans lives until the last of them has ended; any other ends with the command. */
  #isLeaderThere(): boolean {
    const { leader } = this.#tree;
    if (!leader || this.#leaderStart === null) return false;
    return isProcessAlive(leader) && startOf(leader) === this.#leaderStart && hasChildren(leader);
  }
}

function hasChildren(pid: number): boolean {
  return processes().some(({ parent }) => parent === pid);
}

/** A quick check, also true for zombies. */
function hasGroup({ pid, ownGroup }: ProcessTree): boolean {
  if (!ownGroup || process.platform === 'win32' || isProcessAlive(pid)) return false;
  try {
    process.kill(-pid, 0);
    return true;
  } catch {
    return false;
  }
}

function groupOf(leader: number): Map<number, string | null> {
  const members = processes().filter(({ group }) => group === leader);
  return new Map(members.map(({ pid }) => [pid, startOf(pid)]));
}
