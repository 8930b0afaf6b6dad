/**
 * A command with everything it started, and how to end all of it. Children are followed by their parents; those that
 * left by forking twice, or for a session of their own, by the output they still hold open.
 */
import { execFileSync } from 'node:child_process';
import { readdirSync, readlinkSync, statSync } from 'node:fs';
import { isProcessAlive, processStat } from '../../store/processes.ts';

/** Between SIGTERM and SIGKILL, in milliseconds. */
export const GRACE = 2000;

export interface Tree {
  /** The command's process. */
  pid: number;
  /** It leads a group of its own. */
  ownGroup: boolean;
  /**
   * What the links of its descriptors point to, where it writes (Linux); a process that has them open belongs to it. Where
   * it is a path that is there, the process must have that very file: containers have terminals of the same names.
   */
  outputs: readonly string[];
  /** Of those that have them open, who ends by itself. */
  spared?: number | null;
}

/** Sends SIGTERM to the tree, and SIGKILL to what is left of it after the grace. Resolves when that was done. */
export async function endTree(tree: Tree, grace = GRACE): Promise<void> {
  await endAll(
    () => membersOf(tree, [tree.pid], tree.ownGroup),
    (known, signal) => signalAll(tree, known, signal),
    () => isGroupAlive(tree),
    grace,
  );
}

/** What a command that has ended, and was waited for, left behind. */
export class Rest {
  readonly #tree: Tree;
  /** Who is there of its group, and when each was started: as long as one of them is, its number is nobody else's. */
  readonly #group: ReadonlyMap<number, string | null>;
  /** Whether somebody has its outputs open. */
  readonly #isOpen: () => boolean;

  constructor(tree: Tree, isOpen: () => boolean) {
    this.#tree = tree;
    this.#isOpen = isOpen;
    this.#group = hasGroup(tree) ? groupOf(tree.pid) : new Map();
  }

  /** Nothing is left, as far as is known. */
  get isOver(): boolean {
    return !this.#isOpen() && !this.#isGroupThere();
  }

  /** As `endTree`; false when there was nothing any more. */
  async end(grace = GRACE): Promise<boolean> {
    if (this.isOver) return false;
    let found = false;
    await endAll(
      () => {
        const members = membersOf(this.#tree, [], this.#isGroupThere());
        found ||= members.length > 0;
        return members;
      },
      // One by one, and not the group.
      (known, signal) => {
        for (const pid of known) send(pid, signal);
      },
      () => false,
      grace,
    );
    return found;
  }

  #isGroupThere(): boolean {
    return [...this.#group].some(([pid, started]) => isProcessAlive(pid) && startOf(pid) === started);
  }
}

function startOf(pid: number): string | null {
  return processStat(pid)?.started ?? null;
}

/** Quick, and true as well of those that have ended and that nobody has asked how. */
function hasGroup({ pid, ownGroup }: Tree): boolean {
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

async function endAll(
  members: () => number[],
  signal: (known: ReadonlySet<number>, signal: NodeJS.Signals) => void,
  areMore: () => boolean,
  grace: number,
): Promise<void> {
  // Collected first: the children of what dies are adopted by somebody else.
  const known = new Set(members());
  signal(known, 'SIGTERM');
  const deadline = performance.now() + grace;
  while (performance.now() < deadline) {
    for (const pid of members()) known.add(pid);
    if (![...known].some(isProcessAlive) && !areMore()) return;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  for (const pid of members()) known.add(pid);
  signal(known, 'SIGKILL');
}

/** Sends a signal to the command: to its group when it has its own. */
export function signalCommand({ pid, ownGroup }: Tree, signal: NodeJS.Signals): void {
  send(ownGroup ? -pid : pid, signal);
}

function signalAll(tree: Tree, pids: Iterable<number>, signal: NodeJS.Signals): void {
  if (tree.ownGroup) send(-tree.pid, signal);
  // Parents first, so that they do not start again what is ended.
  for (const pid of pids) {
    if (!tree.ownGroup || processStat(pid)?.group !== tree.pid) send(pid, signal);
  }
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It has ended by itself.
  }
}

interface ProcessRow {
  pid: number;
  parent: number;
  group: number;
}

/** `roots`, whoever is in its group, whoever holds its outputs open, and the children of all of them. */
function membersOf(tree: Tree, roots: readonly number[], withGroup: boolean): number[] {
  const rows = processes();
  const children = new Map<number, number[]>();
  for (const { pid, parent } of rows) {
    const siblings = children.get(parent);
    if (siblings) siblings.push(pid);
    else children.set(parent, [pid]);
  }
  const found = new Set<number>();
  const spared = ourselves(rows).add(tree.spared ?? 0);
  const follow = (pid: number) => {
    if (found.has(pid) || spared.has(pid)) return;
    found.add(pid);
    for (const child of children.get(pid) ?? []) follow(child);
  };
  for (const pid of roots) follow(pid);
  for (const { pid, group } of rows) if (withGroup && group === tree.pid) follow(pid);
  for (const pid of holdersOf(tree.outputs, rows)) follow(pid);
  return [...found];
}

/** This process and those that started it: whatever they hold open, they are nobody's children here. */
function ourselves(rows: readonly ProcessRow[]): Set<number> {
  const parents = new Map(rows.map(({ pid, parent }) => [pid, parent]));
  const spared = new Set<number>();
  for (let pid: number | undefined = process.pid; pid && !spared.has(pid); pid = parents.get(pid))
    spared.add(pid);
  return spared;
}

function processes(): ProcessRow[] {
  if (process.platform === 'linux') {
    return readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .flatMap((name) => {
        const pid = Number(name);
        const stat = processStat(pid);
        return !stat || stat.ended ? [] : [{ pid, parent: stat.parent, group: stat.group }];
      });
  }
  if (process.platform === 'win32') return [];
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

function holdersOf(outputs: readonly string[], rows: readonly ProcessRow[]): number[] {
  if (outputs.length === 0) return [];
  const files = new Map(outputs.map((link) => [link, fileOf(link)]));
  return rows.map(({ pid }) => pid).filter((pid) => pid !== process.pid && holdsOne(pid, files));
}

/** `files`: by its link, what identifies each; null where that is the link. */
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

/** The same for all paths to one file, whatever they are called. */
function fileOf(path: string): string | null {
  try {
    const { dev, ino } = statSync(path);
    return `${dev}/${ino}`;
  } catch {
    return null;
  }
}

function isGroupAlive({ pid, ownGroup }: Tree): boolean {
  if (!ownGroup || process.platform === 'linux') return false;
  try {
    process.kill(-pid, 0);
    return true;
  } catch {
    return false;
  }
}
