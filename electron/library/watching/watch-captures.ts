/**
 * Keeps the captures up to date. chokidar reports session folders, and a watch on each folder its records. Running
 * captures are polled, since each write would be an event. Everything is looked at again every few seconds, because
 * events get lost.
 */

import { basename, join } from 'node:path';
import { type FSWatcher, watch as watchSessions } from 'chokidar';
import { CAPTURES_FOLDER, RECORD_SUFFIX, SANDBOXES_FOLDER } from '../../../shared/artifact-names.ts';
import type { Captures } from '../../store/captures.ts';
import { idOfRecordFile } from '../../store/format/names.ts';
import { isFolder } from '../../store/format/places.ts';
import { type FolderWatch, watchFolder } from '../../workers/watches.ts';

/** Interval between looks at running captures. */
const RUNNING_MS = 250;
/** Pause between looks at everything; longer when every folder is watched. */
const CHECK_MS = 500;
const WATCHED_CHECK_MS = 5000;
/** How long events are gathered. */
const GATHER_MS = 30;

export interface CapturesWatch {
  close(): void;
}

export function watchCaptures(captures: Captures): CapturesWatch {
  return new Watch(captures);
}

class Watch implements CapturesWatch {
  readonly #captures: Captures;
  readonly #watches = new Map<string, FolderWatch | null>();
  /** Ids of changed records by session folder; null: any may have changed. */
  readonly #hints = new Map<string, Set<string> | null>();
  readonly #running: NodeJS.Timeout;
  readonly #sessions: readonly FSWatcher[];
  #gather: NodeJS.Timeout | null = null;
  #next: NodeJS.Timeout | null = null;
  #closed = false;

  constructor(captures: Captures) {
    this.#captures = captures;
    this.#running = setInterval(() => captures.refreshRunning(), RUNNING_MS).unref();
    // Also reports the folders of all captures, which may not exist yet.
    const changed = () => this.#hint(captures.home, null);
    const watched = [
      { path: join(captures.home, CAPTURES_FOLDER), depth: 0 },
      { path: join(captures.home, SANDBOXES_FOLDER), depth: 1 },
    ];
    this.#sessions = watched.map(({ path, depth }) =>
      watchSessions(path, { depth, ignoreInitial: true, followSymlinks: false })
        .on('ready', changed)
        .on('all', changed)
        .on('error', () => {
          // The next look at everything finds what the watch missed.
        }),
    );
    void this.#checkAll();
  }

  close(): void {
    this.#closed = true;
    for (const watch of this.#sessions) void watch.close();
    clearInterval(this.#running);
    if (this.#gather) clearTimeout(this.#gather);
    if (this.#next) clearTimeout(this.#next);
    for (const watch of this.#watches.values()) watch?.close();
    this.#watches.clear();
  }

  async #checkAll(): Promise<void> {
    // Watch before looking, so changes meanwhile are reported.
    this.#watchAll();
    await this.#captures.refresh();
    if (this.#closed) return;
    this.#watchAll();
    const watched = this.#captures.sessionFolders.every((folder) => this.#watches.get(folder));
    this.#next = setTimeout(() => void this.#checkAll(), watched ? WATCHED_CHECK_MS : CHECK_MS).unref();
  }

  #watchAll(): void {
    const { sessionFolders } = this.#captures;
    for (const folder of sessionFolders) {
      if (this.#watches.get(folder) || !isFolder(folder)) continue;
      this.#watches.set(folder, this.#watch(folder));
    }
    for (const [folder, watch] of this.#watches) {
      if (sessionFolders.includes(folder)) continue;
      watch?.close();
      this.#watches.delete(folder);
    }
  }

  /** Null when the system has no watch left: then `#checkAll` runs more often. */
  #watch(folder: string): FolderWatch | null {
    try {
      return watchFolder(folder, {
        changed: (name) => {
          if (name === null) this.#hint(folder, null);
          else if (/\.(meta\.json|pin|name|gz)$/.test(name)) this.#hint(folder, name);
        },
        failed: () => this.#watches.set(folder, null),
      });
    } catch {
      return null;
    }
  }

  #hint(folder: string, name: string | null): void {
    const id = name === null ? null : idOf(name);
    const known = this.#hints.get(folder);
    if (id === null) this.#hints.set(folder, null);
    else if (known === undefined) this.#hints.set(folder, new Set([id]));
    else known?.add(id);
    this.#gather ??= setTimeout(() => {
      this.#gather = null;
      void this.#take();
    }, GATHER_MS);
  }

  async #take(): Promise<void> {
    const hints = [...this.#hints];
    this.#hints.clear();
    for (const [folder, ids] of hints) {
      if (this.#closed) return;
      if (folder === this.#captures.home) {
        await this.#captures.refresh();
        this.#watchAll();
      } else if (ids === null) await this.#captures.readSession(folder);
      else for (const id of ids) this.#captures.load(folder, id);
    }
  }
}

/** Returns the id in the name of a record, a pin or a terminal's name; null for other names. */
function idOf(name: string): string | null {
  const file = basename(name);
  return idOfRecordFile(file.replace(/\.(pin|name)$/, RECORD_SUFFIX));
}
