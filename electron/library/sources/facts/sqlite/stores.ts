/**
 * Caches the newest rows of some tables in agents' SQLite databases, and reads them again when the files change. Works
 * in slices, reads a bounded amount, and leaves no files in the owner's folder.
 */
import { setImmediate as turn } from 'node:timers/promises';
import { lstatOrNull, takeTurns } from '../../../../store/format/walk.ts';
import { Pages } from './pages.ts';
import { rows, tableNamed, type Value } from './rows.ts';

/** Rows taken of a table, and bytes of the files read, at one look. */
const MAX_ROWS = 2000;
const MAX_BYTES = 64 * 1024 * 1024;
/** A longer row is skipped. */
const MAX_ROW_BYTES = 4 * 1024 * 1024;
/** Rows that were taken before and are read again: a command's end changes its row. */
const AGAIN_ROWS = 500;
const MAX_STORES = 8;
/** Don't look at the same files again within this time. */
const FRESH_MS = 500;

export interface StoreReader<T> {
  /** Returns the facts of a database that has not been read yet. */
  empty(): T;
  readonly tables: readonly TableReader<T>[];
}

interface TableReader<T> {
  readonly name: string;
  /** Rows that don't have this text in their first hundreds of bytes are skipped. */
  readonly mark: string;
  /** Called with the newest row first; again when it may have changed. */
  take(row: ReadonlyMap<string, Value>, told: T): void;
}

interface Store {
  told: unknown;
  stamp: string;
  lookedAt: number;
  /** By table: the highest number of a row. */
  readonly newest: Map<string, number>;
  reading: Promise<void>;
}

export class Stores {
  readonly #stores = new Map<string, Store>();

  /** Resolves with what the database tells; what it told before, if it can't be read now; null without one. */
  async read<T>(path: string, reader: StoreReader<T>): Promise<T | null> {
    const stamp = stampOf(path);
    if (stamp === null) return null;
    const store = this.#stores.get(path) ?? fresh(reader.empty());
    keep(this.#stores, path, store);
    if (store.stamp !== stamp && Date.now() - store.lookedAt >= FRESH_MS) {
      store.lookedAt = Date.now();
      store.reading = store.reading
        .then(() => update(path, store, reader))
        .then(
          () => {
            store.stamp = stamp;
          },
          // It has another version, or changed while it was read: the next look tries again.
          () => {},
        );
    }
    await store.reading;
    return store.told as T;
  }
}

async function update<T>(path: string, store: Store, reader: StoreReader<T>): Promise<void> {
  await turn();
  const pages = new Pages(path);
  const pause = takeTurns();
  try {
    for (const { name, mark, take } of reader.tables) {
      const table = tableNamed(pages, name);
      if (table === null) continue;
      const known = store.newest.get(name) ?? 0;
      let newest = known;
      let taken = 0;
      for (const row of rows(pages, table)) {
        newest = Math.max(newest, row.number);
        if (row.number <= known - AGAIN_ROWS || taken >= MAX_ROWS || pages.bytesRead > MAX_BYTES) break;
        if (row.bytes <= MAX_ROW_BYTES && row.start.includes(mark)) {
          take(row.values(), store.told as T);
          taken += 1;
        }
        await pause();
      }
      store.newest.set(name, newest);
    }
  } finally {
    pages.close();
  }
}

function fresh(told: unknown): Store {
  return { told, stamp: '', lookedAt: 0, newest: new Map(), reading: Promise.resolve() };
}

/** Returns null if the file does not exist. */
function stampOf(path: string): string | null {
  const [main, log] = [path, `${path}-wal`].map((one) => lstatOrNull(one));
  if (!main?.isFile()) return null;
  return [main, log].map((stats) => `${stats?.ino}/${stats?.size}/${stats?.mtimeMs}`).join();
}

function keep(map: Map<string, Store>, key: string, value: Store): void {
  map.delete(key);
  map.set(key, value);
  if (map.size > MAX_STORES) map.delete(map.keys().next().value!);
}
