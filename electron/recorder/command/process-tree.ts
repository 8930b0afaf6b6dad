/**
 * Ends a command with everything it started. Its processes are found by their parents, by its process group, by the
 * outputs they hold open, and as orphans that its leader adopted (leader.ts).
 */
import { execFileSync } from 'node:child_process';
import { readdirSync, readlinkSync, statSync } from 'node:fs';
import { isProcessAlive, processStat } from '../../store/format/owner.ts';

/** Between SIGTERM and SIGKILL. */
export const GRACE_MS = 2000;
/** SIGKILL takes effect within this, unless a process waits for a disk. */
const KILL_MS = 1000;
const POLL_MS = 20;

export interface ProcessTree {
  /** The command's process. */
  pid: number;
  /** Whether it leads a process group of its own. */
  ownGroup: boolean;
  /**
   * The link targets of its output descriptors in /proc (Linux): a process that has one open belongs to it. If the
   * target is a path, the file must be the same, as containers have terminals of the same names.
   */
  outputs: readonly string[];
  /** Its parent, which we started: the parent's other children also belong to the command. */
  leader?: number | null;
  /** A process to spare, though it has the outputs open. */
  spared?: number | null;
}

/** A process that could not be ended. */
export interface Survivor {
  pid: number;
  /** It belongs to another user. */
  forbidden: boolean;
}

/** Sends SIGTERM to the tree, and SIGKILL after `graceMs`. Returns the processes that still run. */
export function endTree(tree: ProcessTree, graceMs = GRACE_MS): Promise<Survivor[]> {
  return endMembers({
    members: () => treeMembers(tree, [tree.pid], tree.ownGroup),
    signal: (known, signal) => signalAll(tree, known, signal),
    isMore: () => isGroupAlive(tree),
    graceMs,
  });
}

interface Ending {
  /** The processes known now. */
  members(): number[];
  signal(known: ReadonlySet<number>, signal: NodeJS.Signals): void;
  /** Whether processes may be running that `members` does not return. */
  isMore(): boolean;
  graceMs: number;
}

/** Like `endTree`, for any set of processes. */
export async function endMembers({ members, signal, isMore, graceMs }: Ending): Promise<Survivor[]> {
  // Look before the first signal: children of a dead process get another parent.
  const known = new Set(members());
  const isOver = () => ![...known].some(isProcessAlive) && !isMore();
  const wait = async (ms: number) => {
    for (const deadline = performance.now() + ms; performance.now() < deadline && !isOver(); ) {
      for (const pid of members()) known.add(pid);
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    }
  };
  signal(known, 'SIGTERM');
  await wait(graceMs);
  if (isOver()) return [];
  for (const pid of members()) known.add(pid);
  signal(known, 'SIGKILL');
  await wait(KILL_MS);
  return [...known].filter(isProcessAlive).map((pid) => ({ pid, forbidden: !maySignal(pid) }));
}

/** Sends a signal to the command, or to its process group if it leads one. */
export function signalCommand({ pid, ownGroup }: ProcessTree, signal: NodeJS.Signals): void {
  sendSignal(ownGroup ? -pid : pid, signal);
}

/** Does nothing if the process has ended. A negative `pid` is a process group. */
export function sendSignal(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It has ended, or belongs to another user.
  }
}

/** Returns `roots`, the holders of the command's outputs, its group if asked for, and all their children. */
export function treeMembers(tree: ProcessTree, roots: readonly number[], withGroup: boolean): number[] {
  const rows = processes();
  const children = new Map<number, number[]>();
  for (const { pid, parent } of rows) {
    const siblings = children.get(parent);
    if (siblings) siblings.push(pid);
    else children.set(parent, [pid]);
  }
  const spared = ourselves(rows)
    .add(tree.spared ?? 0)
    .add(tree.leader ?? 0);
  const found = new Set<number>();
  const follow = (pid: number) => {
    if (found.has(pid) || spared.has(pid)) return;
    found.add(pid);
    for (const child of children.get(pid) ?? []) follow(child);
  };
  for (const pid of roots) follow(pid);
  for (const pid of children.get(tree.leader ?? 0) ?? []) if (tree.leader) follow(pid);
  for (const { pid, group } of rows) if (withGroup && group === tree.pid) follow(pid);
  for (const pid of holdersOf(tree.outputs, rows)) follow(pid);
  return [...found];
}

