/** Declares a pseudo-terminal on any system. */
import type { CommandExit } from '../command/exit.ts';
import type { PtyMaster } from './pty-master.ts';

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
