/** What the watches of a source's folders tell: names about which something may have changed, gathered for a moment. */
import { basename } from 'node:path';
import type { Source } from '../sources/source.ts';
import type { Folder } from './folder.ts';
import { watchFolder, watchProblem } from './folder-watch.ts';
import { isVague } from './look.ts';

/** Of a thousand hints a second about one file, twenty looks remain. Milliseconds. */
const GATHER_MS = 50;
/** So many in one go, and the system's queue (16,384 events on Linux) may have been full, which nobody tells. */
const FLOOD = 8000;

export interface Hint {
  folder: Folder;
  names: string[];
  /** The folder itself may be another, or have other permissions. */
  isItself: boolean;
}

export interface HintsOwner {
  readonly source: Source;
  /** There are hints to be taken. `isFlood`: others may have been lost. */
  heard(isFlood: boolean): void;
  /** That folders can't be watched, in a sentence; null when all can. */
  problem(sentence: string | null): void;
}

export class Hints {
  readonly #owner: HintsOwner;
  readonly #names = new Map<Folder, Set<string>>();
  readonly #unwatched = new Set<Folder>();
  #timer: NodeJS.Timeout | null = null;
  /** Since the last were told. */
  #count = 0;

  constructor(owner: HintsOwner) {
    this.#owner = owner;
  }

  /** Folders could not be watched: only looking at them tells of changes there. */
  get areMissing(): boolean {
    return this.#unwatched.size > 0;
  }

  watch(folder: Folder): void {
    if (folder.watch) return;
    const failed = (error: NodeJS.ErrnoException) => {
      folder.watch = null;
      // Gone or closed to us: that is found out, and said, when it is read.
      if (folder.isDropped || !isVague(error)) return;
      this.#unwatched.add(folder);
      this.#owner.problem(watchProblem(this.#owner.source.path, error));
    };
    try {
      folder.watch = watchFolder(folder.path, { changed: (name) => this.#hear(folder, name), failed });
      this.#settle(folder);
    } catch (error) {
      failed(error as NodeJS.ErrnoException);
    }
  }

  /** Nothing more is heard of the folder. */
  unwatch(folder: Folder): void {
    folder.watch?.close();
    folder.watch = null;
    this.#names.delete(folder);
    this.#settle(folder);
  }

  /** What was heard of one folder; what is heard from now on is told again. */
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
    if (!source.isDirectory && name !== null && name !== basename(source.path)) {
      // The folder of a single file is gone, perhaps: the next look at the file watches what is there then.
      if (isOwnName) this.unwatch(folder);
      return;
    }
    const names = this.#names.get(folder) ?? new Set();
    this.#names.set(folder, names);
    // A folder tells of its own end, and of its permissions, under its own name.
    const isItself = name === null || (isOwnName && !folder.files.has(name) && !folder.folders.has(name));
    names.add(isItself ? ITSELF : name);
    this.#count += 1;
    this.#timer ??= setTimeout(() => {
      this.#timer = null;
      const isFlood = this.#count >= FLOOD;
      this.#count = 0;
      this.#owner.heard(isFlood);
    }, GATHER_MS).unref();
  }
}

/** No file has this name. */
const ITSELF = '';
