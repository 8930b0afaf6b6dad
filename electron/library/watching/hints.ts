/** Gathers what the watches of a source's folders report: names in a folder about which something may have changed. */
import { basename } from 'node:path';
import { isVague } from '../../reader/disks/entries.ts';
import type { Disk } from '../../workers/disk.ts';
import type { Source } from '../source.ts';
import type { Folder } from './folders.ts';

/** Hints are gathered so long: a thousand a second about one file become twenty looks. */
const GATHER_MS = 50;
/** Delay of the first hint after a pause. Short: an agent deletes the output of a short command within milliseconds. */
const FIRST_MS = 2;
/**
 * After so many hints at once the system's queue (16,384 events on Linux) may have overflowed, which it does not
 * report.
 */
const FLOOD_HINTS = 8000;

interface Hint {
  folder: Folder;
  names: string[];
  /** The folder itself may have been replaced, or have other permissions. */
  isItself: boolean;
}

interface HintsOwner {
  readonly source: Source;
  readonly disk: Disk;
  /** There are hints to take. `isFlood`: others may have been lost. */
  heard(isFlood: boolean): void;
  /** Why folders can't be watched, as a sentence; null when all can. */
  problem(sentence: string | null): void;
}

export class Hints {
  readonly #owner: HintsOwner;
  readonly #names = new Map<Folder, Set<string>>();
  readonly #unwatched = new Set<Folder>();
  #timer: NodeJS.Timeout | null = null;
  #heardAt = 0;
  /** Hints since `heard` was last called. */
  #count = 0;

  constructor(owner: HintsOwner) {
    this.#owner = owner;
  }

  /** True when some folders can't be watched: changes there are found only by looking. */
  get areMissing(): boolean {
    return this.#unwatched.size > 0;
  }

  watch(folder: Folder): void {
    if (folder.watch) return;
    const failed = (error: NodeJS.ErrnoException) => {
      folder.watch = null;
      // A missing or unreadable folder is reported when it is read.
      if (folder.isDropped || !isVague(error)) return;
      this.#unwatched.add(folder);
      this.#owner.problem(watchProblem(this.#owner.source.path, error));
    };
    try {
      folder.watch = this.#owner.disk.watch(folder.path, {
        changed: (name) => this.#hear(folder, name),
        failed,
      });
      this.#settle(folder);
    } catch (error) {
      failed(error as NodeJS.ErrnoException);
    }
  }

  /** Ends the folder's watch and drops its hints. */
  unwatch(folder: Folder): void {
    folder.watch?.close();
    folder.watch = null;
    this.#names.delete(folder);
    this.#settle(folder);
  }

  /** Takes the hints about one folder; undefined when there are none. */
  take(): Hint | undefined {
    for (const [folder, names] of this.#names) {
      this.#names.delete(folder);
      const isItself = names.delete(ITSELF);
      return { folder, names: [...names], isItself };
    }
    return undefined;
  }

  close(): void {
    if (this.#timer) clearTimeout(this.#timer);
  }

  #settle(folder: Folder): void {
    if (this.#unwatched.delete(folder) && !this.areMissing) this.#owner.problem(null);
  }

  #hear(folder: Folder, name: string | null): void {
    const { source } = this.#owner;
    const isOwnName = name === basename(folder.path);
    if (!source.kind.isDirectory && name !== null && name !== basename(source.path)) {
      // The folder of a single file may be gone: the next look at the file watches the one that is there then.
      if (isOwnName) this.unwatch(folder);
      return;
    }
    // In a temporary folder most names are others'.
    if (name !== null && !isOwnName && !this.#mayBelong(folder, name)) return;
    const names = this.#names.get(folder) ?? new Set();
    this.#names.set(folder, names);
    // A folder's watch reports its removal and its permissions under the folder's own name.
    const isItself = name === null || (isOwnName && !folder.files.has(name) && !folder.folders.has(name));
    names.add(isItself ? ITSELF : name);
    this.#count += 1;
    if (this.#timer !== null) return;
    const wait = performance.now() - this.#heardAt < GATHER_MS ? GATHER_MS : FIRST_MS;
    this.#timer = setTimeout(() => {
      this.#timer = null;
      this.#heardAt = performance.now();
      const isFlood = this.#count >= FLOOD_HINTS;
      this.#count = 0;
      this.#owner.heard(isFlood);
    }, wait).unref();
  }

  #mayBelong(folder: Folder, name: string): boolean {
    const { kind } = this.#owner.source;
    if (!kind.isDirectory || folder.files.has(name) || folder.folders.has(name)) return true;
    return kind.includes(folder.names, name, false) || kind.includes(folder.names, name, true);
  }
}

/** No file has this name. */
const ITSELF = '';

/** Says that a folder can't be watched and what to do about it. */
function watchProblem(path: string, { code }: NodeJS.ErrnoException): string {
  const todo =
    code === 'ENOSPC'
      ? 'raise fs.inotify.max_user_watches to see them at once'
      : code === 'EMFILE' || code === 'ENFILE'
        ? 'raise the limit on open files, or fs.inotify.max_user_instances, to see them at once'
        : 'nothing needs to be done';
  return `${path} can't be watched (${code}), so changes appear a few seconds late: ${todo}`;
}
