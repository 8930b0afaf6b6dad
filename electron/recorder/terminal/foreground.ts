/** Tells which of a terminal's jobs is in the foreground. */
import { closeSync, constants, openSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { processStat } from '../../store/format/owner.ts';

/**
 * True when a terminal's keys reach us and our whole process group. A command then stays in our group, so that it
 * can read that terminal and gets the terminal's signals directly.
 */
export function isInForeground(): boolean {
  return hasTerminal() && isForegroundGroup();
}

/**
 * Whether another job has the terminal. A terminal without job control, such as a container's console, is in everyone's
 * foreground.
 */
export function isInBackground(): boolean {
  return hasTerminal() && !isForegroundGroup();
}

/** Whether a terminal controls our job. */
function hasTerminal(): boolean {
  if (process.platform === 'win32') return false;
  try {
    closeSync(openSync('/dev/tty', constants.O_RDONLY | constants.O_NOCTTY | constants.O_NONBLOCK));
    return true;
  } catch {
    return false;
  }
}

function isForegroundGroup(): boolean {
  const stat = processStat('self');
  return stat === null || stat.group === stat.foreground;
}

/** Delay of a check after output. */
const CHECK_MS = 200;
/** Delay of the next check, repeated while a program is in the foreground: it may start others without output. */
const CHECK_AGAIN_MS = 1000;

/**
 * Names this process after the foreground program of the recorded terminal. Terminals and multiplexers title their tabs
 * by the process they see, which would be `node`.
 */
export class ProcessName {
  readonly #shell: string;
  #pid: number | null = null;
  #timer: NodeJS.Timeout | null = null;
  /** Whether the timer runs because of output. */
  #isSoon = false;

  /** `command`: the shell, as the person named it. */
  constructor(command: string) {
    this.#shell = basename(command).slice(0, 100);
    process.title = this.#shell;
  }

  /** Follows the terminal that process `pid` leads. */
  follow(pid: number): void {
    this.#pid = pid;
  }

  /** Looks soon, as a program that starts or ends causes output, if only an echo or a prompt. */
  outputCame(): void {
    if (this.#isSoon) return;
    this.#isSoon = true;
    this.#checkIn(CHECK_MS, true);
  }

  stop(): void {
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = null;
  }

  #checkIn(ms: number, again: boolean): void {
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.#timer = null;
      this.#isSoon = false;
      const program = this.#foreground();
      process.title = program ?? this.#shell;
      if (again || program !== null) this.#checkIn(CHECK_AGAIN_MS, false);
    }, ms).unref();
  }

  /** Null if the system doesn't say, and while the shell is in the foreground. */
  #foreground(): string | null {
    const group = this.#pid === null ? undefined : processStat(this.#pid)?.foreground;
    if (group === undefined || group <= 0 || group === this.#pid) return null;
    try {
      const [name = ''] = readFileSync(`/proc/${group}/cmdline`, 'utf8').split('\0', 1);
      return basename(name) || null;
    } catch {
      return null;
    }
  }
}
