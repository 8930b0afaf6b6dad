/**
 * Runs a command on a terminal of its own, connected to the person's: keys and window sizes are passed on. Ctrl-C and
 * the like reach the command through its terminal.
 */

import type { Taker } from '../streams/read-end.ts';
import { findLeader, type Leader, type LedCommand, startLed } from '../terminal/led-command.ts';
import { endInput, type LineSettings, lineSettings } from '../terminal/line-settings.ts';
import { endOfMaster } from '../terminal/pty-master.ts';
import { sizeNow, takeUserTerminal, type UserTerminal } from '../terminal/user-terminal.ts';
import type { CommandEnd, CommandHandle, CommandOptions, Prepared } from './command-handle.ts';
import { folderToEnter } from './current-folder.ts';
import type { CommandExit } from './exit.ts';
import { asGiven } from './given-bytes.ts';
import { descriptorsForCommand } from './given-descriptors.ts';
import { endTree, GRACE_MS, type ProcessTree, type Survivor } from './process-tree.ts';

export interface PtyCommandOptions extends CommandOptions {
  /** Ending the command also ends processes that left its process tree (Linux only). */
  reap: boolean;
  /** Called when the person presses the key for interrupt or quit. */
  onAsked(signal: NodeJS.Signals): void;
}

export interface LedPtyCommandOptions extends PtyCommandOptions {
  take: Taker;
  /** Called when the command has exited, before its last output is read. */
  onExit(): void;
  /** Null without a leader: then background children get SIGHUP at the end, and Ctrl-Z does nothing. */
  leader: Leader | null;
}

/** Longest wait for a blocked screen before we stop with a stopped command. */
const LAST_SHOWN_MS = 1000;

/**
 * Throws SpillwayError `unsupported` without terminals, and the system's error if the start fails: ENOENT, EACCES and
 * the like.
 */
export function prepareOnPty(options: PtyCommandOptions): Prepared {
  const leader = findLeader();
  return {
    start: async (take, onExit) =>
      runOnPty({ ...options, take: take('output'), onExit, leader: await leader }),
  };
}

export async function runOnPty(options: LedPtyCommandOptions): Promise<CommandHandle> {
  const running = new RunningOnPty(options);
  await running.start();
  return running;
}

class RunningOnPty implements CommandHandle {
  readonly ended: Promise<CommandEnd>;
  readonly #options: LedPtyCommandOptions;
  #led: LedCommand | null = null;
  #user: UserTerminal | null = null;
  #stopInput = () => {};
  /** Keys typed before the command has started. */
  #typed: Buffer[] = [];
  readonly #starting = new AbortController();
  /** Ends a start that hangs. */
  #giveUp: NodeJS.Timeout | null = null;
  #givenUpBy: NodeJS.Signals | null = null;
  #reason: CommandEnd['reason'] = 'exited';
  #ending: Promise<readonly Survivor[]> | null = null;
  #waiting: Promise<void> = Promise.resolve();
  #hasEnded: (end: Promise<CommandEnd>) => void = () => {};

  constructor(options: LedPtyCommandOptions) {
    this.#options = options;
    this.ended = new Promise((resolve) => {
      this.#hasEnded = resolve;
    });
  }

