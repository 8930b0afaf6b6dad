/** Keeps the files of the sources, as they were last seen, as artifacts in the catalogue. */
import type { Artifact } from '../../../shared/artifact.ts';
import type { SourceKind } from '../../agents/agent.ts';
import type { AgentFile, FileDescription, FileState, UserFolders } from '../../agents/facts/described.ts';
import type { FileStats } from '../../reader/disks/stats.ts';
import type { Disk } from '../../workers/disk.ts';
import type { Catalogue } from '../catalogue.ts';
import type { Source } from '../source.ts';
import { FileDetails } from './details.ts';
import { fileArtifactId, isSameState, stateOf } from './file-artifact.ts';
import { type FileCounts, fits, KnownFile } from './known-file.ts';

/** Told at once of every change to an agent's file. */
export interface FilesListener {
  found(path: string, stats: FileState, kind: SourceKind): void;
  /** `artifact`: its last listed state. */
  lost(path: string, artifact: Artifact, file: AgentFile, kind: SourceKind): void;
  /** A file was made and deleted before it could be looked at. */
  vanished(path: string, kind: SourceKind): void;
}

interface Moved {
  known: KnownFile;
  id: string;
}

const NOWHERE: UserFolders = { home: '/', temporary: '/', env: {}, platform: 'linux' };

export class KnownFiles {
  readonly #catalogue: Catalogue;
  readonly #ids = new IdBook();
  readonly #byPath = new Map<string, KnownFile>();
  readonly #details: FileDetails;
  readonly #listener: FilesListener | null;

  constructor(
    catalogue: Catalogue,
    disk: Disk,
    user: UserFolders = NOWHERE,
    listener: FilesListener | null = null,
  ) {
    this.#catalogue = catalogue;
    this.#listener = listener;
    this.#details = new FileDetails(user, disk, { tell: (file, reported) => this.#tell(file, reported) });
  }

  /** Resolves when what the files tell has been read, or after `ms`. */
  settled(ms: number): Promise<void> {
    return this.#details.settled(ms);
  }

  /**
   * Resolves when what these files tell has been read, or after `ms`; with true if anything had to be read.
   */
  settledOf(paths: readonly string[], ms: number): Promise<boolean> {
    return this.#details.settledOf(
      paths.flatMap((path) => this.#byPath.get(path) ?? []),
      ms,
    );
  }

  /** Reads what files tell only when `work`, which lists them, is done. */
  after<T>(work: Promise<T>): Promise<T> {
    return this.#details.after(work);
  }

  close(): void {
    this.#details.close();
  }

  /** Takes in what a file is now, and returns its id. `holder`: the tree that found it. */
  see(path: string, stats: FileStats, source: Source, holder?: object): string {
    const known = this.#byPath.get(path);
    if (known && holder && !known.holders.includes(holder)) known.holders = [...known.holders, holder];
    if (known && known.source === source && isSameState(known.seen, stats)) return known.artifact_id;
    if (known?.stopped && known.seen.birthtimeMs === stats.birthtimeMs && stats.size >= known.seen.size)
      return known.artifact_id;
    const { readable } = stats;
    const seen = stateOf(stats);
    if (known && known.seen.birthtimeMs === stats.birthtimeMs) {
      Object.assign(known, { seen, source, readable, stopped: null });
      this.#show(known);
      this.#want(known);
      return known.artifact_id;
    }
    if (known) {
      this.#tellLost(known);
      this.#details.forget(known);
    }
    if (source.kind.agent !== undefined) this.#listener?.found(path, seen, source.kind);
    const fresh = new KnownFile(path, seen, source, readable, known?.holders ?? (holder ? [holder] : []));
    this.#byPath.set(path, fresh);
    const renamed = this.#ids.claim(path, (attempt) => fileArtifactId(path, seen, attempt));
    if (known) this.#catalogue.remove(known.artifact_id);
    const moved = this.#leave(renamed.slice(1));
    fresh.artifact_id = this.#ids.of(path)!;
    this.#catalogue.putListed(fresh);
    this.#want(fresh);
    this.#enter(moved);
    return fresh.artifact_id;
  }

  /** Shows no further growth of a file, with a warning that says why. */
  stopFollowing(path: string, reason: string): void {
    const known = this.#byPath.get(path);
    if (!known) return;
    known.stopped = reason;
    this.#details.forget(known);
    this.#show(known);
  }

  idAt(path: string): string | undefined {
    return this.#byPath.get(path)?.artifact_id;
  }

  kindAt(path: string): SourceKind | undefined {
    return this.#byPath.get(path)?.source.kind;
  }

