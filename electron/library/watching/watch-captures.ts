/**
 * Keeps the captures up with the disk. chokidar tells of session folders, watches of their own of the records in them; what
 * running ones have printed is asked for, since each write would be an event; and all is looked at again every few
 * seconds, because events get lost.
 */
import { basename } from 'node:path';
import { type FSWatcher, watch as watchSessions } from 'chokidar';
import type { Captures } from '../../store/captures.ts';
import { idOfRecordFile } from '../../store/format/names.ts';
import { isFolder } from '../../store/format/walk.ts';
import { type FolderWatch, watchFolder } from './folder-watch.ts';

/** Between looks at what is running. */
const RUNNING_MS = 250;
/** Between looks at everything: less often when all of it is watched. */
const LOOK_MS = 500;
const WATCHED_LOOK_MS = 5000;
/** Events are gathered so long. */
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
  /** Records that changed, by their session's folder; null: anything may have. */
  readonly #hints = new Map<string, Set<string> | null>();
  readonly #running: NodeJS.Timeout;
  readonly #sessions: FSWatcher;
  #gather: NodeJS.Timeout | null = null;
  #next: NodeJS.Timeout | null = null;
  #closed = false;

  constructor(captures: Captures) {
    this.#captures = captures;
    this.#running = setInterval(() => captures.lookAtRunning(), RUNNING_MS).unref();
    // Also of the folder of all captures itself, which may not be there yet.
    const changed = () => this.#hint(captures.folder, null);
    this.#sessions = watchSessions(captures.folder, { depth: 0, ignoreInitial: true, followSymlinks: false })
      .on('ready', changed)
      .on('all', changed)
      .on('error', () => {
        // The next look at everything finds what it would have told.
      });
    void this.#lookAtAll();
  }

  close(): void {
    this.#closed = true;
    void this.#sessions.close();
    clearInterval(this.#running);
    if (this.#gather) clearTimeout(this.#gather);
    if (this.#next) clearTimeout(this.#next);
    for (const watch of this.#watches.values()) watch?.close();
    this.#watches.clear();
  }

  async #lookAtAll(): Promise<void> {
    // Before the look: what comes while it is under way is told by the watches.
    this.#watchAll();
    await this.#captures.refresh();
    if (this.#closed) return;
    this.#watchAll();
    const watched = this.#captures.sessionFolders.every((folder) => this.#watches.get(folder));
    this.#next = setTimeout(() => void this.#lookAtAll(), watched ? WATCHED_LOOK_MS : LOOK_MS).unref();
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

  /** Null where the system has no watch left: then it is looked at more often. */
  #watch(folder: string): FolderWatch | null {
    try {
      return watchFolder(folder, {
        changed: (name) => {
          if (name === null) this.#hint(folder, null);
          else if (/\.(meta\.json|pin|gz)$/.test(name)) this.#hint(folder, name);
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
      if (folder === this.#captures.folder) {
        await this.#captures.refresh();
        this.#watchAll();
      } else if (ids === null) await this.#captures.lookAtSession(folder);
      else for (const id of ids) this.#captures.look(folder, id);
    }
  }
}

/** Of a record or a pin; null where the name does not tell. */
function idOf(name: string): string | null {
  const file = basename(name);
  return idOfRecordFile(file.endsWith('.pin') ? `${file.slice(0, -4)}.meta.json` : file);
}
