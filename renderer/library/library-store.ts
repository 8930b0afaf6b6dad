/**
 * Holds the library's artifacts, as the host reports them. Applies changes once a frame. If an artifact only grew, no
 * list is rebuilt.
 */

import { useCallback, useEffect, useMemo, useState, useSyncExternalStore } from 'react';
import * as z from 'zod';
import type { LibraryEvent } from '../../shared/api/api.ts';
import {
  type Artifact,
  ArtifactId,
  Changes,
  MAX_MERGED,
  mergedArtifact,
  mergedId,
} from '../../shared/artifact.ts';
import { toSpillwayError } from '../../shared/errors.ts';
import { useConnection } from '../connection/HostProvider.tsx';
import { jsonOf, persisted } from '../ui/state/store.ts';
import { folderOf, linesOf, nameOf, pathOf, sizeOf, sortTimeOf } from './artifact-facts.ts';
import { sameWords, type Words, wordsOf } from './list/filter-match.ts';

/** An artifact's entry in the list; its content is replaced when it changes. */
export interface Entry {
  readonly id: string;
  /** The sort key, in ISO 8601. */
  readonly time: string;
  artifact: Artifact;
  /** Time when it was first listed, in milliseconds since 1970. */
  readonly since: number;
  /** The words the filter searches; made on first use. */
  words: Words | null;
  /** Its name, and its name with its folder; made on first use. */
  face: { name: string; placed: string } | null;
}

export interface LibraryState {
  /** False until the host's first event. */
  known: boolean;
  total: number;
  /** Changes when an artifact was added or removed, or changed in its words, group or time. */
  structure: number;
  /** Changes with every change. */
  version: number;
  /** Why no more events will come. */
  problem: string | null;
}

export class LibraryStore {
  readonly #nextFrame: (run: () => void) => void;
  readonly #listeners = new Set<() => void>();
  readonly #entries = new Map<string, Entry>();
  #sorted: readonly Entry[] = [];
  readonly #hidden = new Set<string>();
  #pending: Changes<Artifact> | null = null;
  /** Makes artifacts that only the window has from the others. */
  #merged: ((get: (id: string) => Artifact | null) => readonly Artifact[]) | null = null;
  #mergedIds: readonly string[] = [];
  #state: LibraryState = { known: false, total: 0, structure: 0, version: 0, problem: null };

  constructor(nextFrame: (run: () => void) => void = onNextFrame) {
    this.#nextFrame = nextFrame;
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => {
      this.#listeners.delete(listener);
    };
  };

  readonly state = (): LibraryState => this.#state;

  get(id: string): Artifact | null {
    return this.#entries.get(id)?.artifact ?? null;
  }

  entry(id: string): Entry | null {
    return this.#entries.get(id) ?? null;
  }

  /** Newest first; a new array whenever artifacts are added or removed. */
  get sorted(): readonly Entry[] {
    return this.#sorted;
  }

  /** Shows the first event at once, later ones with the next frame. */
  readonly take = (event: LibraryEvent): void => {
    if (event.reset) {
      this.#pending = null;
      this.#entries.clear();
      const all = new Changes<Artifact>();
      for (const artifact of event.changed) all.put(artifact.artifact_id, artifact);
      this.#apply(all, true);
      return;
    }
    if (!this.#pending) {
      this.#pending = new Changes();
      this.#nextFrame(this.#flush);
    }
    for (const id of event.removed) this.#pending.remove(id);
    for (const artifact of event.changed) this.#pending.put(artifact.artifact_id, artifact);
  };

  /** Leaves these out of the list, until they are removed or shown again. */
  hide(ids: readonly string[]): void {
    for (const id of ids) this.#hidden.add(id);
    this.#sorted = this.#sorted.filter(({ id }) => !this.#hidden.has(id));
    this.#tell({ total: this.#sorted.length, structure: this.#state.structure + 1 });
  }