  /** True when some tree holds the file. */
  isHeld(path: string): boolean {
    return (this.#byPath.get(path)?.holders.length ?? 0) > 0;
  }

  /** Removes one holder of the file; without any the file leaves the catalogue. */
  lose(path: string, holder: object): void {
    const known = this.#byPath.get(path);
    if (!known) return;
    known.holders = known.holders.filter((other) => other !== holder);
    if (known.holders.length > 0) return;
    this.#byPath.delete(path);
    this.#tellLost(known);
    this.#details.forget(known);
    const renamed = this.#ids.release(path);
    this.#catalogue.remove(known.artifact_id);
    this.#enter(this.#leave(renamed));
  }

  /** Removes a holder from all its files. Returns the files of its source that another holder keeps. */
  loseAll(holder: object, source: Source): string[] {
    const held = [...this.#byPath.values()].filter(({ holders }) => holders.includes(holder));
    for (const { path } of held) this.lose(path, holder);
    return held.flatMap((known) => (known.holders.length > 0 && known.source === source ? [known.path] : []));
  }

  /** Remembers the counts that reading a file gave, until the file changes. Returns false for a file in no source. */
  learn(path: string, counts: FileCounts): boolean {
    const known = this.#byPath.get(path);
    if (!known) return false;
    const isNew =
      known.counts?.total_lines !== counts.total_lines || known.counts.total_bytes !== counts.total_bytes;
    known.counts = counts;
    if (isNew && fits(counts, known.seen)) this.#show(known);
    return true;
  }

  #show(known: KnownFile): void {
    known.changed();
    this.#catalogue.putListed(known);
  }

  #want(known: KnownFile): void {
    const { kind, isOnlyGuarded } = known.source;
    if (kind.agent !== undefined && !isOnlyGuarded) this.#details.want(known);
  }

  #tellLost(known: KnownFile): void {
    const { path, source, artifact_id: id } = known;
    if (source.kind.agent === undefined || !this.#catalogue.get(id) || this.#catalogue.hides(id)) return;
    this.#listener?.lost(path, known.artifact, known.file, source.kind);
  }

  #tell(known: KnownFile, reported: FileDescription): void {
    if (this.#byPath.get(known.path) !== known || JSON.stringify(known.reported) === JSON.stringify(reported))
      return;
    known.reported = reported;
    this.#show(known);
  }

  /** Takes the renamed files out of the catalogue: ids move between them, so all leave before any enters (`#enter`). */
  #leave(paths: readonly string[]): Moved[] {
    const moved = paths.flatMap((path) => {
      const known = this.#byPath.get(path);
      const id = this.#ids.of(path);
      return known && id !== undefined ? [{ known, id }] : [];
    });
    for (const { known } of moved) this.#catalogue.remove(known.artifact_id);
    return moved;
  }

  #enter(moved: readonly Moved[]): void {
    for (const { known, id } of moved) {
      known.artifact_id = id;
      this.#show(known);
    }
  }
}

// Assigns ids to paths. Six hexadecimal digits are few: among thousands of files with one name, made in one second,
// some want the same id. The path that sorts first gets it, and the others try the next id of their own sequence.
// This is deferred acceptance (Gale and Shapley, 1962): its outcome does not depend on the order in which files are
// found, so every process that knows the same files gives them the same ids.

/** Returns the id a path wants at its first (0), second (1), … attempt. */
export type IdSequence = (attempt: number) => string;

interface Claim {
  sequence: IdSequence;
  attempt: number;
  id: string;
}

export class IdBook {
  readonly #holders = new Map<string, string>();
  readonly #claims = new Map<string, Claim>();
  /** By id: the paths that wanted it and had to try another. */
  readonly #passed = new Map<string, Set<string>>();

  of(path: string): string | undefined {
    return this.#claims.get(path)?.id;
  }

  /** Assigns an id to `path`. Returns every path whose id is new or changed, `path` first. */
  claim(path: string, sequence: IdSequence): string[] {
    const changed = this.release(path);
    this.#placeFile(path, sequence, changed);
    return [path, ...new Set(changed.filter((other) => other !== path))];
  }

  /** Frees the id of `path`. Returns every other path whose id changed. */
  release(path: string): string[] {
    const changed: string[] = [];
    this.#unseat(path, changed);
    return changed;
  }

  #placeFile(path: string, sequence: IdSequence, changed: string[]): void {
    let asking = path;
    let claim: Claim = { sequence, attempt: 0, id: sequence(0) };
    for (;;) {
      const { id } = claim;
      const holder = this.#holders.get(id);
      if (holder === undefined) {
        this.#give(asking, claim);
        return;
      }
      const loser = holder < asking ? asking : holder;
      if (loser === holder) {
        const losing = this.#claims.get(holder)!;
        this.#give(asking, claim);
        changed.push(holder);
        asking = holder;
        claim = losing;
      }
      const passed = this.#passed.get(id);
      if (passed) passed.add(loser);
      else this.#passed.set(id, new Set([loser]));
      const attempt = claim.attempt + 1;
      claim = { sequence: claim.sequence, attempt, id: claim.sequence(attempt) };
    }
  }

  #give(path: string, claim: Claim): void {
    this.#holders.set(claim.id, path);
    this.#claims.set(path, claim);
  }

  #unseat(path: string, changed: string[]): void {
    const claim = this.#claims.get(path);
    if (!claim) return;
    this.#claims.delete(path);
    for (let attempt = 0; attempt < claim.attempt; attempt += 1)
      this.#passed.get(claim.sequence(attempt))?.delete(path);
    const { id } = claim;
    this.#holders.delete(id);
    const waiting = this.#passed.get(id);
    if (!waiting) return;
    this.#passed.delete(id);
    for (const other of waiting) {
      const again = this.#claims.get(other);
      if (!again) continue;
      this.#unseat(other, changed);
      this.#placeFile(other, again.sequence, changed);
      changed.push(other);
    }
  }
}
