/**
 * Stores warnings about growing files and full disks in `run/warnings-<pid>.json`, for the processes that serve agents.
 * Only this process writes the file, and removes it at its end.
 */
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { clipText } from '../../../shared/text/clip.ts';
import { isAlive, Owner, thisProcess } from '../../store/format/owner.ts';
import { readOwn, replaceFile } from '../../store/format/small-file.ts';
import { entryNames } from '../../store/format/walk.ts';

/** Older warnings are not passed on. */
const KEPT_MS = 10 * 60_000;
const MAX_WARNINGS = 20;
/** Two warnings about one thing within this time are one. */
const SAME_MS = 10_000;
/** Limits on what is believed of another process's file: agents get the text. */
const MAX_TEXT_CHARS = 500;
const MAX_ABOUT_CHARS = 8192;
const MAX_BOOK_BYTES = 256 * 1024;

const Warning = z.object({
  /** Subject of the warning, such as a path. */
  about: z.string().max(MAX_ABOUT_CHARS),
  /** Milliseconds since 1970. */
  at: z.number(),
  /** The warning, without the names of files that agents may not read. */
  text: z.string().max(MAX_TEXT_CHARS),
});
type Warning = z.infer<typeof Warning>;

const Book = z.object({
  version: z.literal(1),
  owner: Owner,
  warnings: z.array(Warning).max(MAX_WARNINGS),
});
const NAME = /^warnings-(\d+)\.json$/;

export class Warnings {
  readonly #home: string;
  readonly #file: string;
  readonly #owner = thisProcess();
  #warnings: Warning[] = [];

  constructor(home: string) {
    this.#home = home;
    this.#file = join(home, 'run', `warnings-${process.pid}.json`);
  }

  /** Returns false if another process of the home has just given the warning. */
  note({ about, at, text }: Warning): boolean {
    const warning = { about: about.slice(0, MAX_ABOUT_CHARS), at, text: clipText(text, MAX_TEXT_CHARS).text };
    const isKnown = readWarnings(this.#home, warning.at - KEPT_MS).some(
      (known) => known.about === warning.about && known.pid !== process.pid,
    );
    if (isKnown) return false;
    this.#warnings = [...this.#warnings, warning].slice(-MAX_WARNINGS);
    try {
      mkdirSync(join(this.#home, 'run'), { recursive: true, mode: 0o700 });
      replaceFile(this.#file, JSON.stringify({ version: 1, owner: this.#owner, warnings: this.#warnings }));
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
      return pid > 0 ? booked(join(run, name), pid).map((warning) => ({ ...warning, pid })) : [];
    })
    .sort((a, b) => a.at - b.at)
    .filter((warning, index, all) => !all.slice(0, index).some((known) => isSame(known, warning)))
    .filter(({ at }) => at > oldest && at <= now);
}

/** Two processes may warn of one thing at the same moment. */
function isSame(known: Warning & { pid: number }, { about, at, pid }: Warning & { pid: number }): boolean {
  return known.about === about && known.pid !== pid && at - known.at < SAME_MS;
}

/** Returns no warnings of a file that another process with the same id left. */
function booked(path: string, pid: number): Warning[] {
  try {
    const { owner, warnings } = Book.parse(JSON.parse(readOwn(path, MAX_BOOK_BYTES) ?? ''));
    return owner.pid === pid && isAlive(owner, () => 0) ? warnings : [];
  } catch {
    return [];
  }
}