/** Returns this process and its ancestors, which never belong to the command, whatever they hold open. */
function ourselves(rows: readonly ProcessRow[]): Set<number> {
  const parents = new Map(rows.map(({ pid, parent }) => [pid, parent]));
  const spared = new Set<number>();
  for (let pid: number | undefined = process.pid; pid && !spared.has(pid); pid = parents.get(pid))
    spared.add(pid);
  return spared;
}

function signalAll(tree: ProcessTree, pids: Iterable<number>, signal: NodeJS.Signals): void {
  if (tree.ownGroup) sendSignal(-tree.pid, signal);
  // End parents first, so that they don't restart their children.
  for (const pid of pids) {
    if (!tree.ownGroup || processStat(pid)?.group !== tree.pid) sendSignal(pid, signal);
  }
}

/** Where /proc lists every member, the group adds nothing. */
function isGroupAlive({ pid, ownGroup }: ProcessTree): boolean {
  if (!ownGroup || process.platform === 'linux') return false;
  try {
    process.kill(-pid, 0);
    return true;
  } catch {
    return false;
  }
}

function maySignal(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'EPERM';
  }
}

/** Reads the machine's process table: each process's parent and group, and which processes have a file open. */
interface ProcessRow {
  pid: number;
  parent: number;
  group: number;
}

/** Returns the running processes: from /proc, else from `ps`. Empty on Windows. */
export function processes(): ProcessRow[] {
  if (process.platform === 'win32') return [];
  if (process.platform !== 'linux') return processesByPs();
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      const pid = Number(name);
      const stat = processStat(pid);
      return !stat || stat.ended ? [] : [{ pid, parent: stat.parent, group: stat.group }];
    });
}

function processesByPs(): ProcessRow[] {
  try {
    const text = execFileSync('ps', ['-axo', 'pid=,ppid=,pgid='], { encoding: 'utf8' });
    return text
      .trim()
      .split('\n')
      .map((line) => {
        const [pid, parent, group] = line.trim().split(/\s+/).map(Number);
        return { pid: pid!, parent: parent!, group: group! };
      });
  } catch {
    return [];
  }
}

/** Returns a process's start time in the system's own units; null if it has ended or the system does not say. */
function startOf(pid: number): string | null {
  return processStat(pid)?.started ?? null;
}

/** Returns the other processes that have one of `links` open: link targets of descriptors in /proc. */
function holdersOf(links: readonly string[], rows: readonly ProcessRow[]): number[] {
  if (links.length === 0) return [];
  const files = new Map(links.map((link) => [link, fileOf(link)]));
  return rows.map(({ pid }) => pid).filter((pid) => pid !== process.pid && holdsOne(pid, files));
}

/** `files`: the identity of the file behind each link; null if the link itself identifies it. */
function holdsOne(pid: number, files: ReadonlyMap<string, string | null>): boolean {
  const folder = `/proc/${pid}/fd`;
  try {
    return readdirSync(folder).some((fd) => {
      const path = `${folder}/${fd}`;
      const file = files.get(linkOf(path));
      return file !== undefined && (file === null || file === fileOf(path));
    });
  } catch {
    return false;
  }
}

function linkOf(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return '';
  }
}

/** Containers have terminals of the same names; device and inode distinguish them. */
function fileOf(path: string): string | null {
  try {
    const { dev, ino } = statSync(path);
    return `${dev}/${ino}`;
  } catch {
    return null;
  }
}

/** Processes that a command left running in the background when it ended; they may still print. */
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
