/** The person's own terminal: reads its size and keys, and restores its modes at the end. */
import { spawn, spawnSync } from 'node:child_process';
import { closeSync, constants, openSync, readSync } from 'node:fs';
import type { Writable } from 'node:stream';
import { isatty, type WriteStream } from 'node:tty';
import { standardInput } from '../streams/standard-input.ts';
import { isInBackground } from './foreground.ts';
import type { PtySize } from './pty-options.ts';

interface UserTerminalEvents {
  /** Nothing more is taken until the promise is done. */
  typed(bytes: Buffer): Promise<void> | null;
  /** Standard input has ended, or the terminal is gone. */
  inputEnded(): void;
  resized(size: PtySize): void;
  /** Asked to end; or, where the keyboard can't say it, Ctrl-C. */
  signalled(signal: 'SIGHUP' | 'SIGTERM' | 'SIGINT' | 'SIGQUIT'): void;
}

export interface UserTerminal {
  readonly size: PtySize;
  /** Typed before this terminal was taken, so it has been echoed already. */
  readonly early: Buffer;
  /**
   * Stops us and our job, as Ctrl-Z does. Resolves when it continues, or soon with false when nobody can continue
   * it.
   */
  stop(): Promise<boolean>;
  /** Restores the terminal's modes. May be called again. */
  restore(): void;
}

const SIGNALS = ['SIGHUP', 'SIGTERM', 'SIGINT', 'SIGQUIT'] as const;
/** How soon a job notices that it is in the foreground again, in milliseconds. */
const REGAIN_MS = 100;
/** Milliseconds; more than it takes until our own stop signal stops us. */
const STOP_MS = 50;
/** A terminal's queue. */
const MAX_EARLY_BYTES = 4096;
const NOTHING = Buffer.alloc(0);
const DEFAULT_SIZE: PtySize = { columns: 80, rows: 24 };

/**
 * Takes standard input, in raw mode where it is a terminal. `isGuarded`: the mode is restored even when we are killed,
 * which takes a process and some milliseconds.
 */
export function takeUserTerminal(
  events: UserTerminalEvents,
  { isGuarded = false }: { isGuarded?: boolean } = {},
): UserTerminal {
  // Node would make a pipe non-blocking for every process that shares it.
  const keyboard = isatty(0) ? process.stdin : null;
  const input = keyboard ?? standardInput();
  const { raw, early } = rawModeOf(keyboard, isGuarded);
  let untaken = 0;
  const onData = (bytes: Buffer) => {
    const isTaken = events.typed(bytes);
    if (isTaken === null) return;
    untaken += 1;
    input.pause();
    void isTaken.then(() => {
      untaken -= 1;
      listen();
    });
  };
  const listen = () => {
    if (taken && untaken === 0 && waiting === null) input.resume();
  };
  const onEnd = () => events.inputEnded();
  const onResize = () => events.resized(sizeNow());
  let waiting: NodeJS.Timeout | null = null;
  /** A job that goes on in the background is not told when it is brought back. */
  const regain = () => {
    if (waiting) clearTimeout(waiting);
    waiting = null;
    if (!taken) return;
    if (keyboard && isInBackground()) {
      input.pause();
      waiting = setTimeout(regain, REGAIN_MS);
      return;
    }
    // Another job had the terminal: its mode may have changed.
    raw(false);
    raw(true);
    listen();
    onResize();
  };
  const onSignal = (signal: NodeJS.Signals) => events.signalled(signal as (typeof SIGNALS)[number]);
  let taken = true;
  const restore = () => {
    if (!taken) return;
    taken = false;
    input.off('data', onData).off('end', onEnd).off('error', onEnd).pause();
    if (waiting === null) raw(false);
    else {
      // Changing the mode from the background would stop us. The mode was restored before, and Node restores it
      // again at exit while this is open.
      clearTimeout(waiting);
      input.destroy();
    }
    screen()?.off('resize', onResize);
    process.off('SIGCONT', regain).off('exit', restore);
    for (const signal of SIGNALS) process.off(signal, onSignal);
  };
  process.on('exit', restore);
  regain();
  input.on('data', onData).on('end', onEnd).on('error', onEnd);
  screen()?.on('resize', onResize);
  process.on('SIGCONT', regain);
  for (const signal of SIGNALS) process.on(signal, onSignal);
  return {
    early: early(),
    get size() {
      return sizeNow();
    },
    async stop() {
      raw(false);
      const isContinued = await stopJob();
      regain();
      return isContinued;
    },
    restore,
  };
}