  async start(): Promise<void> {
    const { cwd, timeout, stdin, abort, leader, reap } = this.#options;
    const { path, name, args, env } = asGiven(this.#options, leader?.perl ?? null);
    const size = sizeNow();
    const timer = timeout === null ? null : setTimeout(() => this.#end('timed_out'), timeout);
    const onAbort = () => this.#end('cancelled');
    abort?.addEventListener('abort', onAbort, { once: true });
    if (abort?.aborted) onAbort();
    const unwatch = () => {
      if (timer) clearTimeout(timer);
      abort?.removeEventListener('abort', onAbort);
    };
    const settings = stdin === 'inherit' ? lineSettings() : null;
    const starting = startLed(leader, {
      ...{ file: path, name, args, size, settings },
      cwd: folderToEnter(cwd) ?? '.',
      env: { ...env, TERM: env.TERM || 'xterm-256color' },
      // A child that inherits stdin also inherits our extra descriptors.
      descriptors: stdin === 'inherit' ? descriptorsForCommand() : [],
      reap,
      abort: this.#starting.signal,
      onData: (bytes) => this.#take(bytes),
      // May be called before the start is reported.
      onStop: (signal, goOn) =>
        void starting.then(
          (led) => this.#stopped(led, signal, goOn),
          () => {},
        ),
    });
    // Take the terminal while the command starts, before its output is shown.
    if (stdin === 'inherit') this.#user = this.#takeUser(leader && settings);
    try {
      this.#led = await starting;
    } catch (error) {
      unwatch();
      this.#leaveUser();
      if (!this.#starting.signal.aborted) throw error;
      const end = { reason: this.#reason, exitCode: null, signal: this.#givenUpBy, open: {}, survivors: [] };
      this.#hasEnded(Promise.resolve(end));
      return;
    } finally {
      if (this.#giveUp) clearTimeout(this.#giveUp);
    }
    const led = this.#led;
    for (const bytes of this.#typed.splice(0)) led.pty.write(bytes);
    // The window may have changed meanwhile.
    led.pty.resize(sizeNow());
    const ended = led.exited.then((exit) => {
      this.#options.onExit();
      unwatch();
      return this.#conclude(led, exit);
    });
    this.#hasEnded(ended);
  }

  /** 0 if the start was given up. */
  get pid(): number {
    return this.#led?.pid ?? 0;
  }

  /** Sends it to the command's group, as the terminal would. */
  signal(signal: NodeJS.Signals): void {
    if (this.pid === 0) return;
    try {
      process.kill(-this.pid, signal);
    } catch {
      // It has already ended.
    }
  }

  /** Always false: the command has a session of its own, so no signal to our process group reaches it. */
  async sawSignal(): Promise<boolean> {
    return false;
  }

  hangUp(): void {
    this.signal('SIGHUP');
  }

  cancel(): void {
    this.#end('cancelled');
  }

  /** `settings`: the terminal's, with its keys for interrupt and quit. */
  #takeUser(settings: LineSettings | null): UserTerminal {
    const { interrupt, quit } = settings ?? { interrupt: 0x03, quit: 0x1c };
    const keys = [[interrupt, 'SIGINT'] as const, [quit, 'SIGQUIT'] as const];
    const write = (bytes: Buffer | string) => {
      if (this.#led) return this.#led.pty.write(bytes);
      this.#typed.push(Buffer.from(bytes));
      return null;
    };
    return takeUserTerminal({
      typed: (bytes) => {
        for (const [key, signal] of keys) {
          if (key === null || !bytes.includes(key)) continue;
          this.#options.onAsked(signal);
          this.#giveUpSoon(signal);
        }
        return write(bytes);
      },
      inputEnded: () => {
        this.#stopInput = endInput(write);
      },
      resized: (now) => this.#led?.pty.resize(now),
      // The caller passes the signal on.
      signalled: (signal) => this.#giveUpSoon(signal),
    });
  }

  /** Gives up if the command has not started soon. Usually it has, and then gets the signal. */
  #giveUpSoon(signal: NodeJS.Signals): void {
    if (this.#led || this.#giveUp) return;
    this.#giveUp = setTimeout(() => {
      this.#givenUpBy = signal;
      this.#starting.abort();
    }, GRACE_MS);
  }

  #leaveUser(): void {
    this.#stopInput();
    this.#user?.restore();
  }

  /**
   * Stops us with the command, until something continues us; without a terminal, until something continues the command.
   */
  async #stopped(led: LedCommand, signal: NodeJS.Signals, goOn: () => void): Promise<void> {
    const wantsTerminal = signal === 'SIGTTIN' || signal === 'SIGTTOU';
    const isContinued = this.#user && !wantsTerminal ? await this.#stopUser(led, this.#user) : false;
    if (isContinued || signal !== 'SIGSTOP') goOn();
  }

  /** Stops us after showing all its output, such as leaving the alternate screen. */
  async #stopUser({ pty, exited }: LedCommand, user: UserTerminal): Promise<boolean> {
    let hasEnded = false;
    void exited.then(() => {
      hasEnded = true;
    });
    const { master } = pty;
    const output = master && endOfMaster(master, () => this.#waiting);
    await within(this.#waiting, LAST_SHOWN_MS);
    // Show no more until the person's terminal has the command's modes again.
    await output?.drain(false);
    await within(this.#waiting, LAST_SHOWN_MS);
    // It may have been killed meanwhile.
    const isContinued = hasEnded ? false : await user.stop();
    this.#readBehind(this.#waiting);
    return isContinued;
  }

  #take(bytes: Buffer): void {
    const taken = this.#options.take(bytes);
    if (taken === null) return;
    this.#led?.pty.pause();
    this.#waiting = Promise.all([this.#waiting, taken]).then(() => {});
    this.#readBehind(this.#waiting);
  }

  /** Resumes reading once `waiting` is done, unless another wait has begun. */
  #readBehind(waiting: Promise<void>): void {
    void waiting.then(() => {
      if (this.#waiting === waiting) this.#led?.pty.resume();
    });
  }

  #end(reason: 'timed_out' | 'cancelled'): void {
    if (this.#ending || this.#starting.signal.aborted) return;
    this.#reason = reason;
    if (!this.#led) {
      this.#starting.abort();
      return;
    }
    const { pid, leader, pty } = this.#led;
    const outputs = pty.path === null ? [] : [pty.path];
    const tree: ProcessTree = { pid, ownGroup: true, outputs, leader };
    this.#ending = endTree(tree);
  }

  async #conclude(led: LedCommand, exit: CommandExit): Promise<CommandEnd> {
    const survivors = (await this.#ending) ?? [];
    const { master } = led.pty;
    const along = led.hold === null ? [] : [led.hold];
    const output = master && endOfMaster(master, () => this.#waiting, along);
    await output?.drain(this.#ending === null && exit.signal === null);
    this.#leaveUser();
    void output?.ended.then(() => led.release());
    const open = output?.isOpen ? { output } : {};
    return { reason: this.#reason, exitCode: exit.exitCode, signal: exit.signal, open, survivors };
  }
}

async function within(work: Promise<void>, ms: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  await Promise.race([work, late]);
  clearTimeout(timer);
}
