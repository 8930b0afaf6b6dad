/** Holds every known artifact by id, lists them newest first, and tells listeners about changes. */
import type { LibraryEvent } from '../../shared/api/api.ts';
import { type Artifact, Changes } from '../../shared/artifact.ts';
import { SpillwayError } from '../../shared/errors.ts';
import { DEFAULT_LIST_LIMIT, MAX_EVENT_ARTIFACTS } from '../../shared/limits.ts';
import type { ListParams, ListResult } from '../../shared/views.ts';
import { type Listed, listed, newestFirst, startMs } from './files/known-file.ts';
import { Twins } from './twins.ts';

type Listener = (event: LibraryEvent) => void;
/** Told of changes without the artifacts being made. */
type ListedListener = (changed: readonly Listed[], removed: readonly string[]) => void;

/** How long changes are gathered: a thousand a second become a few events. */
const GATHER_MS = 100;
/** Delay of the first event after a pause. */
const FIRST_MS = 5;

export class Catalogue {
  readonly #listed = new Map<string, Listed>();
  readonly #feeds = new Set<Feed>();
  readonly #listeners = new Set<ListedListener>();
  readonly #twins = new Twins();
  /** Not yet reported to the feeds. */
  readonly #changes = new Changes<true>();
  #timer: NodeJS.Timeout | null = null;
  #toldAt = Number.NEGATIVE_INFINITY;
  /** Cache: all artifacts, newest first; cleared when one changes. */
  #sorted: Listed[] | null = null;

  get(id: string): Artifact | undefined {
    return this.#listed.get(id)?.artifact;
  }

  /** True for an agent's copy of what Spillway recorded. */
  hides(id: string): boolean {
    return this.#twins.hides(id);
  }

  ids(): string[] {
    return [...this.#listed.keys()];
  }

  /** Newest first, without agents' own copies of what Spillway recorded. */
  all(): readonly Artifact[] {
    return this.listed().map(({ artifact }) => artifact);
  }

  /** `all` for what needs little of each. */
  listed(): readonly Listed[] {
    this.#sorted ??= [...this.#listed.values()]
      .filter(({ artifact_id: id }) => !this.#twins.hides(id))
      .sort(newestFirst);
    return this.#sorted;
  }

  put(artifact: Artifact): void {
    this.putListed(listed(artifact));
  }

  /** `put` for an artifact that is made when somebody asks for it. */
  putListed(one: Listed): void {
    const { artifact_id: id } = one;
    this.#sorted = null;
    this.#listed.set(id, one);
    const changed = one.command === null ? this.#twins.remove(id) : this.#twins.put(one.artifact);
    this.#change(id);
    for (const other of changed) this.#change(other);
  }

  remove(id: string): void {
    if (!this.#listed.delete(id)) return;
    this.#sorted = null;
    const changed = this.#twins.remove(id);
    this.#change(id);
    for (const other of changed) this.#change(other);
  }

  /** Returns one page, newest first; equal times ordered by id, so pages are stable. */
  list(params: ListParams, readable: (artifact: Artifact) => boolean = () => true): ListResult {
    const all = this.listed();
    const limit = params.limit ?? DEFAULT_LIST_LIMIT;
    const outputs: Artifact[] = [];
    for (let i = params.cursor === undefined ? 0 : startAfter(all, params.cursor); i < all.length; i += 1) {
      const { artifact } = all[i]!;
      if (!matches(artifact, params) || !readable(artifact)) continue;
      const last = outputs.at(-1);
      if (outputs.length >= limit) return { outputs, next_cursor: last ? cursorOf(last) : null };
      outputs.push(artifact);
    }
    return { outputs, next_cursor: null };
  }

  /** Sends the listener all artifacts, those in `ahead` first, the rest newest first, and then every change. */
  watch(listener: Listener, ahead: readonly string[] = []): () => void {
    // The new listener gets everything anyway: tell gathered changes to the others first.
    this.#tell();
    const ids = [...ahead, ...this.listed().map((one) => one.artifact_id)];
    const feed = new Feed(listener, ids, (id) => this.get(id));
    this.#feeds.add(feed);
    return () => {
      this.#feeds.delete(feed);
      feed.close();
    };
  }

  /** Sends the listener the current list, and then every change. */
  watchListed(listener: ListedListener): () => void {
    this.#tell();
    listener(this.listed(), []);
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  close(): void {
    if (this.#timer) clearTimeout(this.#timer);
    for (const feed of this.#feeds) feed.close();
    this.#feeds.clear();
    this.#listeners.clear();
  }

  #change(id: string): void {
    if (this.#feeds.size + this.#listeners.size === 0) return;
    if (this.#twins.hides(id) || !this.#listed.has(id)) this.#changes.remove(id);
    else this.#changes.put(id, true);
    if (this.#timer !== null) return;
    const wait = performance.now() - this.#toldAt < GATHER_MS ? GATHER_MS : FIRST_MS;
    this.#timer = setTimeout(() => this.#tell(), wait).unref();
  }

  #tell(): void {
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = null;
    this.#toldAt = performance.now();
    const { changed, removed } = this.#changes;
    const now = [...changed.keys()].flatMap((id) => this.#listed.get(id) ?? []);
    for (const listener of [...this.#listeners]) listener(now, [...removed]);
    for (const feed of [...this.#feeds]) feed.take(this.#changes);
    this.#changes.clear();
  }
}

function matches(artifact: Artifact, params: ListParams): boolean {
  const { session, kind, status, query } = params;
  if (session !== undefined && artifact.session !== session) return false;
  if (kind !== undefined && artifact.kind !== kind) return false;
  if (status !== undefined && artifact.status !== status) return false;
  if (!query) return true;
  const wanted = query.toLowerCase();
  const texts = [
    artifact.artifact_id,
    artifact.label,
    artifact.command,
    ...(artifact.args ?? []),
    artifact.session,
    ...artifact.streams.map((stream) => stream.file_path),
  ];
  return texts.some((text) => text?.toLowerCase().includes(wanted));
}

/** A cursor holds the sort key of the last artifact returned, so it stays valid when others come or go. */
export function cursorOf(artifact: Artifact): string {
  return Buffer.from(JSON.stringify([artifact.started_at, artifact.artifact_id])).toString('base64url');
}

function startAfter(sorted: readonly Listed[], cursor: string): number {
  let key: unknown;
  try {
    key = JSON.parse(Buffer.from(cursor, 'base64url').toString());
  } catch {
    key = null;
  }
  if (!Array.isArray(key) || typeof key[1] !== 'string' || (key[0] !== null && typeof key[0] !== 'string')) {
    throw new SpillwayError(
      'usage',
      'unknown cursor',
      'use next_cursor of the previous page, or leave it out',
    );
  }
  const last = { startedMs: startMs(key[0]), artifact_id: key[1] };
  const at = sorted.findIndex((one) => newestFirst(last, one) < 0);
  return at < 0 ? sorted.length : at;
}

/** Pause after the first page: lets the window draw it and ask for text first. */
const FIRST_PAUSE_MS = 150;
const PAUSE_MS = 20;

/** Sends the catalogue to one listener: first every artifact, then changes, at most one page at a time. */
class Feed {
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
