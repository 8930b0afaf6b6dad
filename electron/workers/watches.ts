/**
 * Watches folders: those of the near disks in the thread that asks, those of another in its thread, as a new watch looks
 * at the folder. Each is watched with Node's `fs.watch`, which reports its files too: ten thousand files need one watch.
 * (chokidar 5 watches every file and lists the folder at each event: with 10,000 files and 1,000 changes a second it
 * kept 1.3 cores busy, this 0.01.)
 */
import { watch } from 'node:fs';
import { pathBytes, pathText } from '../reader/bytes/path-text.ts';

export interface FolderWatch {
  close(): void;
}

export interface FolderHints {
  /** Something about `name` changed; null: anything in the folder may have, or the folder itself. */
  changed(name: string | null): void;
  /** The watch has ended. */
  failed(error: NodeJS.ErrnoException): void;
}

/** Throws what the system throws: `ENOSPC` or `EMFILE` when no watches are left. */
export function watchFolder(path: string, hints: FolderHints): FolderWatch {
  const watcher = watch(pathBytes(path), { persistent: false, encoding: 'buffer' }, (_, name) => {
    hints.changed(name?.length ? pathText(name) : null);
  });
  watcher.on('error', (error) => {
    watcher.close();
    hints.failed(error);
  });
  return watcher;
}

/** From the pool to a thread: watch a folder, or stop. */
export type WatchMessage = { watch: number; path: string } | { unwatch: number };
/** What a watch in a thread reports. */
export type WatchNews = { watched: number } & ({ name: string | null } | { failed: string });

/** The watches that a thread keeps for the pool. */
export class WatchesHere {
  readonly #watches = new Map<number, FolderWatch>();
  readonly #tell: (news: WatchNews) => void;

  constructor(tell: (news: WatchNews) => void) {
    this.#tell = tell;
  }

  take(message: WatchMessage): void {
    if ('unwatch' in message) {
      this.#watches.get(message.unwatch)?.close();
      this.#watches.delete(message.unwatch);
      return;
    }
    const { watch: watched, path } = message;
    const failed = ({ code }: NodeJS.ErrnoException) => this.#tell({ watched, failed: code ?? 'EIO' });
    try {
      const changed = (name: string | null) => this.#tell({ watched, name });
      this.#watches.set(watched, watchFolder(path, { changed, failed }));
    } catch (error) {
      failed(error as NodeJS.ErrnoException);
    }
  }
}

/** The watches that a thread keeps, as the pool sees them. */
export class WatchesThere {
  readonly #hints = new Map<number, FolderHints>();
  readonly #post: (message: WatchMessage) => void;
  #last = 0;

  constructor(post: (message: WatchMessage) => void) {
    this.#post = post;
  }

  begin(path: string, hints: FolderHints): FolderWatch {
    this.#last += 1;
    const watch = this.#last;
    this.#hints.set(watch, hints);
    this.#post({ watch, path });
    return {
      close: () => {
        if (this.#hints.delete(watch)) this.#post({ unwatch: watch });
      },
    };
  }

  take(news: WatchNews): void {
    const hints = this.#hints.get(news.watched);
    if (!('failed' in news)) hints?.changed(news.name);
    else if (this.#hints.delete(news.watched)) hints?.failed(codeOf(news.failed));
  }

  /** The thread waits for its disk, or has died. */
  end(): void {
    const all = [...this.#hints.values()];
    this.#hints.clear();
    for (const { failed } of all) failed(codeOf('EIO'));
  }
}

function codeOf(code: string): NodeJS.ErrnoException {
  return Object.assign(new Error(code), { code });
}
