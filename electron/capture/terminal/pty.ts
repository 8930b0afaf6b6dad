/**
 * A program on a pseudo-terminal: what it writes comes as bytes, whole and in order, up to its last one.
 *
 * The package's own class is used on Windows only. Elsewhere its native part is called directly, because of what is
 * lost otherwise (measured): it decodes what it reads, and it ends with the hang-up, when up to 64 KiB may still be unread.
 */
import { readSync } from 'node:fs';
import { constants as system } from 'node:os';
import { ReadStream } from 'node:tty';
import { loadNativePty, type NativePty } from './load-pty.ts';
import { openWindowsPty } from './pty-windows.ts';

/** In characters. */
export interface PtySize {
  columns: number;
  rows: number;
}

export interface PtyOptions {
  /** Path of the program (see find-command.ts). */
  file: string;
  args: readonly string[];
  cwd: string;
  env: NodeJS.ProcessEnv;
  size: PtySize;
  /** Called with every piece of output, in order; never after `exited` has resolved. */
  onData: (bytes: Buffer) => void;
}

export interface PtyExit {
  /** Null when a signal ended it. */
  exit_code: number | null;
  signal: NodeJS.Signals | null;
}

export interface Pty {
  readonly pid: number;
  /** Where the program's side of it is, such as `/dev/pts/3`; null on Windows. */
  readonly path: string | null;
  /** Resolves once all it has written was handed over. */
  readonly exited: Promise<PtyExit>;
  /** As typed. Does nothing once it has ended. */
  write(bytes: Uint8Array | string): void;
  /** Sizes below 1 are taken as 1. Does nothing once it has ended. */
  resize(size: PtySize): void;
  /** Stops reading: the program waits once the system's buffer is full. What is left at its end comes all the same. */
  pause(): void;
  resume(): void;
  /** To the program alone. */
  kill(signal: NodeJS.Signals): void;
}

/** Throws SpillwayError `unsupported` when the native part cannot be loaded, and what the system throws. */
export function openPty(options: PtyOptions): Pty {
  if (process.platform === 'win32') return openWindowsPty(options);
  return new UnixPty(loadNativePty(), options);
}

const READ_BYTES = 64 * 1024;

class UnixPty implements Pty {
  readonly pid: number;
  readonly path: string;
  readonly exited: Promise<PtyExit>;
  readonly #native: NativePty;
  readonly #fd: number;
  readonly #stream: ReadStream;
  readonly #onData: (bytes: Buffer) => void;
  #open = true;

  constructor(native: NativePty, { file, args, cwd, env, size, onData }: PtyOptions) {
    this.#native = native;
    this.#onData = onData;
    let ended: (exit: PtyExit) => void = () => {};
    this.exited = new Promise((resolve) => {
      ended = resolve;
    });
    const { columns, rows } = atLeastOne(size);
    const child = native.fork(
      ...[file, [...args], pairs(env), cwd, columns, rows, -1, -1, true, native.helper],
      (code: number, signal: number) => {
        this.#close();
        ended(signal === 0 ? { exit_code: code, signal: null } : { exit_code: null, signal: nameOf(signal) });
      },
    );
    this.pid = child.pid;
    this.path = child.pty;
    this.#fd = child.fd;
    this.#stream = new ReadStream(child.fd);
    this.#stream.on('data', onData);
    // The end of the stream is not the end of the output (see above); the program's end is told by `fork`.
    this.#stream.on('end', () => this.#drain());
    this.#stream.on('error', () => {});
  }

  write(bytes: Uint8Array | string): void {
    if (this.#open) this.#stream.write(bytes);
  }

  resize(size: PtySize): void {
    if (!this.#open) return;
    const { columns, rows } = atLeastOne(size);
    try {
      this.#native.resize(this.#fd, columns, rows);
    } catch {
      // It hung up just now.
    }
  }

  pause(): void {
    this.#stream.pause();
  }

  resume(): void {
    if (this.#open) this.#stream.resume();
  }

  kill(signal: NodeJS.Signals): void {
    try {
      if (this.#open) process.kill(this.pid, signal);
    } catch {
      // It has ended already.
    }
  }

  #close(): void {
    // What was read before comes first.
    this.#stream.resume();
    for (let chunk = this.#stream.read() as Buffer | null; chunk; chunk = this.#stream.read()) void chunk;
    this.#drain();
    this.#open = false;
    this.#stream.removeListener('data', this.#onData);
    this.#stream.destroy();
  }

  /** Reads what the system still holds. */
  #drain(): void {
    if (!this.#open || this.#stream.destroyed) return;
    const buffer = Buffer.allocUnsafe(READ_BYTES);
    try {
      for (let count = -1; count !== 0; ) {
        count = readSync(this.#fd, buffer);
        if (count > 0) this.#onData(Buffer.from(buffer.subarray(0, count)));
      }
    } catch {
      // EAGAIN: nothing is left. EIO: it was hung up.
    }
  }
}

function atLeastOne({ columns, rows }: PtySize): PtySize {
  return { columns: whole(columns), rows: whole(rows) };
}

/** Of 16 bits, in the system's structure. */
function whole(value: number): number {
  return Number.isFinite(value) ? Math.min(65_535, Math.max(1, Math.floor(value))) : 1;
}

function pairs(env: NodeJS.ProcessEnv): string[] {
  return Object.entries(env).flatMap(([name, value]) => (value === undefined ? [] : `${name}=${value}`));
}

function nameOf(number: number): NodeJS.Signals | null {
  const found = Object.entries(system.signals).find(([, value]) => value === number);
  return (found?.[0] as NodeJS.Signals | undefined) ?? null;
}
