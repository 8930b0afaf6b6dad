/**
 * Starts a command with the signals, limits and descriptors that we inherited, on real pipes or on a terminal, and
 * reports exactly how it ended. A small Perl process does this, and remains the command's parent:
 *
 *     spillway ── control socket ── leader ── command
 *         └──── pipes, terminals ───────────────┘
 *
 * Node's own `spawn` unblocks and resets all signals, gives sockets for pipes (on which `echo x > /dev/stdout` fails),
 * and reports a death by a real-time signal as status 0.
 *
 * On a terminal of its own, the leader leads the session. If the command led it, the system would hang up its background
 * children when it ends, and nobody could continue it after Ctrl-Z.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, constants, openSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import type { Socket } from 'node:net';
import { getSystemErrorName } from 'node:util';
import type { PtySize } from '../terminal/pty.ts';
import { type CommandExit, killedBy, signalName, startError } from './command-handle.ts';
import { INHERITED_WORD, whatWeInherited, wordForPerl } from './inherited.ts';
import { LEADER_SCRIPT } from './leader-script.ts';
import { findPerl, inPerl, prctlNumber } from './perl.ts';
import { sendSignal } from './process-tree.ts';

interface LeaderOptions {
  path: string;
  /** Its argv[0]. */
  name: string;
  args: readonly string[];
  /** Undefined for our own. */
  cwd: string | undefined;
  env: NodeJS.ProcessEnv;
  /** `inherit`: a person's command, which also gets what else we were given. */
  stdin: 'inherit' | 'ignore';
  /** For stdout and stderr, or one for both: a pipe that the leader makes, or a terminal. */
  outputs: readonly ('pipe' | Terminal)[];
  /** The command's stdin and session are those of a terminal, which is also its first output. */
  terminal?: (Terminal & { settings: string }) | null;
  /** The command leads a process group in its leader's session. */
  ownGroup: boolean;
  /** The leader adopts processes that leave the command's tree (a daemon, a double fork), so they are found. */
  reap: boolean;
}

/** Descriptors of both sides, which children inherit by mistake. */
interface Terminal {
  slave: number;
  master: number;
}

/** The state in which a command left its terminal. */
interface LeftAtTerminal {
  /** The settings it made (pty.ts); null if it changed none. */
  settings: string | null;
  /** The size that it was given then; null if that is as at its start. */
  size: PtySize | null;
  /** Keys that it did not read. */
  unread: Buffer;
}

/** Longest time until a signal sent to the whole process group reaches the leader. */
const GROUP_SIGNAL_MS = 150;

/** A leader whose command has not been started yet. */
export class Leader {
  /** The leader's process; undefined when it could not be started. */
  readonly pid: number | undefined;
  /** The command was stopped by this signal, and waits for `goOn`. */
  onStop: (signal: NodeJS.Signals) => void = () => {};
  /** Our sides of terminals that tell there when their modes change, once the command has started. */
  readonly telling: readonly number[];
  readonly left: LeftAtTerminal = { settings: null, size: null, unread: Buffer.alloc(0) };
  /** Resolves when the command has ended; never before `start` does. */
  readonly exited: Promise<CommandExit>;
  /** Resolves when the leader itself has ended: with `reap`, after every process that the command started. */
  readonly gone: Promise<void>;
  /** Holds a session's leader, and so the session. The process that continues to read its terminal needs it. */
  readonly control: Socket;
  readonly #reported = new Map<string, number>();
  #text = '';
  #pipes: ((descriptors: number[] | null) => void) | null = null;
  #started: { resolve(pid: number): void; reject(error: Error): void } | null = null;
  #exit: (exit: CommandExit) => void = () => {};

