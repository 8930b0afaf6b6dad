/** Caches the newest rows of some tables in agents' SQLite databases, and reads them again when the files change. */
import type { Value } from '../../reader/sqlite.ts';
import type { Disk } from '../../workers/disk.ts';

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
  take(row: ReadonlyMap<string, Value>, known: T): void;
}

interface Store {
  known: unknown;
  stamp: string;
  checkedAt: number;
  /** By table: the highest number of a row. */
  readonly newest: Map<string, number>;
  reading: Promise<void>;
}

export class Stores {
  readonly #stores = new Map<string, Store>();
  readonly #disk: Disk;

  constructor(disk: Disk) {
    this.#disk = disk;
  }

  /** Resolves with what the database tells; what it told before, if it can't be read now; null without one. */
  async read<T>(path: string, reader: StoreReader<T>): Promise<T | null> {
    const stamp = await this.#stampOf(path);
    if (stamp === null) return null;
    const store = this.#stores.get(path) ?? fresh(reader.empty());
    keep(this.#stores, path, store);
    if (store.stamp !== stamp && Date.now() - store.checkedAt >= FRESH_MS) {
      store.checkedAt = Date.now();
      store.reading = store.reading
        .then(() => this.#update(path, store, reader))
        .then(
          () => {
            store.stamp = stamp;
          },
          // It has another version, or changed while it was read: the next look tries again.
          () => {},
        );
    }
    await store.reading;
    return store.known as T;
  }

  async #update<T>(path: string, store: Store, { tables }: StoreReader<T>): Promise<void> {
    const wanted = tables.map(({ name, mark }) => ({ name, mark, known: store.newest.get(name) ?? 0 }));
    const found = await this.#disk.newRows(path, wanted);
    for (const [index, { name, take }] of tables.entries()) {
      const { newest, rows } = found[index] ?? {};
      for (const row of rows ?? []) take(row, store.known as T);
      if (newest !== undefined) store.newest.set(name, newest);
    }
  }

  /** Null if the file does not exist. */
  async #stampOf(path: string): Promise<string | null> {
    const [main, log] = await Promise.all(
      [path, `${path}-wal`].map((one) => this.#disk.stat(one).catch((error: Error) => error)),
    );
    if (main instanceof Error || !main!.isFile()) return null;
    return [main, log]
      .map((look) => (!look || look instanceof Error ? '' : `${look.ino}/${look.size}/${look.mtimeMs}`))
      .join();
  }
}

function fresh(known: unknown): Store {
  return { known, stamp: '', checkedAt: 0, newest: new Map(), reading: Promise.resolve() };
}

function keep(map: Map<string, Store>, key: string, value: Store): void {
  map.delete(key);
  map.set(key, value);
  if (map.size > MAX_STORES) map.delete(map.keys().next().value!);
}
