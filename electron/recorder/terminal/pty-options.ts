/** Declares a pseudo-terminal, on any system. */
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
  /** Where the program's side of it is, such as `/dev/pts/3`; null on Windows. */
  readonly path: string | null;
  /** Our side of it; null on Windows. */
  readonly master: PtyMaster | null;
  /** Resolves once all it has written was handed over. */
  readonly exited: Promise<CommandExit>;
  /** As typed. Null when it was taken, else resolves once it was; does nothing once the program has ended. */
  write(bytes: Uint8Array | string): Promise<void> | null;
  /** Sizes below 1 are taken as 1. Does nothing once it has ended. */
  resize(size: PtySize): void;
  /** Stops reading: the program waits once the system's buffer is full. Bytes left at its end are still delivered. */
  pause(): void;
  resume(): void;
  /** To the program alone. */
  kill(signal: NodeJS.Signals): void;
}