  constructor(child: ChildProcess, control: Socket, telling: readonly number[]) {
    this.control = control;
    this.telling = telling;
    this.pid = child.pid;
    this.exited = new Promise((resolve) => {
      this.#exit = resolve;
    });
    this.gone = new Promise((resolve) => {
      child.once('error', () => resolve());
      child.once('exit', () => resolve());
    });
    // Don't use `exit`: on a busy machine, Node emits it before it reads the leader's last report.
    child.once('close', (exitCode, signal) => setImmediate(() => this.#lost({ exitCode, signal })));
    control.on('data', (bytes) => this.#read(bytes));
    control.on('error', () => {});
  }

  /** Opens the pipes' read ends. Returns non-blocking descriptors and each pipe's name in /proc; null on failure. */
  async open(): Promise<{ fd: number; link: string }[] | null> {
    const descriptors = await new Promise<number[] | null>((resolve) => {
      this.#pipes = resolve;
      this.#parse();
      void this.gone.then(() => resolve(null));
    });
    if (descriptors === null) return null;
    const opened: { fd: number; link: string }[] = [];
    try {
      for (const descriptor of descriptors) {
        const path = `/proc/${this.pid}/fd/${descriptor}`;
        // Opening it makes an open file description of our own, so O_NONBLOCK is set only on ours.
        opened.push({
          fd: openSync(path, constants.O_RDONLY | constants.O_NONBLOCK),
          link: readlinkSync(path),
        });
      }
    } catch {
      for (const { fd } of opened) closeSync(fd);
      this.release();
      return null;
    }
    return opened;
  }

  /** Starts the command. Resolves with its process; rejects with the error of `exec`: ENOENT, EACCES and the like. */
  start(): Promise<number> {
    return new Promise((resolve, reject) => {
      this.#started = { resolve, reject };
      this.control.write('g');
    });
  }

  /** Continues a stopped command. */
  goOn(): void {
    if (this.pid !== undefined) sendSignal(this.pid, 'SIGUSR1');
  }

  /** Ends a leader whose command was not started, or has ended. */
  release(): void {
    this.control.destroy();
  }

  /** Resolves with whether the signal, which has just reached us, was sent to the whole process group. */
  async sawSignal(signal: NodeJS.Signals): Promise<boolean> {
    const name = signal.slice('SIG'.length);
    for (let waited = 0; waited <= GROUP_SIGNAL_MS; waited += 5) {
      const count = this.#reported.get(name) ?? 0;
      if (count > 0) {
        this.#reported.set(name, count - 1);
        return true;
      }
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    return false;
  }

  #read(bytes: Buffer): void {
    this.#text += bytes.toString('latin1');
    this.#parse();
  }

  #parse(): void {
    for (let end = this.#text.indexOf('\n'); end >= 0; end = this.#text.indexOf('\n')) {
      const [what, value = ''] = this.#text.slice(0, end).split(' ');
      if (what === 'ready' && this.#pipes === null) return;
      this.#text = this.#text.slice(end + 1);
      this.#onMessage(what!, value);
    }
  }

  #onMessage(what: string, value: string): void {
    if (what === 'ready') this.#pipes?.(value === '' ? [] : value.split(',').map(Number));
    else if (what === 'started') this.#started?.resolve(Number(value));
    else if (what === 'failed') this.#started?.reject(startError(getSystemErrorName(-Number(value))));
    else if (what === 'signal') this.#reported.set(value, (this.#reported.get(value) ?? 0) + 1);
    else if (what === 'stopped') this.onStop(signalName(Number(value)) ?? 'SIGSTOP');
    else if (what === 'set') this.left.settings = value;
    else if (what === 'size') {
      const [columns = 0, rows = 0] = value.split('x').map(Number);
      this.left.size = { columns, rows };
    } else if (what === 'unread') this.left.unread = Buffer.from(value, 'hex');
    else if (what === 'exited') this.#exitSoon({ exitCode: Number(value), signal: null });
    else if (what === 'killed') this.#exitSoon(killedBy(Number(value)));
  }

  /** Waits for pipe events that came together with the report, so that output is read first. */
  #exitSoon(exit: CommandExit): void {
    setImmediate(() => this.#exit(exit));
  }

  #lost(exit: CommandExit): void {
    this.#started?.reject(new Error('the process that starts commands has ended'));
    this.#exit(exit);
  }
}

/** Starts a leader; null if none can run here. Throws errors of `spawn` (E2BIG). */
export function startLeader(options: LeaderOptions, perl: string | null = findPerl()): Leader | null {
  // Elsewhere, its pipes cannot be opened from here.
  if (perl === null || (process.platform !== 'linux' && options.outputs.includes('pipe'))) return null;
  const { stdin, terminal = null } = options;
  const isGiven = stdin === 'inherit';
  const given = isGiven ? descriptorsForCommand() : [];
  const stdio: (number | 'ignore' | 'inherit' | 'pipe')[] = [terminal?.slave ?? stdin, 'ignore', 'ignore'];
  if (given.length > 0) stdio.push(...atTheirNumbers(given));
  const control = put(stdio, 'pipe');
  const screens: Terminal[] = [];
  const outputs = options.outputs.map((output) => {
    if (output === 'pipe') return 'p';
    if (output === terminal) return '0';
    screens.push(output);
    return String(put(stdio, output.slave));
  });
  const isUnmeant = (fd: number) => (stdio[fd] ?? 'ignore') === 'ignore';
  const unmeant = [
    ...(terminal ? [terminal.master, terminal.slave] : []),
    ...screens.map(({ slave }) => slave),
  ];
  const telling = screens.map(({ master }) => master).filter(isUnmeant);
  const settings = [
    options.ownGroup ? 'group' : '',
    options.reap ? `reap=${prctlNumber()}` : '',
    // A person's command goes on without us, as it would without a pipe's reader.
    isGiven || terminal ? '' : `ends=${prctlNumber()}`,
    ...listed('close', unmeant.filter(isUnmeant)),
    ...listed('tells', telling),
    terminal ? `session=${terminal.settings}` : '',
  ];
  const { args, env } = inPerl(
    LEADER_SCRIPT,
    [
      ...[String(control), isGiven ? wordForPerl() : '', given.join(), isGiven ? sharedForCommand() : ''],
      ...[outputs.join(' '), settings.join(' '), options.path, options.name, ...options.args],
    ],
    options.env,
  );
  const child = spawn(perl, args, {
    ...{ cwd: options.cwd, env, stdio, windowsHide: true, argv0: 'perl' },
    detached: options.ownGroup || terminal !== null,
  });
  // Node tells later that the start failed, and has made no streams if that is for want of descriptors.
  child.on('error', () => {});
  if (!child.stdio) throw startError('EMFILE');
  return new Leader(child, child.stdio[control as 3] as Socket, telling);
}

function listed(name: string, fds: readonly number[]): string[] {
  return fds.length > 0 ? [`${name}=${fds.join()}`] : [];
}

/** Returns the number at which the child gets it: the first free one above the standard streams. */
function put<T>(stdio: (T | 'ignore')[], what: T): number {
  let fd = 3;
  while (fd < stdio.length && stdio[fd] !== 'ignore') fd += 1;
  stdio[fd] = what;
  return fd;
}

// Descriptors above 2 that were opened for the command (`3>file`, `9>lock`, make's job server). Node closes those up to
// 16 for its children, and those above as far as none is missing, so we hand them on.

/** The target of each descriptor, by its number. */
type Links = ReadonlyMap<number, string>;

/** Read at start, before we open anything; not read if the launcher passed the descriptors. */
const atStart = process.argv[2]?.startsWith(INHERITED_WORD) ? new Map<number, string>() : linksNow();

/** Returns the descriptors above 2 that a command gets: from the launcher, else by a guess. */
export function descriptorsForCommand(): number[] {
  return whatWeInherited()?.descriptors.filter((fd) => fd > 2) ?? descriptorsGiven();
}

/** Returns the descriptors that are one with stdout or stderr, as `3=1,4=2`. The command gets them as one, too. */
function sharedForCommand(): string {
  const shared = [...(whatWeInherited()?.shared ?? [])].filter(([fd]) => fd > 2);
  return shared.map(([fd, of]) => `${fd}=${of}`).join();
}

/** Numbers from 3 on, rising. Empty if the system does not say. */
export function descriptorsGiven(start: Links = atStart, now: Links = linksNow()): number[] {
  const given: number[] = [];
  // Node opens its own descriptors at the lowest free numbers, an event queue first.
  let isBeforeOurs = true;
  const highest = Math.max(...start.keys());
  for (let fd = 3; fd <= highest; fd += 1) {
    const link = start.get(fd);
    if (link === undefined || link === EVENT_QUEUE) isBeforeOurs = false;
    else if (now.get(fd) === link && (isBeforeOurs || isNotOurs(link, start))) given.push(fd);
  }
  return given;
}

/** Returns a child's list of streams from 3 on: each descriptor at its number, nothing in between. */
export function atTheirNumbers(given: readonly number[]): (number | 'ignore')[] {
  return Array.from({ length: Math.max(2, ...given) - 2 }, (_, index) =>
    given.includes(index + 3) ? index + 3 : 'ignore',
  );
}

const EVENT_QUEUE = 'anon_inode:[eventpoll]';

/**
 * Node opens event queues and counters, both ends of its pipes, terminals, and /dev/null for reading; a standard
 * stream's pipe (`5>&1`) is not Node's.
 */
function isNotOurs(link: string, all: Links): boolean {
  if (/^\/dev\/(null$|tty|pts\/)|^anon_inode:\[event(poll|fd)\]|^anon_inode:\[io_uring\]/.test(link))
    return false;
  if (!link.startsWith('pipe:')) return true;
  const holders = [...all].filter(([, other]) => other === link);
  return holders.length === 1 || holders.some(([fd]) => fd <= 2);
}

function linksNow(): Links {
  const links = new Map<number, string>();
  if (process.platform !== 'linux') return links;
  for (const fd of openDescriptors()) {
    try {
      const link = readlinkSync(`/proc/self/fd/${fd}`);
      links.set(fd, link === '/dev/null' && isWritable(fd) ? `${link} for writing` : link);
    } catch {
      // The descriptor of the listing itself.
    }
  }
  return links;
}

function openDescriptors(): number[] {
  try {
    return readdirSync('/proc/self/fd')
      .map(Number)
      .sort((one, other) => one - other);
  } catch {
    return [];
  }
}

/** The lowest two bits of the flags, which are octal, say how it was opened. */
function isWritable(fd: number): boolean {
  const [, flags = '0'] = /^flags:\s*(\d+)/m.exec(readFileSync(`/proc/self/fdinfo/${fd}`, 'latin1')) ?? [];
  return (Number(flags.at(-1)) & 3) !== 0;
}