/** Turns raw mode on and off, and keeps what was typed before it was first on. A pipe has no modes. */
function rawModeOf(keyboard: typeof process.stdin | null, isGuarded: boolean) {
  const guard = isGuarded && keyboard ? guardRawMode() : null;
  let early: Buffer | null = null;
  return {
    raw(on: boolean): void {
      try {
        if (!keyboard) return;
        keyboard.setRawMode(on);
        // At once: keys that come from now on are not echoed here.
        if (on) early ??= typedEarly();
        if (on) passOutputAsItIs();
        guard?.changed(on);
      } catch {
        // The terminal is gone: there is nothing to put back.
      }
    },
    /** Empty in the background, where keys that come later are passed on. */
    early(): Buffer {
      early ??= NOTHING;
      return early;
    },
  };
}

/** Stops our job. Returns true once it continues; false soon if nothing stopped it. */
async function stopJob(): Promise<boolean> {
  let isContinued = false;
  const onContinue = () => {
    isContinued = true;
  };
  process.once('SIGCONT', onContinue);
  process.kill(0, 'SIGTSTP');
  // The system may stop us a moment later. While we are stopped, no time passes.
  await new Promise((resolve) => setTimeout(resolve, STOP_MS));
  await new Promise((resolve) => setImmediate(resolve));
  process.off('SIGCONT', onContinue);
  return isContinued;
}

/** Reads the keys that wait, without waiting for more: standard input would block. */
function typedEarly(): Buffer {
  if (process.platform === 'win32') return NOTHING;
  let fd: number | null = null;
  try {
    fd = openSync('/dev/tty', constants.O_RDONLY | constants.O_NOCTTY | constants.O_NONBLOCK);
    const buffer = Buffer.alloc(MAX_EARLY_BYTES);
    return buffer.subarray(0, readSync(fd, buffer));
  } catch {
    // There are none.
    return NOTHING;
  } finally {
    if (fd !== null) closeSync(fd);
  }
}

/**
 * Turns off output processing, which Node's raw mode leaves on: a bare LF, with which full-screen programs move
 * down, would also return to the first column. Leaving raw mode restores it.
 */
function passOutputAsItIs(): void {
  if (process.platform === 'win32') return;
  // A signal may end it half way.
  for (let tries = 0; tries < 3; tries += 1)
    if (spawnSync('stty', ['-opost'], { stdio: ['inherit', 'ignore', 'ignore'] }).status === 0) return;
}

function screen(): WriteStream | null {
  if (isatty(1)) return process.stdout;
  return isatty(2) ? process.stderr : null;
}

/** Returns the size of our terminal; without one, from the environment. */
export function sizeNow(): PtySize {
  const found = screen();
  if (found) return { columns: found.columns || DEFAULT_SIZE.columns, rows: found.rows || DEFAULT_SIZE.rows };
  return {
    columns: Number(process.env.COLUMNS) || DEFAULT_SIZE.columns,
    rows: Number(process.env.LINES) || DEFAULT_SIZE.rows,
  };
}

const SCRIPT = `
trap '' HUP INT QUIT TERM TSTP TTIN TTOU
mine=
while read -r word; do mine=$word; done <&3
if [ -n "$mine" ] && [ "$(stty -g)" = "$mine" ]; then stty "$1"; fi`;

interface RawGuard {
  /** Call after we changed or restored the terminal's mode. */
  changed(isRaw: boolean): void;
}

/**
 * Restores the terminal if SIGKILL ends this process while it is in raw mode: a small shell reads from a pipe which
 * mode we set, and acts when the pipe closes. It keeps a mode that another program, such as the person's shell, has set
 * since. Call before raw mode. Never throws: if the guard cannot start, nothing restores the terminal.
 */
function guardRawMode(): RawGuard {
  const none = { changed: () => {} };
  const found = modeNow();
  if (process.platform === 'win32' || found === null) return none;
  try {
    const guard = spawn('/bin/sh', ['-c', SCRIPT, 'sh', found], {
      stdio: ['inherit', 'ignore', 'ignore', 'pipe'],
    });
    const told = guard.stdio[3] as Writable & { unref(): void };
    for (const part of [guard, told]) part.on('error', () => {});
    guard.unref();
    told.unref();
    return { changed: (isRaw) => void told.write(`${isRaw ? (modeNow() ?? '') : ''}\n`) };
  } catch {
    return none;
  }
}

/** In the form that `stty` reads; null if the system does not say. */
function modeNow(): string | null {
  const { status, stdout } = spawnSync('stty', ['-g'], {
    stdio: ['inherit', 'pipe', 'ignore'],
    encoding: 'latin1',
  });
  return status === 0 ? stdout.trim() : null;
}
