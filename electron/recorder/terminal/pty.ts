/**
 * A program on a pseudo-terminal. Delivers every byte it writes, in order.
 *
 * The package's own class is used on Windows only: it decodes the output and stops reading too early, so bytes were
 * lost (measured). Elsewhere its native part is called directly (see pty-master.ts).
 */

import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { isatty } from 'node:tty';
import { SpillwayError } from '../../../shared/errors.ts';
import { type CommandExit, killedBy } from '../command/command-handle.ts';
import { PtyMaster } from './pty-master.ts';

/**
 * Throws SpillwayError `unsupported` when the native part can't be loaded or the system has run out of
 * pseudo-terminals.
 */
export function openPty(options: PtyOptions): Pty {
  if (process.platform === 'win32') return openWindowsPty(options);
  const { file, args, cwd, env, size, onData } = options;
  const native = loadNativePty();
  const { columns, rows } = in16Bits(size);
  let hasExited: (exit: CommandExit) => void = () => {};
  const exited = new Promise<CommandExit>((resolve) => {
    hasExited = resolve;
  });
  const { pid, fd, pty } = orUnsupported(() =>
    native.fork(
      ...[file, [...args], pairs(env), cwd, columns, rows, -1, -1, true, native.helper],
      (code: number, signal: number) =>
        hasExited(signal === 0 ? { exitCode: code, signal: null } : killedBy(signal)),
    ),
  );
  return new UnixPty({ pid, fd, path: pty, exited }, onData);
}

/** Opens one. Neither side blocks, and children inherit both by mistake. Throws SpillwayError `unsupported`. */
export function openTerminal(size: PtySize): { master: number; slave: number; path: string } {
  const { columns, rows } = in16Bits(size);
  const { pty: path, ...sides } = orUnsupported(() => loadNativePty().open(columns, rows));
  return { ...sides, path };
}

/** A program on a pseudo-terminal. */
interface OnPty {
  pid: number;
  /** Our side. */
  fd: number;
  /** The path of the program's side. */
  path: string;
  exited: Promise<CommandExit>;
}

export class UnixPty implements Pty {
  readonly pid: number;
  readonly path: string;
  readonly master: PtyMaster;
  readonly exited: Promise<CommandExit>;
  #hasEnded = false;

  constructor({ pid, fd, path, exited }: OnPty, onData: PtyOptions['onData']) {
    this.pid = pid;
    this.path = path;
    this.master = new PtyMaster(fd, onData);
    this.exited = exited.then((exit) => {
      this.#hasEnded = true;
      this.master.drain();
      this.master.close();
      return exit;
    });
  }

  write(bytes: Uint8Array | string): Promise<void> | null {
    return this.master.write(bytes);
  }

  resize(size: PtySize): void {
    if (!this.master.isOpen) return;
    const { columns, rows } = in16Bits(size);
    try {
      loadNativePty().resize(this.master.fd, columns, rows);
    } catch {
      // It has just hung up.
    }
  }

  pause(): void {
    this.master.pause();
  }

  resume(): void {
    this.master.resume();
  }

