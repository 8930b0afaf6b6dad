/** Holds every known artifact by id, lists them newest first, and tells listeners about changes. */
import type { LibraryEvent } from '../../../shared/api/api.ts';
import type { Artifact } from '../../../shared/artifact.ts';
import { Changes } from '../../../shared/changes.ts';
import { SpillwayError } from '../../../shared/errors.ts';
import { DEFAULT_LIST_LIMIT } from '../../../shared/limits.ts';
import type { ListParams, ListResult } from '../../../shared/views.ts';
import { Feed } from './feed.ts';
import { Twins } from './twins.ts';

type Listener = (event: LibraryEvent) => void;

/** How long changes are gathered: a thousand a second become a few events. */
const GATHER_MS = 100;

export class Catalogue {
  readonly #artifacts = new Map<string, Artifact>();
  readonly #feeds = new Set<Feed>();
  readonly #twins = new Twins();
  /** Not yet reported to the feeds. */
  readonly #changes = new Changes<true>();
  #timer: NodeJS.Timeout | null = null;
  /** Cache: all artifacts, newest first; cleared when one changes. */
  #sorted: Artifact[] | null = null;

  get(id: string): Artifact | undefined {
    return this.#artifacts.get(id);
  }

  /** True for an agent's copy of what Spillway recorded. */
  hides(id: string): boolean {
    return this.#twins.hides(id);
  }

  ids(): string[] {
    return [...this.#artifacts.keys()];
  }

  /** Newest first, without agents' own copies of what Spillway recorded. */
  all(): readonly Artifact[] {
    this.#sorted ??= [...this.#artifacts.values()]
      .filter(({ artifact_id: id }) => !this.#twins.hides(id))
      .sort(newestFirst);
    return this.#sorted;
  }

  put(artifact: Artifact): void {
    this.#sorted = null;
    this.#artifacts.set(artifact.artifact_id, artifact);
    const changed = this.#twins.put(artifact);
    for (const id of [artifact.artifact_id, ...changed]) this.#change(id);
    this.#gather();
  }

  remove(id: string): void {
    if (!this.#artifacts.delete(id)) return;
    this.#sorted = null;
    this.#changes.remove(id);
    for (const other of this.#twins.remove(id)) this.#change(other);
    this.#gather();
  }

  /** Returns one page, newest first; equal times ordered by id, so pages are stable. */
  list(params: ListParams, readable: (artifact: Artifact) => boolean = () => true): ListResult {
    const matching = this.all().filter((artifact) => matches(artifact, params) && readable(artifact));
    const start = params.cursor === undefined ? 0 : startAfter(matching, params.cursor);
    const end = start + (params.limit ?? DEFAULT_LIST_LIMIT);
    const outputs = matching.slice(start, end);
    const last = outputs.at(-1);
    return { outputs, next_cursor: last && end < matching.length ? cursorOf(last) : null };
  }

  /** Tells the listener all artifacts, those in `ahead` first and then newest first, and then every change. */
  watch(listener: Listener, ahead: readonly string[] = []): () => void {
    // The new listener gets everything anyway: tell gathered changes to the others first.
    this.#tell();
    const ids = [...ahead, ...this.all().map((artifact) => artifact.artifact_id)];
    const feed = new Feed(listener, ids, (id) => this.#artifacts.get(id));
    this.#feeds.add(feed);
    return () => {
      this.#feeds.delete(feed);
      feed.close();
    };
  }

  close(): void {
    if (this.#timer) clearTimeout(this.#timer);
    for (const feed of this.#feeds) feed.close();
    this.#feeds.clear();
  }

  #change(id: string): void {
    if (this.#twins.hides(id) || !this.#artifacts.has(id)) this.#changes.remove(id);
    else this.#changes.put(id, true);
  }

  #gather(): void {
    this.#timer ??= setTimeout(() => this.#tell(), GATHER_MS).unref();
  }

  #tell(): void {
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = null;
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

function newestFirst(a: Artifact, b: Artifact): number {
  const [left, right] = [a.started_at ?? '', b.started_at ?? ''];
  if (left !== right) return left < right ? 1 : -1;
  return a.artifact_id < b.artifact_id ? -1 : 1;
}

/** A cursor holds the sort key of the last artifact returned, so it stays valid when others come or go. */
function cursorOf(artifact: Artifact): string {
  return Buffer.from(JSON.stringify([artifact.started_at, artifact.artifact_id])).toString('base64url');
}

function startAfter(sorted: readonly Artifact[], cursor: string): number {
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
  const last = { started_at: key[0], artifact_id: key[1] } as Artifact;
  const at = sorted.findIndex((artifact) => newestFirst(last, artifact) < 0);
  return at < 0 ? sorted.length : at;
}
