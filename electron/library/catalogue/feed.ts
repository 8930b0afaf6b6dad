/** What one listener is told of the catalogue: first all there is, then what changes, never more than a page at a time. */
import type { LibraryEvent } from '../../../shared/api/api.ts';
import type { Artifact } from '../../../shared/artifact.ts';
import { Changes } from '../../../shared/changes.ts';
import { MAX_EVENT_ARTIFACTS } from '../../../shared/limits.ts';

type Listener = (event: LibraryEvent) => void;

/** A window that has its first page draws it and asks for text; the other pages let that go first. Milliseconds. */
const FIRST_REST_MS = 150;
const REST_MS = 20;

export class Feed {
  readonly #listener: Listener;
  readonly #find: (id: string) => Artifact | undefined;
  /** Not yet reported, in the order in which it will be. */
  readonly #changes = new Changes<true>();
  #next: NodeJS.Timeout | null = null;
  #closed = false;

  /** `ids`: all there are, newest first. The first page is told at once, the others between other work. */
  constructor(listener: Listener, ids: readonly string[], find: (id: string) => Artifact | undefined) {
    this.#listener = listener;
    this.#find = find;
    for (const id of ids) this.#changes.put(id, true);
    this.#tell(true);
  }

  take({ changed, removed }: Changes<true>): void {
    for (const id of removed) this.#changes.remove(id);
    for (const id of changed.keys()) this.#changes.put(id, true);
    if (!this.#next) this.#tell(false);
  }

  close(): void {
    this.#closed = true;
    if (this.#next) clearTimeout(this.#next);
  }

  #tell(reset: boolean): void {
    const removed = taken(this.#changes.removed, MAX_EVENT_ARTIFACTS);
    const changed = taken(this.#changes.changed, MAX_EVENT_ARTIFACTS - removed.length).flatMap(
      (id) => this.#find(id) ?? [],
    );
    if (reset || changed.length > 0 || removed.length > 0) this.#listener({ reset, changed, removed });
    if (this.#closed || this.#changes.size === 0) return;
    this.#next = setTimeout(
      () => {
        this.#next = null;
        this.#tell(false);
      },
      reset ? FIRST_REST_MS : REST_MS,
    );
  }
}

/** Removes and returns the first ids. */
function taken(ids: Map<string, true> | Set<string>, most: number): string[] {
  const some: string[] = [];
  for (const id of ids.keys()) {
    if (some.length === most) break;
    some.push(id);
    ids.delete(id);
  }
  return some;
}
