/** The terminal a person sits at: its size, its keys as they are typed, and that it is left as it was found. */
import { spawnSync } from 'node:child_process';
import type { PtySize } from './pty.ts';

export interface UserTerminalEvents {
  typed(bytes: Buffer): void;
  /** Standard input has ended, or the terminal is gone. */
  inputEnded(): void;
  resized(size: PtySize): void;
  /** Asked to end; or, where the keyboard can't say it, Ctrl-C. */
  signalled(signal: 'SIGHUP' | 'SIGTERM' | 'SIGINT' | 'SIGQUIT'): void;
}

export interface UserTerminal {
  readonly size: PtySize;
  /** Stops us and our job, as Ctrl-Z does; returns when it goes on, or at once where there is nobody to continue it. */
  stop(): void;
  /** Puts everything back as it was. May be called again. */
  restore(): void;
}

const SIGNALS = ['SIGHUP', 'SIGTERM', 'SIGINT', 'SIGQUIT'] as const;
const DEFAULT_SIZE: PtySize = { columns: 80, rows: 24 };

/** Takes standard input, in raw mode where it is a terminal. */
export function takeUserTerminal(events: UserTerminalEvents): UserTerminal {
  const input = process.stdin;
  const raw = (on: boolean) => {
    try {
      if (!input.isTTY) return;
      input.setRawMode(on);
      if (on) passOutputAsItIs();
    } catch {
      // The terminal is gone: there is nothing to put back.
    }
  };
  const onData = (bytes: Buffer) => events.typed(bytes);
  const onEnd = () => events.inputEnded();
  const onResize = () => events.resized(sizeNow());
  // Whoever stopped us had the terminal meanwhile. The mode is known to the system only.
  const onContinue = () => {
    raw(false);
    raw(true);
    onResize();
  };
  const onSignal = (signal: NodeJS.Signals) => events.signalled(signal as (typeof SIGNALS)[number]);
  let taken = true;
  const restore = () => {
    if (!taken) return;
    taken = false;
    raw(false);
    input.off('data', onData).off('end', onEnd).off('error', onEnd).pause();
    screen()?.off('resize', onResize);
    process.off('SIGCONT', onContinue).off('exit', restore);
    for (const signal of SIGNALS) process.off(signal, onSignal);
  };
  process.on('exit', restore);
  raw(true);
  input.on('data', onData).on('end', onEnd).on('error', onEnd);
  screen()?.on('resize', onResize);
  process.on('SIGCONT', onContinue);
  for (const signal of SIGNALS) process.on(signal, onSignal);
  return {
    get size() {
      return sizeNow();
    },
    stop() {
      raw(false);
      process.kill(0, 'SIGTSTP');
      raw(true);
    },
    restore,
  };
}

/**
 * Node's raw mode leaves line ends to the terminal: a bare LF, with which full-screen programs move down, would return to the
 * first column as well. Switching raw mode off sets this back, too.
 */
function passOutputAsItIs(): void {
  if (process.platform === 'win32') return;
  // A signal may end it half way.
  for (let tries = 0; tries < 3; tries += 1)
    if (spawnSync('stty', ['-opost'], { stdio: ['inherit', 'ignore', 'ignore'] }).status === 0) return;
}

function screen() {
  return [process.stdout, process.stderr].find((stream) => stream.isTTY);
}

function sizeNow(): PtySize {
  const found = screen();
  if (found) return { columns: found.columns || DEFAULT_SIZE.columns, rows: found.rows || DEFAULT_SIZE.rows };
  return {
    columns: Number(process.env.COLUMNS) || DEFAULT_SIZE.columns,
    rows: Number(process.env.LINES) || DEFAULT_SIZE.rows,
  };
}
