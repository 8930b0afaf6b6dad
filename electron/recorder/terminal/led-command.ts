/**
 * Starts a command on a terminal whose session another process leads. If the command led it, the system would hang up
 * its background children when it ends. The leader can also continue it, so Ctrl-Z works as in a shell.
 *
 *     spillway ── pty ── leader (the session) ── command (a group of its own, which has the terminal)
 *              <─ report ─┘    <─ hold ── spillway, then the recorder
 */

import { spawn } from 'node:child_process';
import { closeSync } from 'node:fs';
import { getSystemErrorName } from 'node:util';
import { type CommandExit, killedBy, signalName, startError } from '../command/exit.ts';
import { atTheirNumbers } from '../command/given-descriptors.ts';
import { wordForPerl } from '../command/inherited.ts';
import { findPerl, inPerl, prctlNumber } from '../command/perl.ts';
import { makeNamedPipes, type NamedPipes } from '../command/pipes.ts';
import { endTree } from '../command/process-tree.ts';
import { type ReadEnd, readFrom } from '../streams/read-end.ts';
import { LEADER_SCRIPT } from './leader-script.ts';
import type { LineSettings } from './line-settings.ts';
import { loadNativePty } from './load-pty.ts';
import { atLeastOne, openPty, orUnsupported, UnixPty } from './pty.ts';
import type { Pty, PtyOptions } from './pty-options.ts';

/** Prepared before the start. */
export interface Leader {
  perl: string;
  names: NamedPipes;
}

interface LedOptions extends PtyOptions {
  /** Its argv[0]. */
  name: string;
  /** Descriptors above 2, passed at the same numbers (given-descriptors.ts); ignored without a leader. */
  descriptors: readonly number[];
  /** The person's terminal settings, copied to the command's terminal; ignored without a leader. */
  settings: LineSettings | null;
  /** The leader adopts processes that leave the command's tree, so that they are found. */
  reap: boolean;
  /** Aborts a start that hangs. */
  abort: AbortSignal;
  /** The command was stopped by this signal, and waits for `goOn`. May be called before `startLed` resolves. */
  onStop(signal: NodeJS.Signals, goOn: () => void): void;
}

export interface LedCommand {
  readonly pid: number;
  readonly pty: Pty;
  /** The leader's process; null if the command leads its own session. */
  readonly leader: number | null;
  readonly exited: Promise<CommandExit>;
  /** A descriptor that keeps the terminal's session alive, for the process that continues to read. */
  readonly hold: number | null;
  release(): void;
}

/** Null without Perl or FIFOs. */
export async function findLeader(): Promise<Leader | null> {
  const perl = findPerl();
  const names = perl === null ? null : await makeNamedPipes(2);
  return perl === null || names === null ? null : { perl, names };
}

/**
 * Starts the command behind the leader, or as its own leader when no leader works. Throws start errors with a `code`
 * (ENOENT, EACCES and the like), and the abort reason once every process of it has ended.
 */
export async function startLed(leader: Leader | null, options: LedOptions): Promise<LedCommand> {
  if (leader === null) {
    options.abort.throwIfAborted();
    return unled(options);
  }
  // A leader that cannot start the command may print why, such as a Perl without its modules.
  let early: Buffer[] | null = [];
  const onData = (bytes: Buffer) => void (early ? early.push(bytes) : options.onData(bytes));
  const led = new Led(leader, options.onStop);
  try {
    await led.start({ ...options, onData });
  } catch (error) {
    if (options.abort.aborted) await led.giveUp();
    else if ((error as NodeJS.ErrnoException).code === undefined) return unled(options);
    throw error;
  }
  const shown = early;
  early = null;
  for (const bytes of shown) options.onData(bytes);
  return led;
}

class Led implements LedCommand {
  readonly exited: Promise<CommandExit>;
  readonly #perl: string;
  readonly #names: NamedPipes;
  readonly #onStop: LedOptions['onStop'];
  readonly #started: Promise<void>;
  #pty: Pty | null = null;
  #report: ReadEnd | null = null;
  #pid = 0;
  #hold: number | null;
  #text = '';
  #hasStarted: () => void = () => {};
  #hasFailed: (error: Error) => void = () => {};
  #hasExited: (exit: CommandExit) => void = () => {};