  kill(signal: NodeJS.Signals): void {
    try {
      if (!this.#hasEnded) process.kill(this.pid, signal);
    } catch {
      // It has already ended.
    }
  }
}

/** Turns the native part's error, which does not say why, into ours. */
function orUnsupported<T>(open: () => T): T {
  try {
    return open();
  } catch (error) {
    throw new SpillwayError(
      'unsupported',
      `no pseudo-terminal could be opened (${(error as Error).message.replace(/\.$/, '')})`,
      'close some terminals, or use spillway run --no-pty',
    );
  }
}

/** As in the system's structure. */
function in16Bits({ columns, rows }: PtySize): PtySize {
  return { columns: whole(columns), rows: whole(rows) };
}

function whole(value: number): number {
  return Number.isFinite(value) ? Math.min(65_535, Math.max(0, Math.floor(value))) : 0;
}

function pairs(env: NodeJS.ProcessEnv): string[] {
  return Object.entries(env).flatMap(([name, value]) => (value === undefined ? [] : `${name}=${value}`));
}

/** A program on Windows' pseudo-console, through node-pty's public interface. */
function openWindowsPty({ file, args, cwd, env, size, onData }: PtyOptions): Pty {
  const pty = loadNodePty().spawn(file, [...args], {
    cwd,
    env,
    cols: Math.max(1, size.columns),
    rows: Math.max(1, size.rows),
  });
  let open = true;
  // The console gives text in UTF-8, and the package whole characters of it.
  pty.onData((text) => onData(Buffer.from(text)));
  const exited = new Promise<CommandExit>((resolve) => {
    pty.onExit(({ exitCode }) => {
      open = false;
      resolve({ exitCode, signal: null });
    });
  });
  return {
    pid: pty.pid,
    path: null,
    master: null,
    exited,
    write: (bytes) => {
      if (open) pty.write(typeof bytes === 'string' ? bytes : Buffer.from(bytes).toString());
      return null;
    },
    resize: ({ columns, rows }: PtySize) => {
      if (open) pty.resize(Math.max(1, columns), Math.max(1, rows));
    },
    pause: () => pty.pause(),
    resume: () => pty.resume(),
    kill: () => {
      if (open) pty.kill();
    },
  };
}

// Loads the native part of node-pty on first use, as most commands never need it.

/** The calls of node-pty's native module that are used here (its src/unix/pty.cc). */
interface NativePty {
  fork(
    file: string,
    args: string[],
    env: string[],
    cwd: string,
    columns: number,
    rows: number,
    /** -1 keeps the current user and group. */
    uid: number,
    gid: number,
    /** The line discipline erases whole characters. */
    utf8: boolean,
    helper: string,
    onExit: (code: number, signal: number) => void,
  ): { fd: number; pid: number; pty: string };
  /**
   * Opens a pseudo-terminal with the system's default modes. Both ends are non-blocking; starting a program closes
   * neither.
   */
  open(columns: number, rows: number): { master: number; slave: number; pty: string };
  resize(fd: number, columns: number, rows: number): void;
  /** macOS starts the program through this. */
  readonly helper: string;
}

let loaded: NativePty | undefined;

/** Throws SpillwayError `unsupported`. */
export function loadNativePty(platform: string = process.platform, arch: string = process.arch): NativePty {
  loaded ??= load(`@lydell/node-pty-${platform}-${arch}`, platform);
  return loaded;
}

/** Loads the package's public interface. Throws SpillwayError `unsupported`. */
function loadNodePty(): typeof import('@lydell/node-pty') {
  try {
    return requireHere()('@lydell/node-pty') as typeof import('@lydell/node-pty');
  } catch (error) {
    throw unsupported(error);
  }
}

function load(name: string, platform: string): NativePty {
  try {
    const require = requireHere();
    const file = require.resolve(`${name}/pty.node`);
    const helper = platform === 'darwin' ? join(file, '..', 'spawn-helper') : '';
    return { ...(require(file) as Pick<NativePty, 'fork' | 'open' | 'resize'>), helper };
  } catch (error) {
    throw unsupported(error);
  }
}

/** Node takes 1 ms to load its module for this. */
function requireHere(): NodeJS.Require {
  return process.getBuiltinModule('node:module').createRequire(import.meta.url);
}

function unsupported(error: unknown): SpillwayError {
  const { code, message } = error as NodeJS.ErrnoException;
  const cause = code === 'MODULE_NOT_FOUND' ? 'its native part is not installed' : message.split('\n', 1)[0];
  return new SpillwayError(
    'unsupported',
    `terminals do not work here (${cause})`,
    `install Spillway with its optional packages, for ${process.platform} on ${process.arch}, or use spillway run --no-pty`,
  );
}

// Declares a pseudo-terminal on any system.

/** In characters. */
export interface PtySize {
  columns: number;
  rows: number;
}

interface PtyOptions {
  /** Path of the program (see find-command.ts). */
  file: string;
  args: readonly string[];
  cwd: string;
  env: NodeJS.ProcessEnv;
  size: PtySize;
  /** Called with every piece of output, in order; never after `exited` has resolved. */
  onData: (bytes: Buffer) => void;
}

export interface Pty {
  readonly pid: number;
  /** Path of the program's side, such as `/dev/pts/3`; null on Windows. */
  readonly path: string | null;
  /** Our side; null on Windows. */
  readonly master: PtyMaster | null;
  /** Resolves once all its output was handed over. */
  readonly exited: Promise<CommandExit>;
  /**
   * Types the keys. Returns null if they were taken, else a promise that resolves once they are. Does nothing after the
   * end.
   */
  write(bytes: Uint8Array | string): Promise<void> | null;
  /** Does nothing after the end. */
  resize(size: PtySize): void;
  /** Stops reading: the program waits once the system's buffer is full. Bytes left at its end are still delivered. */
  pause(): void;
  resume(): void;
  /** Signals the program alone. */
  kill(signal: NodeJS.Signals): void;
}

/** Reads a terminal's settings (`stty`), so that a command's terminal can have the same; and ends its input. */
export interface LineSettings {
  /** In the form of `stty -g`: hexadecimal numbers separated by colons (perl.ts). */
  words: string;
  /** The keys for interrupt and quit; null if unset. */
  interrupt: number | null;
  quit: number | null;
  /** Ends the input. */
  endOfFile: number | null;
  /** Whether it shows what is typed. */
  echoes: boolean;
}

/** From the system's headers: input is line by line, and shown. */
const ICANON = 2;
const ECHO = 8;

/**
 * Returns the line settings of the terminal on stdin, before raw mode. Null while another program has it in raw
 * mode, as a shell does while it reads a line, and for an unknown format.
 */
export function lineSettings(): LineSettings | null {
  if (process.platform !== 'linux' || !isatty(0)) return null;
  const words = stty('-g');
  if (words === null || !/^[\da-f]+(:[\da-f]+){20,}$/.test(words)) return null;
  const [, , , local = 0, interrupt, quit, , , endOfFile] = words
    .split(':')
    .map((word) => Number.parseInt(word, 16));
  if ((local & ICANON) === 0) return null;
  const keys = { interrupt: interrupt || null, quit: quit || null, endOfFile: endOfFile || null };
  return { words, ...keys, echoes: (local & ECHO) !== 0 };
}

/** Changes the settings of the terminal on stdin, or returns them (`-g`). Returns null on failure. */
export function stty(...words: string[]): string | null {
  const { status, stdout } = spawnSync('stty', words, {
    stdio: ['inherit', 'pipe', 'ignore'],
    encoding: 'latin1',
  });
  return status === 0 ? stdout.trim() : null;
}

const END_OF_INPUT = '\x04';
/** Pauses between them; the last one repeats. */
const PAUSES_MS = [0, 100, 200, 400, 1000];

/**
 * Types Ctrl-D repeatedly: one may end only the current line, and a program that is busy or changes its terminal's
 * modes may miss it. Returns a function that stops it.
 */
export function endInput(write: (key: string) => void): () => void {
  let timer: NodeJS.Timeout | null = null;
  const next = (times: number) => {
    timer = setTimeout(
      () => {
        write(END_OF_INPUT);
        next(times + 1);
      },
      PAUSES_MS[Math.min(times, PAUSES_MS.length - 1)],
    ).unref();
  };
  next(0);
  return () => {
    if (timer) clearTimeout(timer);
  };
}
