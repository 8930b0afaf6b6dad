/**
 * Stores warnings about growing files and full disks in `run/warnings-<pid>.json`, for the processes that serve agents.
 * Only this process writes the file, and removes it at its end.
 */
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { replaceFile } from '../../store/format/small-file.ts';
import { entryNames } from '../../store/format/walk.ts';
import { isProcessAlive } from '../../store/processes.ts';

/** Older warnings are not passed on. */
const KEPT_MS = 10 * 60_000;
const MAX_WARNINGS = 20;

const Warning = z.object({
  /** Subject of the warning, such as a path. */
  about: z.string(),
  /** Milliseconds since 1970. */
  at: z.number(),
  /** The warning, without the names of files that agents may not read. */
  text: z.string(),
});
type Warning = z.infer<typeof Warning>;

const Book = z.object({ version: z.literal(1), warnings: z.array(Warning) });
const NAME = /^warnings-(\d+)\.json$/;

export class Warnings {
  readonly #home: string;
  readonly #file: string;
  #warnings: Warning[] = [];

  constructor(home: string) {
    this.#home = home;
    this.#file = join(home, 'run', `warnings-${process.pid}.json`);
  }

  /** Returns false if another process of the home has just given the warning. */
  note(warning: Warning): boolean {
    const isKnown = readWarnings(this.#home, warning.at - KEPT_MS).some(
      ({ about, pid }) => about === warning.about && pid !== process.pid,
    );
    if (isKnown) return false;
    this.#warnings = [...this.#warnings, warning].slice(-MAX_WARNINGS);
    try {
      mkdirSync(join(this.#home, 'run'), { recursive: true, mode: 0o700 });
      replaceFile(this.#file, JSON.stringify({ version: 1, warnings: this.#warnings }));
    } catch {
      // The window already shows it.
    }
    return true;
  }

  close(): void {
    rmSync(this.#file, { force: true });
  }
}

/** Returns the warnings of all processes of the home since a time, newest last. */
export function readWarnings(home: string, afterMs: number, now = Date.now()): (Warning & { pid: number })[] {
  const run = join(home, 'run');
  const oldest = Math.max(afterMs, now - KEPT_MS);
  return entryNames(run)
    .flatMap((name) => {
      const pid = Number(NAME.exec(name)?.[1]);
      if (!(pid > 0) || !isProcessAlive(pid)) return [];
      return booked(join(run, name)).map((warning) => ({ ...warning, pid }));
    })
    .filter(({ at }) => at > oldest)
    .sort((a, b) => a.at - b.at);
}

function booked(path: string): Warning[] {
  try {
    return Book.parse(JSON.parse(readFileSync(path, 'utf8'))).warnings;
  } catch {
    return [];
  }
}