  constructor({ perl, names }: Leader, onStop: LedOptions['onStop']) {
    this.#perl = perl;
    this.#names = names;
    this.#onStop = onStop;
    this.#hold = names.pipes[1]!.writeEnd;
    this.#started = new Promise((resolve, reject) => {
      this.#hasStarted = resolve;
      this.#hasFailed = reject;
    });
    this.exited = new Promise((resolve) => {
      this.#hasExited = resolve;
    });
  }

  async start(options: LedOptions): Promise<void> {
    const { file, name, args, env, descriptors, settings, abort } = options;
    const [report, hold] = this.#names.pipes as [NamedPipes['pipes'][0], NamedPipes['pipes'][0]];
    const opened = () => {
      this.#names.removeNames();
      // Close it only now: without a writer, the report would have ended at once.
      closeSync(report.writeEnd);
      closeSync(hold.readEnd);
    };
    const started = inPerl(LEADER_SCRIPT, [], env);
    const words = (ours: readonly number[]) => [
      ...[ours.join(), descriptors.join(), report.path, hold.path, settings?.words ?? ''],
      ...[wordForPerl(), String(options.reap ? prctlNumber() : 0)],
      ...[file, name, ...args],
    ];
    try {
      this.#pty = await openLeaderPty({
        ...options,
        file: this.#perl,
        args: (ours) => [...started.args, ...words(ours)],
        env: started.env,
      });
    } catch (error) {
      opened();
      closeSync(report.readEnd);
      this.release();
      throw isOfCommand(error) ? error : new Error('what was to lead its terminal could not be started');
    }
    this.#report = readFrom(report.readEnd, (bytes) => this.#read(bytes));
    const gone = this.pty.exited.then((exit) => this.#hasGone(exit));
    void Promise.race([this.#started, gone]).then(opened, opened);
    await Promise.race([this.#started, aborted(abort)]);
    abort.throwIfAborted();
  }

  /** Ends the processes started so far, perhaps including the command. */
  async giveUp(): Promise<void> {
    if (this.#pty === null) return;
    const { pid, path, exited } = this.#pty;
    this.release();
    await endTree({ pid, ownGroup: true, outputs: path === null ? [] : [path] });
    await exited;
  }

  get pty(): Pty {
    return this.#pty!;
  }

  get leader(): number {
    return this.pty.pid;
  }

  get pid(): number {
    return this.#pid;
  }

  get hold(): number | null {
    return this.#hold;
  }

  release(): void {
    if (this.#hold !== null) closeSync(this.#hold);
    this.#hold = null;
  }

  async #hasGone(exit: CommandExit): Promise<void> {
    await this.#report?.drain(false);
    this.#report?.close();
    this.#hasFailed(new Error('what was to lead its terminal has ended'));
    // It was killed before the command ended.
    this.#hasExited(exit);
    this.release();
  }

  #read(bytes: Uint8Array): null {
    const lines = (this.#text + Buffer.from(bytes).toString('latin1')).split('\n');
    this.#text = lines.pop()!;
    for (const line of lines) {
      const [what, value] = line.split(' ');
      this.#told(what!, Number(value));
    }
    return null;
  }

  #told(what: string, value: number): void {
    if (what === 'started') {
      this.#pid = value;
      this.#hasStarted();
    } else if (what === 'failed') {
      this.#hasFailed(startError(getSystemErrorName(-value)));
      this.release();
    } else if (what === 'stopped')
      this.#onStop(signalName(value) ?? 'SIGSTOP', () => this.pty.kill('SIGUSR1'));
    else if (what === 'exited') this.#hasExited({ exitCode: value, signal: null });
    else if (what === 'killed') this.#hasExited(killedBy(value));
  }
}

function unled(options: LedOptions): LedCommand {
  const pty = openPty(options);
  const { pid, exited } = pty;
  return { pid, pty, leader: null, exited, hold: null, release() {} };
}

/** Whether the leader could not start for a reason that would also stop the command. */
function isOfCommand(error: unknown): boolean {
  return ['E2BIG', 'EAGAIN', 'ENOMEM'].includes((error as NodeJS.ErrnoException).code ?? '');
}

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason);
    else signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
}

interface LeaderPtyOptions extends Omit<PtyOptions, 'args'> {
  /** `ours`: our own descriptors, which it inherits and must close. */
  args(ours: readonly number[]): readonly string[];
  /** Above 2. They keep their numbers. */
  descriptors: readonly number[];
}

/**
 * Starts the program as the leader of a session without a terminal, which it takes control of itself
 * (leader-script.ts). So it can get more descriptors than the standard three, which node-pty does not allow. Throws the
 * errors of `openPty` and of starting.
 */
async function openLeaderPty(options: LeaderPtyOptions): Promise<Pty> {
  const { file, args, cwd, env, size, onData, descriptors } = options;
  const { columns, rows } = atLeastOne(size);
  const { master, slave, pty } = orUnsupported(() => loadNativePty().open(columns, rows));
  try {
    const child = spawn(file, args([master, slave]), {
      ...{ cwd, env, detached: true },
      stdio: [slave, slave, slave, ...atTheirNumbers(descriptors)],
    });
    const exited = new Promise<CommandExit>((resolve) =>
      child.once('exit', (exitCode, signal) => resolve({ exitCode, signal })),
    );
    await new Promise<void>((resolve, reject) => {
      child.once('spawn', resolve);
      child.once('error', reject);
    });
    return new UnixPty({ pid: child.pid!, fd: master, path: pty, exited }, onData);
  } catch (error) {
    closeSync(master);
    throw error;
  } finally {
    // Holding this end open prevents a hang-up.
    closeSync(slave);
  }
}
