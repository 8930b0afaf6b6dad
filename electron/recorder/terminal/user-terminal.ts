/** The person's own terminal: reads its size and keys, and restores its modes at the end. */
import { spawn } from 'node:child_process';
import { closeSync, constants, openSync, readSync } from 'node:fs';
import type { Writable } from 'node:stream';
import { isatty, type WriteStream } from 'node:tty';
import { standardInput } from '../streams/read-end.ts';
import { isInBackground } from './foreground.ts';
import { type PtySize, stty } from './pty.ts';

interface UserTerminalEvents {
  /** How `stty -g` tells its settings, if that is known. */
  found?: string | undefined;
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
  /** Whether its keys come to us: our job is in its foreground. */
  readonly isJoined: boolean;
  /** Restores the terminal's modes. May be called again. */
  restore(): void;
  /** Keys that came to us and that nobody was given. Call after `restore`. */
  unread(): Buffer;
}

const SIGNALS = ['SIGHUP', 'SIGTERM', 'SIGINT', 'SIGQUIT'] as const;
/** How soon a job notices that it is in the foreground again, in milliseconds. */
const REGAIN_MS = 100;
/** Milliseconds; more than it takes until our own stop signal stops us. */
const STOP_MS = 50;
/** A terminal's queue. */
const MAX_EARLY_BYTES = 4096;
const NOTHING = Buffer.alloc(0);
export const DEFAULT_SIZE: PtySize = { columns: 80, rows: 24 };

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
  const { raw, early } = rawModeOf(keyboard, isGuarded, events.found ?? null);
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
    // Changing the mode from the background would stop us, or spoil it for the job that has the terminal.
    if (waiting === null) raw(false);
    else clearTimeout(waiting);
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
    get isJoined() {
      return keyboard !== null && waiting === null;
    },
    unread: () => (keyboard?.read() as Buffer | null) ?? NOTHING,
  };
}

/**
 * Turns raw mode on and off, and keeps what was typed before it was first on. A pipe has no modes. Node's own raw mode
 * processes output: a bare LF, with which full-screen programs move down, would also return to the first column. And
 * Node would leave it at exit, when another job may have the terminal.
 */
function rawModeOf(keyboard: typeof process.stdin | null, isGuarded: boolean, savedState: string | null) {
  const guard = isGuarded && keyboard ? guardRawMode() : null;
  let early: Buffer | null = null;
  /** How it was before raw mode. */
  let found: string | null = null;
  let isRaw = false;
  return {
    raw(on: boolean): void {
      if (!keyboard || on === isRaw) return;
      if (on) found = (early === null && savedState) || stty('-g');
      const isSet = found !== null && set(on ? RAW : [found]);
      try {
        if (!isSet) keyboard.setRawMode(on);
      } catch {
        // The terminal is gone: there is nothing to put back.
      }
      isRaw = on;
      // At once: keys that come from now on are not echoed here.
      if (on) early ??= typedEarly();
      guard?.changed(on);
    },
    /** Empty in the background, where keys that come later are passed on. */
    early(): Buffer {
      early ??= NOTHING;
      return early;
    },
  };
}

const RAW = ['raw', '-echo', '-iexten'];

/** A signal may end it half way. */
function set(words: readonly string[]): boolean {
  return [1, 2, 3].some(() => stty(...words) !== null);
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

function screen(): WriteStream | null {
  if (isatty(1)) return screenOn(1);
  return isatty(2) ? screenOn(2) : null;
}

/** Node's stream of a terminal, which notices when its size changes. */
export function screenOn(fd: 1 | 2): WriteStream {
  return fd === 1 ? process.stdout : process.stderr;
}

/** Zeros where the terminal has no size. */
export function sizeOf(fd: 1 | 2): PtySize {
  const { columns = 0, rows = 0 } = screenOn(fd);
  return { columns, rows };
}

/** Returns the size of our terminal, zeros where it has none; without a terminal, from the environment. */
export function sizeNow(): PtySize {
  const fd = ([1, 2] as const).find((fd) => isatty(fd));
  if (fd !== undefined) return sizeOf(fd);
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
  const found = stty('-g');
  if (process.platform === 'win32' || found === null) return none;
  try {
    const guard = spawn('/bin/sh', ['-c', SCRIPT, 'sh', found], {
      stdio: ['inherit', 'ignore', 'ignore', 'pipe'],
    });
    const stateWriter = guard.stdio[3] as Writable & { unref(): void };
    for (const part of [guard, stateWriter]) part.on('error', () => {});
    guard.unref();
    stateWriter.unref();
    return { changed: (isRaw) => void stateWriter.write(`${isRaw ? (stty('-g') ?? '') : ''}\n`) };
  } catch {
    return none;
  }
}
