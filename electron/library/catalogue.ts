/** Holds every known artifact by id, lists them newest first, and tells listeners about changes. */
import type { LibraryEvent } from '../../shared/api/api.ts';
import { type Artifact, Changes } from '../../shared/artifact.ts';
import { SpillwayError } from '../../shared/errors.ts';
import { DEFAULT_LIST_LIMIT, MAX_EVENT_ARTIFACTS } from '../../shared/limits.ts';
import { recordedCommand } from '../../shared/secrets/mask.ts';
import type { ListParams, ListResult } from '../../shared/views.ts';
import { type Listed, listed, newestFirst, startMs } from './files/known-file.ts';

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
  #notifiedAt = Number.NEGATIVE_INFINITY;
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
    const wait = performance.now() - this.#notifiedAt < GATHER_MS ? GATHER_MS : FIRST_MS;
    this.#timer = setTimeout(() => this.#tell(), wait).unref();
  }

  #tell(): void {
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = null;
    this.#notifiedAt = performance.now();
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

// Finds agents' own copies of commands that Spillway recorded, so that the list has one row for each command: ours. A
// copy has the same agent and command, and was written while the command ran.

/** More than the clocks and the order of two writers differ by. */
const SLACK_MS = 3000;
/** An agent that names no conversation is known by its process. */
const PROCESS_SESSION = /^pid-/;

class Twins {
  readonly #captures = new Map<string, Map<string, Artifact>>();
  readonly #copies = new Map<string, Map<string, Artifact>>();
  readonly #keys = new Map<string, string>();
  readonly #hidden = new Set<string>();

  /** True for a copy that is not listed. */
  hides(id: string): boolean {
    return this.#hidden.has(id);
  }

  /** Returns the ids of copies that are hidden now and were not, or the reverse. */
  put(artifact: Artifact): string[] {
    const { artifact_id: id, agent, command, kind } = artifact;
    const key =
      agent === null || command === null ? null : `${agent.name}\n${recordedCommand(command.trim())}`;
    const known = this.#keys.get(id);
    if (key === null && known === undefined) return [];
    const changed = known !== undefined && known !== key ? this.remove(id) : [];
    if (key === null) return changed;
    this.#keys.set(id, key);
    put(kind === 'file' ? this.#copies : this.#captures, key, artifact);
    return [...changed, ...this.#judge(key, kind === 'file' ? id : null)];
  }

  remove(id: string): string[] {
    const key = this.#keys.get(id);
    if (key === undefined) return [];
    this.#keys.delete(id);
    this.#hidden.delete(id);
    for (const map of [this.#captures, this.#copies]) {
      map.get(key)?.delete(id);
      if (map.get(key)?.size === 0) map.delete(key);
    }
    return this.#judge(key, null);
  }

  /** `only`: the id of the one copy that may have changed. */
  #judge(key: string, only: string | null): string[] {
    const captures = [...(this.#captures.get(key)?.values() ?? [])];
    const changed: string[] = [];
    for (const [id, copy] of this.#copies.get(key) ?? []) {
      if (only !== null && id !== only) continue;
      const isTwin = captures.some((capture) => areOne(capture, copy));
      if (isTwin === this.#hidden.has(id)) continue;
      if (isTwin) this.#hidden.add(id);
      else this.#hidden.delete(id);
      changed.push(id);
    }
    return changed;
  }
}

function areOne(capture: Artifact, copy: Artifact): boolean {
  const [ours, theirs] = [capture.agent?.session ?? null, copy.agent?.session ?? null];
  const areNamed = ours !== null && theirs !== null && !PROCESS_SESSION.test(ours);
  if (areNamed && ours !== theirs) return false;
  const [a, b] = [spanOf(capture), spanOf(copy)];
  return a.start <= b.end + SLACK_MS && b.start <= a.end + SLACK_MS;
}

function spanOf({ started_at, ended_at, status }: Artifact): { start: number; end: number } {
  const start = Date.parse(started_at ?? '') || 0;
  // The end of an interrupted one may be unknown.
  const open = status === 'interrupted' ? start : Number.POSITIVE_INFINITY;
  return { start, end: Math.max(start, ended_at === null ? open : Date.parse(ended_at)) };
}

function put(map: Map<string, Map<string, Artifact>>, key: string, artifact: Artifact): void {
  const same = map.get(key) ?? new Map<string, Artifact>();
  map.set(key, same);
  same.set(artifact.artifact_id, artifact);
}
