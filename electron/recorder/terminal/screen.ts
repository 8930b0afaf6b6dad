/**
 * A terminal that shows what a command prints, on the person's screen, where stdin or stdout leads elsewhere
 * (`make | less`, `echo x | cmd`). The command stays a job of the person's terminal, and reads its keys there: another
 * program of the pipeline may want them, so we don't, unless the command sets this terminal to get keys (screen.ts).
 */
import { spawn, spawnSync } from 'node:child_process';
import { closeSync, constants, openSync } from 'node:fs';
import { isatty, ReadStream } from 'node:tty';
import type { ReadEnd, Taker } from '../streams/read-end.ts';
import { isInBackground } from './foreground.ts';
import { loadNativePty, openTerminal } from './pty.ts';
import { readPtyMaster } from './pty-master.ts';
import { screenOn, sizeOf } from './user-terminal.ts';

export interface Screen {
  /** The command's side. */
  readonly slave: number;
  /** Our side. Children inherit both by mistake. */
  readonly master: number;
  /** Path of the command's side. */
  readonly path: string;
  /** Resolves when it is set like the person's terminal. */
  readonly ready: Promise<void>;
  /** `tells`: it tells when its modes change, between what is read (TIOCPKT). */
  read(take: Taker, tells: boolean): ReadEnd;
  /** Call it once the command has started, so that our side notices its end. */
  closeSlave(): void;
}

/** Opens one like the terminal on our descriptor `fd`. Throws SpillwayError `unsupported`, or the system's error. */
export function openScreen(fd: 1 | 2): Screen {
  const { master, slave, path } = openTerminal(sizeOf(fd));
  const stream = screenOn(fd);
  const onResize = () => {
    const now = sizeOf(fd);
    try {
      loadNativePty().resize(master, now.columns, now.rows);
      // Its job may have been told by the person's terminal before this one had the size.
      process.kill(0, 'SIGWINCH');
    } catch {
      // It has been closed.
    }
  };
  stream.on('resize', onResize);
  return {
    ...{ slave, master, path },
    ready: setLike(slave, fd),
    read(take, tells) {
      const modes = tells ? new ScreenModes({ fd, path, type: (keys) => void end.master.write(keys) }) : null;
      const end = readPtyMaster(master, take, modes?.changed);
      void end.ended.then(() => {
        stream.off('resize', onResize);
        modes?.end();
      });
      return end;
    },
    closeSlave: () => closeSync(slave),
  };
}

/**
 * What it prints is processed once, by the person's terminal; and what is typed, too (EXTPROC): then the system tells
 * when its modes change.
 */
function setLike(slave: number, fd: number): Promise<void> {
  return new Promise((resolve) => {
    const script = 'set -- $(stty -g <&3); stty $1 -opost; stty extproc';
    const child = spawn('/bin/sh', ['-c', script], { stdio: [slave, 'ignore', 'ignore', fd] });
    child.once('error', () => resolve());
    child.once('exit', () => resolve());
  });
}

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

/**
 * Joins a screen's modes (screen.ts) to the person's terminal. A pager whose stdin is a pipe (`ls | less`) sets the
 * terminal of its stdout or stderr to a mode in which it gets single keys, and reads them there. From then on, the
 * person's terminal is in that mode, and its keys are passed on; not before, as they may be meant for another program of
 * the pipeline, such as a password for `sudo cat x | less`.
 */
class ScreenModes {
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