  unhide(ids: readonly string[]): void {
    const again = ids.flatMap((id) => (this.#hidden.delete(id) && this.#entries.get(id)) || []);
    this.#sorted = merge(this.#sorted, again.sort(newestEntryFirst));
    this.#tell({ total: this.#sorted.length, structure: this.#state.structure + 1 });
  }

  readonly fail = (problem: string | null): void => {
    if (problem !== this.#state.problem) this.#tell({ problem });
  };

  /** Also lists the merged artifacts that `merged` makes from the host's; calls it again after each change. */
  showMerged(merged: (get: (id: string) => Artifact | null) => readonly Artifact[]): void {
    this.#merged = merged;
    if (this.#state.known) this.#apply(new Changes(), false);
  }

  readonly #flush = (): void => {
    const pending = this.#pending;
    this.#pending = null;
    if (pending) this.#apply(pending, false);
  };

  #putMerged(changes: Changes<Artifact>): void {
    if (!this.#merged) return;
    const { changed, removed } = changes;
    const merged = this.#merged((id) => changed.get(id) ?? (removed.has(id) ? null : this.get(id)));
    const ids = merged.map(({ artifact_id }) => artifact_id);
    for (const id of this.#mergedIds) if (!ids.includes(id)) changes.remove(id);
    for (const artifact of merged) {
      const known = this.get(artifact.artifact_id);
      if (JSON.stringify(known) !== JSON.stringify(artifact)) changes.put(artifact.artifact_id, artifact);
    }
    this.#mergedIds = ids;
  }

  #apply(changes: Changes<Artifact>, anew: boolean): void {
    this.#putMerged(changes);
    const { changed, removed } = changes;
    let structural = anew;
    let gone = anew;
    const fresh: Entry[] = [];
    const since = Date.now();
    for (const id of removed) gone = this.#entries.delete(id) || gone;
    for (const artifact of changed.values()) {
      const known = this.#entries.get(artifact.artifact_id);
      const time = sortTimeOf(artifact) ?? '';
      if (known && known.time === time) {
        structural = this.#replace(known, artifact) || structural;
        continue;
      }
      gone ||= known !== undefined;
      const entry = { id: artifact.artifact_id, time, artifact, since, words: null, face: null };
      this.#entries.set(entry.id, entry);
      if (!this.#hidden.has(entry.id)) fresh.push(entry);
    }
    if (gone) this.#sorted = this.#sorted.filter((entry) => this.#entries.get(entry.id) === entry);
    if (fresh.length > 0) this.#sorted = merge(this.#sorted, fresh.sort(newestEntryFirst));
    const { structure } = this.#state;
    const moved = structural || gone || fresh.length > 0;
    this.#tell({ known: true, total: this.#sorted.length, structure: moved ? structure + 1 : structure });
  }

  /** Returns true if its words, group or time changed. */
  #replace(entry: Entry, artifact: Artifact): boolean {
    const before = entry.artifact;
    entry.artifact = artifact;
    if (sameWords(before, artifact)) return false;
    entry.words = null;
    entry.face = null;
    return true;
  }

  #tell(change: Partial<LibraryState>): void {
    this.#state = { ...this.#state, ...change, version: this.#state.version + 1 };
    for (const listener of [...this.#listeners]) listener();
  }
}

/** Returns the searchable words of an artifact, in lower case. */
export function wordsIn(entry: Entry): Words {
  entry.words ??= wordsOf(entry.artifact);
  return entry.words;
}

/** Returns its name, and its name with its folder, which distinguishes it in the list. */
export function faceOf(entry: Entry): { name: string; placed: string } {
  if (!entry.face) {
    const name = nameOf(entry.artifact);
    entry.face = { name, placed: `${name}\n${folderOf(entry.artifact) ?? ''}` };
  }
  return entry.face;
}

export function newestEntryFirst(a: Entry, b: Entry): number {
  // ISO 8601 in UTC sorts as text. Equal times by id, so that the order is always the same.
  if (a.time !== b.time) return a.time < b.time ? 1 : -1;
  return a.id < b.id ? -1 : a.id > b.id ? 1 : 0;
}

/** Both newest first. */
function merge(old: readonly Entry[], fresh: readonly Entry[]): Entry[] {
  const merged: Entry[] = [];
  let next = 0;
  for (const entry of old) {
    for (let each = fresh[next]; each && newestEntryFirst(each, entry) < 0; each = fresh[next]) {
      merged.push(each);
      next += 1;
    }
    merged.push(entry);
  }
  for (; next < fresh.length; next += 1) merged.push(fresh[next]!);
  return merged;
}

/** Milliseconds between updates in a hidden window, which has no frames. */
const HIDDEN_WAIT_MS = 250;

function onNextFrame(run: () => void): void {
  if (document.hidden) setTimeout(run, HIDDEN_WAIT_MS);
  else requestAnimationFrame(run);
}

// Keeps the library up to date from the host's events; unchanged while the host can't be reached.

/** Subscribes to the library. Called once, by the window; components watch the parts they show. */
export function useLibrary(): { library: LibraryStore; tryAgain: () => void } {
  const connection = useConnection();
  const [library] = useState(() => new LibraryStore());
  const [attempt, setAttempt] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another attempt subscribes again
  useEffect(() => {
    if (!connection) return;
    library.fail(null);
    return connection.subscribe('library', {}, library.take, (error) => {
      const { code, message } = toSpillwayError(error);
      if (code !== 'cancelled') library.fail(message);
    });
  }, [connection, library, attempt]);
  useEffect(() => {
    const show = () => library.showMerged(mergedArtifacts);
    show();
    return mergedTexts.subscribe(show);
  }, [library]);
  const tryAgain = useCallback(() => setAttempt((last) => last + 1), []);
  return { library, tryAgain };
}

export function useLibraryState(library: LibraryStore): LibraryState {
  return useSyncExternalStore(library.subscribe, library.state);
}

/** Renders again only when artifacts are added, removed or moved. */
export function useLibraryStructure(library: LibraryStore): number {
  const get = useCallback(() => library.state().structure, [library]);
  return useSyncExternalStore(library.subscribe, get);
}

/** Renders again only when this artifact changes; for growth alone, once a second. */
export function useArtifact(library: LibraryStore, id: string): Artifact | null {
  const { subscribe, get } = useMemo(() => steadyArtifact(library, id), [library, id]);
  return useSyncExternalStore(subscribe, get);
}

/** Milliseconds between reports of growth alone. */
const GROWTH_EVERY_MS = 1000;

interface SteadyArtifact {
  subscribe: (listener: () => void) => () => void;
  get: () => Artifact | null;
}

/** Watches one artifact for a view that is drawn as a whole: reports growth alone only once a second. */
export function steadyArtifact(library: Pick<LibraryStore, 'get' | 'subscribe'>, id: string): SteadyArtifact {
  let shown = library.get(id);
  return {
    get: () => shown,
    subscribe(listener) {
      let timer: ReturnType<typeof setTimeout> | undefined;
      const show = () => {
        clearTimeout(timer);
        timer = undefined;
        shown = library.get(id);
        listener();
      };
      const look = () => {
        const now = library.get(id);
        if (now === shown) return;
        if (now && shown && isOnlyLonger(shown, now)) timer ??= setTimeout(show, GROWTH_EVERY_MS);
        else show();
      };
      look();
      const unsubscribe = library.subscribe(look);
      return () => {
        clearTimeout(timer);
        unsubscribe();
      };
    },
  };
}

function isOnlyLonger(before: Artifact, now: Artifact): boolean {
  return withoutSizes(before) === withoutSizes(now);
}

/** Serializes an artifact without its sizes and, for a file, its end, which is its last write. */
function withoutSizes(artifact: Artifact): string {
  const streams = artifact.streams.map(({ total_bytes, total_lines, ...stream }) => stream);
  const ended_at = artifact.kind === 'file' ? null : artifact.ended_at;
  return JSON.stringify({ ...artifact, ended_at, streams });
}

const MAX_TEXTS = 50;

const MergedText = z.object({
  ids: z.array(ArtifactId).min(2).max(MAX_MERGED),
  /** When it was merged, ISO 8601. */
  at: z.string(),
});
type MergedText = z.infer<typeof MergedText>;

/** Texts merged from several artifacts. They stay in the list, in order of creation, until removed. */
const mergedTexts = persisted<readonly MergedText[]>(
  'spillway.merged',
  (text) => z.array(MergedText).safeParse(jsonOf(text)).data ?? [],
);

/** Adds a merged text to the list. */
export function rememberMerged(ids: readonly string[]): void {
  if (mergedMembers(mergedId(ids)) !== null) return;
  mergedTexts.set([...mergedTexts.get(), { ids: [...ids], at: new Date().toISOString() }].slice(-MAX_TEXTS));
}

export function forgetMerged(id: string): void {
  mergedTexts.set(mergedTexts.get().filter(({ ids }) => mergedId(ids) !== id));
}

/** Returns the artifacts of a merged text; null for another kind of id. */
export function mergedMembers(id: string): readonly string[] | null {
  return mergedTexts.get().find(({ ids }) => mergedId(ids) === id)?.ids ?? null;
}

/** Returns the merged texts for the list, without those of which an artifact no longer exists. */
function mergedArtifacts(get: (id: string) => Artifact | null): Artifact[] {
  return mergedTexts.get().flatMap(({ ids, at }) => {
    const members = ids.flatMap((id) => get(id) ?? []);
    return members.length === ids.length ? [listed(mergedId(ids), members, at)] : [];
  });
}

function listed(id: string, members: readonly Artifact[], at: string): Artifact {
  const lines = members.map(linesOf);
  return mergedArtifact(id, members, {
    kind: 'file',
    label: members.map(nameOf).join(' + '),
    started_at: at,
    warnings: [],
    stream: {
      total_lines: lines.includes(null) ? null : lines.reduce<number>((sum, count) => sum + (count ?? 0), 0),
      total_bytes: members.reduce((sum, member) => sum + sizeOf(member), 0),
      content_type: 'unknown',
    },
  });
}

/** Returns null for a text of one artifact. */
export function useOriginNames(
  library: LibraryStore,
  ids: readonly string[] | null,
): readonly string[] | null {
  const get = useCallback(() => (ids ? namesOf(library, ids).join('\n') : null), [library, ids]);
  const names = useSyncExternalStore(library.subscribe, get);
  return useMemo(() => names?.split('\n') ?? null, [names]);
}

function namesOf(library: Pick<LibraryStore, 'get'>, ids: readonly string[]): string[] {
  const artifacts = ids.map((id) => library.get(id));
  const names = artifacts.map((artifact, index) => (artifact ? nameOf(artifact) : ids[index]!));
  return names.map((name, index) => {
    const path = artifacts[index] && pathOf(artifacts[index]);
    const isUnique = names.filter((other) => other === name).length === 1;
    return isUnique || !path ? name : path.split(/[\\/]/).slice(-2).join('/');
  });
}
