/**
 * Joins a screen's modes (screen.ts) to the person's terminal. A pager whose stdin is a pipe (`ls | less`) sets the
 * terminal of its stdout or stderr to a mode in which it gets single keys, and reads them there. From then on, the
 * person's terminal is in that mode, and its keys are passed on; not before, as they may be meant for another program of
 * the pipeline, such as a password for `sudo cat x | less`.
 */
import { spawnSync } from 'node:child_process';
import { closeSync, constants, openSync } from 'node:fs';
import { isatty, ReadStream } from 'node:tty';
import { isInBackground } from './foreground.ts';

/** From the system's headers: output is processed; lines, shown, and processed elsewhere. */
const [OPOST, ICANON, ECHO, EXTPROC] = [1, 2, 8, 0x10000];
const [OUTPUT, CONTROL, LOCAL] = [1, 2, 3];

interface Joined {
  /** Our descriptor of the person's terminal. */
  fd: number;
  /** Path of the command's terminal. */
  path: string;
  type(keys: Buffer): void;
}

export class ScreenModes {
  readonly #joined: Joined;
  /** Whether the person's terminal processes output when nobody else does. */
  #processes: number | null = null;
  #keys: ReadStream | null = null;

  constructor(joined: Joined) {
    this.#joined = joined;
    process.on('SIGCONT', this.changed);
  }

  /** Call it when the command's terminal has been set. */
  readonly changed = (): void => {
    const [wanted, found] = [modesOf(this.#joined.path), modesOf(`/proc/self/fd/${this.#joined.fd}`)];
    // Setting it from the background would stop us.
    if (wanted === null || found === null || isInBackground()) return;
    this.#processes ??= found[OUTPUT]! & OPOST;
    // It is processed once.
    const processes = (wanted[OUTPUT]! & OPOST) === 0 ? this.#processes : 0;
    const set = [...wanted];
    set[OUTPUT] = (wanted[OUTPUT]! & ~OPOST) | processes;
    set[CONTROL] = found[CONTROL]!;
    set[LOCAL] = (wanted[LOCAL]! & ~EXTPROC) | (found[LOCAL]! & EXTPROC);
    if (`${set}` !== `${found}`) setModes(this.#joined.fd, set);
    const readsLines = (wanted[LOCAL]! & ICANON) !== 0 && (wanted[LOCAL]! & ECHO) !== 0;
    if (readsLines) this.#leaveKeys();
    else if (!isatty(0)) this.#takeKeys();
  };

  /** The command's terminal is closed. What it has set stays, as without us. */
  end(): void {
    process.off('SIGCONT', this.changed);
    this.#leaveKeys();
  }

  #takeKeys(): void {
    if (this.#keys !== null) return;
    this.#keys = new ReadStream(openTerminalAt(`/proc/self/fd/${this.#joined.fd}`));
    this.#keys.on('data', (keys) => this.#joined.type(keys)).on('error', () => {});
  }

  #leaveKeys(): void {
    this.#keys?.destroy();
    this.#keys = null;
  }
}

function openTerminalAt(path: string): number {
  return openSync(path, constants.O_RDWR | constants.O_NOCTTY | constants.O_NONBLOCK);
}

/** As `stty -g` tells them. Null if it fails. */
function modesOf(path: string): number[] | null {
  let fd: number | null = null;
  try {
    fd = openTerminalAt(path);
    const { status, stdout } = spawnSync('stty', ['-g'], {
      stdio: [fd, 'pipe', 'ignore'],
      encoding: 'latin1',
    });
    return status === 0
      ? stdout
          .trim()
          .split(':')
          .map((word) => Number.parseInt(word, 16))
      : null;
  } catch {
    return null;
  } finally {
    if (fd !== null) closeSync(fd);
  }
}

function setModes(fd: number, modes: readonly number[]): void {
  const words = modes.map((mode) => mode.toString(16)).join(':');
  spawnSync('stty', [words], { stdio: [fd, 'ignore', 'ignore'] });
}
