/**
 * Names this process after the program in the foreground of the recorded terminal. Terminals and multiplexers title
 * their tabs by the process they see, which would be `node`.
 */
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { processStat } from '../../store/processes.ts';

/** At most this often while output comes. */
const LOOK_MS = 200;

export class ProcessName {
  readonly #shell: string;
  #pid: number | null = null;
  #timer: NodeJS.Timeout | null = null;

  /** `command` is the shell, as the person named it. */
  constructor(command: string) {
    this.#shell = basename(command).slice(0, 100);
    process.title = this.#shell;
  }

  /** Follows the terminal that process `pid` leads. */
  follow(pid: number): void {
    this.#pid = pid;
  }

  /** Looks soon: a program that starts or ends prints something, if only a prompt. */
  outputCame(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = null;
      process.title = this.#foreground() ?? this.#shell;
    }, LOOK_MS).unref();
  }

  stop(): void {
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = null;
  }

  /** Null where the system doesn't say, and while the shell is in the foreground. */
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
