/**
 * Starts a command on real pipes, with the signals, limits and descriptors that we inherited, and reports exactly how
 * it ended. A small Perl process does this, and remains the command's parent:
 *
 *     spillway ── control socket ── leader ── command
 *         └────────── pipes ────────────────────┘
 *
 * Node's own `spawn` unblocks and resets all signals, gives sockets for pipes (on which `echo x > /dev/stdout` fails),
 * and reports a death by a real-time signal as status 0.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, constants, openSync, readlinkSync } from 'node:fs';
import type { Socket } from 'node:net';
import { constants as signals } from 'node:os';
import { getSystemErrorName } from 'node:util';
import { type CommandExit, killedBy, startError } from './exit.ts';
import { atTheirNumbers, descriptorsForCommand } from './given-descriptors.ts';
import { wordForPerl } from './inherited.ts';
import { findPerl, inPerl, prctlNumber } from './perl.ts';
import { PIPE_LEADER_SCRIPT } from './pipe-leader-script.ts';

interface LeaderOptions {
  path: string;
  /** Its argv[0]. */
  name: string;
  args: readonly string[];
  /** Undefined for our own. */
  cwd: string | undefined;
  env: NodeJS.ProcessEnv;
  stdin: 'inherit' | 'ignore';
  /** One for each stream; a single pipe carries both stdout and stderr. */
  pipes: 1 | 2;
  /** The command leads a process group in its leader's session. */
  ownGroup: boolean;
  /** The leader adopts processes that leave the command's tree (a daemon, a double fork), so they are found. */
  reap: boolean;
}

/** Longest time until a signal sent to the whole process group reaches the leader. */
const GROUP_SIGNAL_MS = 150;

/** A leader whose command has not been started yet. */
export class PipeLeader {
  /** The leader's process; undefined when it could not be started. */
  readonly pid: number | undefined;
  /** Resolves when the command has ended; never before `start` does. */
  readonly exited: Promise<CommandExit>;
  /** Resolves when the leader itself has ended: with `reap`, after every process that the command started. */
  readonly gone: Promise<void>;
  readonly #control: Socket;
  readonly #reported = new Map<number, number>();
  #text = '';
  #pipes: ((descriptors: number[] | null) => void) | null = null;
  #started: { resolve(pid: number): void; reject(error: Error): void } | null = null;
  #exit: (exit: CommandExit) => void = () => {};

  constructor(child: ChildProcess, control: Socket) {
    this.#control = control;
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

  /** Opens the read ends. Returns non-blocking descriptors and each pipe's name in /proc; null on failure. */
  async open(): Promise<{ fd: number; link: string }[] | null> {
    const descriptors = await new Promise<number[] | null>((resolve) => {
      this.#pipes = resolve;
      this.#parse();
      void this.gone.then(() => resolve(null));
    });
    const opened: { fd: number; link: string }[] = [];
    try {
      for (const descriptor of descriptors ?? []) {
        const path = `/proc/${this.pid}/fd/${descriptor}`;
        // Opening it makes an open file description of our own, so O_NONBLOCK is set only on ours.
        opened.push({
          fd: openSync(path, constants.O_RDONLY | constants.O_NONBLOCK),
          link: readlinkSync(path),
        });
      }
    } catch {
      for (const { fd } of opened.splice(0)) closeSync(fd);
    }
    if (opened.length === 0) this.abandon();
    return opened.length === 0 ? null : opened;
  }

  /** Starts the command. Resolves with its process; rejects with the error of `exec`: ENOENT, EACCES and the like. */
  start(): Promise<number> {
    return new Promise((resolve, reject) => {
      this.#started = { resolve, reject };
      this.#control.write('g');
    });
  }

  /** Ends a leader whose command was not started. */
  abandon(): void {
    this.#control.destroy();
  }

  /** Resolves with whether the signal, which has just reached us, was sent to the whole process group. */
  async sawSignal(signal: NodeJS.Signals): Promise<boolean> {
    const number = signals.signals[signal];
    for (let waited = 0; waited <= GROUP_SIGNAL_MS; waited += 5) {
      const count = this.#reported.get(number) ?? 0;
      if (count > 0) {
        this.#reported.set(number, count - 1);
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
      if (what === 'pipes' && this.#pipes === null) return;
      this.#text = this.#text.slice(end + 1);
      this.#told(what!, value);
    }
  }

  #told(what: string, value: string): void {
    if (what === 'pipes') this.#pipes?.(value.split(',').map(Number));
    else if (what === 'started') {
      // Signals before the start did not reach the command.
      this.#reported.clear();
      this.#started?.resolve(Number(value));
    } else if (what === 'failed') this.#started?.reject(startError(getSystemErrorName(-Number(value))));
    else if (what === 'signal')
      this.#reported.set(Number(value), (this.#reported.get(Number(value)) ?? 0) + 1);
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
export function startLeader(options: LeaderOptions): PipeLeader | null {
  const perl = process.platform === 'linux' ? findPerl() : null;
  if (perl === null) return null;
  const given = options.stdin === 'inherit' ? descriptorsForCommand() : [];
  const control = firstFree(given);
  const settings = [
    options.ownGroup ? 'group' : '',
    options.reap ? `reap=${prctlNumber()}` : '',
    // A person's command goes on without us, as it would without a pipe's reader.
    options.stdin === 'ignore' ? `ends=${prctlNumber()}` : '',
  ];
  const { args, env } = inPerl(
    PIPE_LEADER_SCRIPT,
    [
      ...[
        String(control),
        options.stdin === 'inherit' ? wordForPerl() : '',
        given.join(),
        String(options.pipes),
      ],
      ...[settings.join(' '), options.path, options.name, ...options.args],
    ],
    options.env,
  );
  const stdio: (number | 'ignore' | 'inherit' | 'pipe')[] = [options.stdin, 'ignore', 'ignore'];
  stdio.push(...(given.length > 0 ? atTheirNumbers(given) : []));
  while (stdio.length <= control) stdio.push('ignore');
  stdio[control] = 'pipe';
  const child = spawn(perl, args, {
    ...{ cwd: options.cwd, env, stdio, detached: options.ownGroup, windowsHide: true },
    argv0: 'perl',
  });
  return new PipeLeader(child, child.stdio[control as 3] as Socket);
}

function firstFree(taken: readonly number[]): number {
  let fd = 3;
  while (taken.includes(fd)) fd += 1;
  return fd;
}
