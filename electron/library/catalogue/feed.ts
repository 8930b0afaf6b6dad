/** What one listener is told of the catalogue: first all there is, then what changes, never more than a page at a time. */
import type { LibraryEvent } from '../../../shared/api/api.ts';
import type { Artifact } from '../../../shared/artifact.ts';
import { MAX_EVENT_ARTIFACTS } from '../../../shared/limits.ts';

type Listener = (event: LibraryEvent) => void;

/** A window that has its first page draws it and asks for text; the other pages let that go first. Milliseconds. */
const FIRST_REST_MS = 150;
const REST_MS = 20;

export class Feed {
  readonly #listener: Listener;
  readonly #find: (id: string) => Artifact | undefined;
  /** In the order in which they are told. */
  readonly #changed: Set<string>;
  readonly #removed = new Set<string>();
  #next: NodeJS.Timeout | null = null;
  #closed = false;

  /** `ids`: all there are, newest first. The first page is told at once, the others between other work. */
  constructor(listener: Listener, ids: readonly string[], find: (id: string) => Artifact | undefined) {
    this.#listener = listener;
    this.#find = find;
    this.#changed = new Set(ids);
    this.#tell(true);
  }

  take(changed: ReadonlySet<string>, removed: ReadonlySet<string>): void {
    for (const id of removed) {
      this.#changed.delete(id);
      this.#removed.add(id);
    }
    for (const id of changed) {
      this.#removed.delete(id);
      this.#changed.add(id);
    }
    if (!this.#next) this.#tell(false);
  }

  close(): void {
    this.#closed = true;
    if (this.#next) clearTimeout(this.#next);
  }

  #tell(reset: boolean): void {
    const removed = taken(this.#removed, MAX_EVENT_ARTIFACTS);
    const changed = taken(this.#changed, MAX_EVENT_ARTIFACTS - removed.length).flatMap(
      (id) => this.#find(id) ?? [],
    );
    if (reset || changed.length > 0 || removed.length > 0) this.#listener({ reset, changed, removed });
    if (this.#closed || this.#changed.size + this.#removed.size === 0) return;
    this.#next = setTimeout(
      () => {
        this.#next = null;
        this.#tell(false);
      },
      reset ? FIRST_REST_MS : REST_MS,
    );
  }
}

/** The first of a set, which it has no longer. */
function taken(set: Set<string>, most: number): string[] {
  const some: string[] = [];
  for (const id of set) {
    if (some.length === most) break;
    some.push(id);
    set.delete(id);
  }
  return some;
}
