/** Loads the native part of node-pty on first use, as most commands never need it. */
import { join } from 'node:path';
import { SpillwayError } from '../../../shared/errors.ts';

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
export function loadNodePty(): typeof import('@lydell/node-pty') {
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
