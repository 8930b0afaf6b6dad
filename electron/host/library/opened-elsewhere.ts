/** Mirrors the paths open in the home's inspector in another process's library. */
import type { Disk } from '../../workers/disk.ts';
import { bookStamp, type OpenedPath, readBook } from './opened-book.ts';
import type { OpenedSources } from './opened-sources.ts';

/** Time between two checks, in a process that watches, of the inspector's opened paths. */
const LOOK_MS = 500;

export class OpenedElsewhere {
  readonly #home: string;
  readonly #disk: Disk;
  readonly #opened: OpenedSources;
  #stamp: string | null = null;
  #count = 0;
  #taking: Promise<number> = Promise.resolve(0);
  #timer: NodeJS.Timeout | null = null;

  constructor(home: string, disk: Disk, opened: OpenedSources) {
    this.#home = home;
    this.#disk = disk;
    this.#opened = opened;
  }

  /** Rises whenever something was added. */
  get count(): number {
    return this.#count;
  }

  /** Adopts the paths open there now and resolves with `count`. Concurrent calls share the result. */
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
    const stamp = bookStamp(this.#home);
    if (stamp === this.#stamp) return this.#count;
    this.#stamp = stamp;
    const now = stamp === null ? [] : readBook(this.#home);
    for (const { path } of this.#opened.all) {
      if (!now.some((each) => each.path === path)) this.#opened.remove(path);
    }
    for (const each of now) {
      await this.#add(each).then(
        () => {
          this.#count += 1;
        },
        () => {
          // It is missing at the moment: try again.
          this.#stamp = null;
        },
      );
    }
    return this.#count;
  }

  /** Published paths are real paths; a link that replaced one since is not followed. */
  async #add({ path, agents }: OpenedPath): Promise<void> {
    if ((await this.#disk.place(path)).real !== path) throw new Error('a link');
    await this.#opened.open(path, agents);
  }
}
