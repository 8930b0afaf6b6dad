/**
 * Runs a command on a terminal of its own that is joined to the person's: keys go in as they are typed, the size follows
 * the window. Ctrl-C and the like reach the command through its terminal, as they would have reached it through this one.
 */
import { endTree, type Tree } from './process-tree.ts';
import type { Taker } from './read-end.ts';
import type { CommandEnd, CommandOptions, RunningCommand } from './run-command.ts';
import { endInput } from './terminal/end-of-input.ts';
import { openPty, type Pty } from './terminal/pty.ts';
import { STOP_KEY, stopsByKey } from './terminal/stop-key.ts';
import { takeUserTerminal, type UserTerminal } from './terminal/user-terminal.ts';

export interface PtyCommandOptions extends Omit<CommandOptions, 'take' | 'ownGroup' | 'pipes'> {
  take: Taker;
}

/** Throws SpillwayError `unsupported` where there are none. */
export function runOnPty(options: PtyCommandOptions): RunningCommand {
  return new RunningOnPty(options);
}

class RunningOnPty implements RunningCommand {
  readonly pid: number;
  readonly ended: Promise<CommandEnd>;
  readonly #pty: Pty;
  readonly #tree: Tree;
  #reason: CommandEnd['reason'] = 'exited';
  #ending: Promise<void> | null = null;
  #waiting: Promise<void> = Promise.resolve();

  constructor({ path, args, cwd, env, timeout, stdin, abort, take }: PtyCommandOptions) {
    let user: UserTerminal | null = null;
    let stopInput = () => {};
    const size = { columns: process.stdout.columns || 80, rows: process.stdout.rows || 24 };
    this.#pty = openPty({
      file: path,
      args,
      cwd,
      env: { ...env, TERM: env.TERM || 'xterm-256color' },
      size,
      onData: (bytes) => this.#take(take, bytes),
    });
    this.pid = this.#pty.pid;
    this.#tree = { pid: this.pid, ownGroup: true, outputs: this.#pty.path === null ? [] : [this.#pty.path] };
    if (stdin === 'inherit') {
      user = takeUserTerminal({
        typed: (bytes) => this.#typed(bytes, user),
        inputEnded: () => {
          stopInput = endInput((key) => this.#pty.write(key));
        },
        resized: (now) => this.#pty.resize(now),
        // Whoever runs it passes on what is meant for it.
        signalled: () => {},
      });
    }
    const timer = timeout === null ? null : setTimeout(() => this.#end('timed_out'), timeout);
    const onAbort = () => this.#end('cancelled');
    abort?.addEventListener('abort', onAbort, { once: true });
    if (abort?.aborted) onAbort();
    this.ended = this.#pty.exited.then(async ({ exit_code: exitCode, signal }) => {
      if (timer) clearTimeout(timer);
      abort?.removeEventListener('abort', onAbort);
      await this.#ending;
      if (this.#ending === null && signal === null) await this.#waiting;
      stopInput();
      user?.restore();
      return { reason: this.#reason, exitCode, signal, open: {} };
    });
  }

  /** To its group, as the terminal would. */
  signal(signal: NodeJS.Signals): void {
    try {
      process.kill(-this.pid, signal);
    } catch {
      this.#pty.kill(signal);
    }
  }

  hangUp(): void {
    this.signal('SIGHUP');
  }

  cancel(): void {
    this.#end('cancelled');
  }

  #typed(bytes: Buffer, user: UserTerminal | null): void {
    const at = bytes.indexOf(STOP_KEY);
    if (at < 0 || user === null || !stopsByKey(this.pid, this.#pty.path)) {
      this.#pty.write(bytes);
      return;
    }
    this.#pty.write(bytes.subarray(0, at));
    this.signal('SIGSTOP');
    user.stop();
    this.signal('SIGCONT');
    if (at + 1 < bytes.length) this.#typed(bytes.subarray(at + 1), user);
  }

  #take(take: Taker, bytes: Buffer): void {
    const taken = take(bytes);
    if (taken === null) return;
    this.#pty.pause();
    const waiting = Promise.all([this.#waiting, taken]).then(() => {
      if (this.#waiting === waiting) this.#pty.resume();
    });
    this.#waiting = waiting;
  }

  #end(reason: 'timed_out' | 'cancelled'): void {
    if (this.#ending) return;
    this.#reason = reason;
    this.#ending = endTree(this.#tree);
  }
}
