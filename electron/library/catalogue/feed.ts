/** Sends the catalogue to one listener: first every artifact, then changes, at most one page at a time. */
import type { LibraryEvent } from '../../../shared/api/api.ts';
import type { Artifact } from '../../../shared/artifact.ts';
import { Changes } from '../../../shared/changes.ts';
import { MAX_EVENT_ARTIFACTS } from '../../../shared/limits.ts';

type Listener = (event: LibraryEvent) => void;

/** Pause after the first page: lets the window draw it and ask for text first. */
const FIRST_PAUSE_MS = 150;
const PAUSE_MS = 20;

export class Feed {
  readonly #listener: Listener;
  readonly #find: (id: string) => Artifact | undefined;
  /** Not yet reported, in the order in which it will be. */
  readonly #changes = new Changes<true>();
  #next: NodeJS.Timeout | null = null;
  #closed = false;

  /** `ids`: all artifacts, newest first. Sends the first page at once, the others between other work. */
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
      reset ? FIRST_PAUSE_MS : PAUSE_MS,
    );
  }
}

/** Removes the first `most` ids and returns them. */
function taken(ids: Map<string, true> | Set<string>, most: number): string[] {
  const some: string[] = [];
  for (const id of ids.keys()) {
    if (some.length === most) break;
    some.push(id);
    ids.delete(id);
  }
  return some;
}
