/**
 * Which paths the running inspector has open, for the other processes of the same home: an id copied from its window
 * works on the command line and for an agent.
 */
import { lstatSync, readFileSync, renameSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { realPath } from '../../reader/bytes/path-text.ts';
import { isAlive, Owner, thisProcess } from '../../store/format/owner.ts';

const Opened = z.object({
  ...Owner.shape,
  // Earlier versions wrote the number alone.
  started: Owner.shape.started.default(null),
  paths: z.array(z.string()).max(10_000),
});

/** Replaced atomically; best effort, since nothing but convenience depends on it. */
export function publishOpened(home: string, paths: readonly string[]): void {
  const path = fileOf(home);
  try {
    const temporary = `${path}.${process.pid}`;
    writeFileSync(temporary, JSON.stringify({ ...thisProcess(), paths }), { mode: 0o600 });
    renameSync(temporary, path);
  } catch {
    // A home that cannot be written to has been reported when it was prepared.
  }
}

export function unpublishOpened(home: string): void {
  try {
    if (readOpened(home)?.pid === process.pid) unlinkSync(fileOf(home));
  } catch {
    // Gone already.
  }
}

/** How often a process that watches looks whether the inspector has opened something. Milliseconds. */
const LOOK_MS = 500;

/** Brings the paths open in the home's inspector into another process's library. */
export class OpenedElsewhere {
  readonly #home: string;
  readonly #add: (path: string) => Promise<unknown>;
  #stamp: string | null = null;
  #count = 0;
  #taking: Promise<number> = Promise.resolve(0);
  #timer: NodeJS.Timeout | null = null;

  /** `add` may be called again with a path that it has had. */
  constructor(home: string, add: (path: string) => Promise<unknown>) {
    this.#home = home;
    this.#add = add;
  }

  /** Rises whenever something was added. */
  get count(): number {
    return this.#count;
  }

  /** Adds newly opened paths and resolves with their `count`. Concurrent calls share the result. */
  take(): Promise<number> {
    this.#taking = this.#taking.then(() => this.#takeNow());
    return this.#taking;
  }

  watch(): void {
    this.#timer ??= setInterval(() => void this.take(), LOOK_MS).unref();
  }

  close(): void {
    if (this.#timer) clearInterval(this.#timer);
  }

  async #takeNow(): Promise<number> {
    const stamp = openedStamp(this.#home);
    if (stamp === null || stamp === this.#stamp) return this.#count;
    this.#stamp = stamp;
    for (const path of openedPaths(this.#home)) {
      await this.#addReal(path).then(
        () => {
          this.#count += 1;
        },
        () => {
          // Not there just now: it is tried again.
          this.#stamp = null;
        },
      );
    }
    return this.#count;
  }

  /** Published paths are resolved; a link that replaced one since is not followed. */
  async #addReal(path: string): Promise<void> {
    if ((await realPath(path)) !== path) throw new Error('a link');
    await this.#add(path);
  }
}

/**
 * The published paths, while their process lives on this machine and in this container: elsewhere they name other
 * files.
 */
function openedPaths(home: string): string[] {
  const opened = readOpened(home);
  return opened && isAlive(opened, () => 0) ? opened.paths : [];
}

/** Changes whenever the published paths do; null when there are none. */
function openedStamp(home: string): string | null {
  try {
    const { mtimeNs, ctimeNs, ino, size } = lstatSync(fileOf(home), { bigint: true });
    return [mtimeNs, ctimeNs, ino, size].join('/');
  } catch {
    return null;
  }
}

function readOpened(home: string): z.infer<typeof Opened> | null {
  try {
    return Opened.parse(JSON.parse(readFileSync(fileOf(home), 'utf8')));
  } catch {
    return null;
  }
}

function fileOf(home: string): string {
  return join(home, 'run', 'opened.json');
}
