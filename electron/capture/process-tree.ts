/**
 * A command with everything it started, and how to end all of it. Children are followed by their parents; those that
 * left by forking twice, or for a session of their own, by the output they still hold open.
 */
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

/** Between SIGTERM and SIGKILL, in milliseconds. */
export const GRACE = 2000;

export interface Tree {
  /** The command's process. */
  pid: number;
  /** It leads a group of its own. */
  ownGroup: boolean;
  /** What the links of its descriptors point to, where it writes (Linux); a process that has them open belongs to it. */
  outputs: readonly string[];
}

/** Sends SIGTERM to the tree, and SIGKILL to what is left of it after the grace. Resolves when that was done. */
export async function endTree(tree: Tree, grace = GRACE): Promise<void> {
  // Collected first: the children of what dies are adopted by somebody else.
  const known = new Set(membersOf(tree));
  signalAll(tree, known, 'SIGTERM');
  const deadline = performance.now() + grace;
  while (performance.now() < deadline) {
    for (const pid of membersOf(tree)) known.add(pid);
    if (![...known].some(isAlive) && !isGroupAlive(tree)) return;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  for (const pid of membersOf(tree)) known.add(pid);
  signalAll(tree, known, 'SIGKILL');
}

/** Sends a signal to the command: to its group when it has its own. */
export function signalCommand({ pid, ownGroup }: Tree, signal: NodeJS.Signals): void {
  send(ownGroup ? -pid : pid, signal);
}

function signalAll(tree: Tree, pids: Iterable<number>, signal: NodeJS.Signals): void {
  if (tree.ownGroup) send(-tree.pid, signal);
  // Parents first, so that they do not start again what is ended.
  for (const pid of pids) {
    if (!tree.ownGroup || groupOf(pid) !== tree.pid) send(pid, signal);
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
}

function membersOf(tree: Tree): number[] {
  const rows = processes();
  const children = new Map<number, number[]>();
  for (const { pid, parent } of rows) {
    const siblings = children.get(parent);
    if (siblings) siblings.push(pid);
    else children.set(parent, [pid]);
  }
  const found = new Set<number>();
  const spared = ourselves(rows);
  const follow = (pid: number) => {
    if (found.has(pid) || spared.has(pid)) return;
    found.add(pid);
    for (const child of children.get(pid) ?? []) follow(child);
  };
  follow(tree.pid);
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
        const stat = statOf(Number(name));
        return stat === null ? [] : [{ pid: Number(name), parent: Number(stat[1]) }];
      });
  }
  if (process.platform === 'win32') return [];
  try {
    const text = execFileSync('ps', ['-axo', 'pid=,ppid='], { encoding: 'utf8' });
    return text
      .trim()
      .split('\n')
      .map((line) => {
        const [pid, parent] = line.trim().split(/\s+/).map(Number);
        return { pid: pid!, parent: parent! };
      });
  } catch {
    return [];
  }
}

/** Fields of proc(5)'s stat from the third on; null when there is no such process, or it has ended. */
function statOf(pid: number): string[] | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return fields[0] === 'Z' || fields[0] === 'X' ? null : fields;
  } catch {
    return null;
  }
}

function groupOf(pid: number): number | null {
  const group = process.platform === 'linux' ? statOf(pid)?.[2] : undefined;
  return group === undefined ? null : Number(group);
}

function holdersOf(outputs: readonly string[], rows: readonly ProcessRow[]): number[] {
  if (outputs.length === 0) return [];
  return rows
    .map(({ pid }) => pid)
    .filter((pid) => pid !== process.pid && descriptorsOf(pid).some((link) => outputs.includes(link)));
}

function descriptorsOf(pid: number): string[] {
  try {
    const folder = `/proc/${pid}/fd`;
    return readdirSync(folder).map((fd) => {
      try {
        return readlinkSync(`${folder}/${fd}`);
      } catch {
        return '';
      }
    });
  } catch {
    return [];
  }
}

function isAlive(pid: number): boolean {
  if (process.platform === 'linux') return statOf(pid) !== null;
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
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
