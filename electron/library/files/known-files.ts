/** Keeps the files of the sources, as they were last seen, as artifacts in the catalogue. */
import type { Artifact, ContentType, Stream } from '../../../shared/artifact.ts';
import type { Catalogue } from '../catalogue/catalogue.ts';
import type { FileDescription } from '../sources/facts/file-description.ts';
import { type AgentFile, namesWithin, type Source, type SourceKind } from '../sources/source.ts';
import type { UserFolders } from '../sources/user-folders.ts';
import { FileDetails } from './details.ts';
import { fileArtifact } from './file-artifact.ts';
import { fileArtifactId } from './file-id.ts';
import { type FileState, isSameState, stateOf } from './file-state.ts';
import { IdBook } from './id-book.ts';
import { mayBeRead } from './readable.ts';

/** Told at once of every change to an agent's file. */
export interface FilesListener {
  found(path: string, stats: FileState, kind: SourceKind): void;
  /** `artifact`: as it was listed last. */
  lost(path: string, artifact: Artifact, file: AgentFile, kind: SourceKind): void;
  /** A file was made and deleted before it could be looked at. */
  vanished(path: string, kind: SourceKind): void;
}

/** Counts that only reading a file gives, and the state of the file they are for. */
export interface FileCounts {
  fileSize: number;
  mtimeMs: number;
  total_lines: number;
  total_bytes: number;
  content_type: ContentType;
}

interface Known {
  seen: FileState;
  told: FileDescription;
  id: string;
  source: Source;
  readable: boolean;
  counts: FileCounts | null;
  /** Why it is not followed any more. */
  stopped: string | null;
  /** The trees that hold it; overlapping sources share files. */
  readonly holders: Set<object>;
}

interface Moved {
  known: Known;
  artifact: Artifact;
  id: string;
}

/** Warning for a file that this user can see but not read. */
export const UNREADABLE = 'may not be read: change its permissions, or open it as its owner';

const NOWHERE: UserFolders = { home: '/', temporary: '/', env: {}, platform: 'linux' };

export class KnownFiles {
  readonly #catalogue: Catalogue;
  readonly #ids = new IdBook();
  readonly #byPath = new Map<string, Known>();
  readonly #details: FileDetails;
  readonly #listener: FilesListener | null;

  constructor(catalogue: Catalogue, user: UserFolders = NOWHERE, listener: FilesListener | null = null) {
    this.#catalogue = catalogue;
    this.#listener = listener;
    this.#details = new FileDetails(user, { tell: (path, told) => this.#tell(path, told) });
  }

  /** Resolves when what the files tell has been read, or after `ms`. */
  settled(ms: number): Promise<void> {
    return this.#details.settled(ms);
  }

  /** Reads what files tell only when `work`, which lists them, is done. */
  after<T>(work: Promise<T>): Promise<T> {
    return this.#details.after(work);
  }

  close(): void {
    this.#details.close();
  }

  /** Takes in what a file is now, and returns its id. `holder`: the tree that found it. */
  see(path: string, stats: FileState, source: Source, holder?: object): string {
    const known = this.#byPath.get(path);
    if (known && holder) known.holders.add(holder);
    if (known && known.source === source && isSameState(known.seen, stats)) return known.id;
    if (known?.stopped && known.seen.birthtimeMs === stats.birthtimeMs && stats.size >= known.seen.size)
      return known.id;
    // ctime changes with permissions and access lists too.
    const readable =
      known && known.seen.ctimeMs === stats.ctimeMs && known.seen.ino === stats.ino
        ? known.readable
        : mayBeRead(path, stats);
    const seen = stateOf(stats);
    if (known && known.seen.birthtimeMs === stats.birthtimeMs) {
      Object.assign(known, { seen, source, readable, stopped: null });
      this.#put(path, known);
      return known.id;
    }
    if (known) this.#tellLost(path, known);
    if (source.kind.agent !== undefined) this.#listener?.found(path, seen, source.kind);
    const holders = known?.holders ?? new Set(holder ? [holder] : []);
    const fresh = { seen, told: {}, source, readable, counts: null, stopped: null, holders, id: '' };
    this.#byPath.set(path, fresh);
    const renamed = this.#ids.claim(path, (attempt) => fileArtifactId(path, seen, attempt));
    if (known) this.#catalogue.remove(known.id);
    const moved = this.#leave(renamed.slice(1));
    fresh.id = this.#ids.of(path)!;
    this.#put(path, fresh);
    this.#enter(moved);
    return fresh.id;
  }

  /** Shows no further growth of a file, with a warning that says why. */
  stopFollowing(path: string, reason: string): void {
    const known = this.#byPath.get(path);
    if (!known) return;
    known.stopped = reason;
    this.#details.forget(path);
    this.#show(path, known);
  }

  idAt(path: string): string | undefined {
    return this.#byPath.get(path)?.id;
  }

  kindAt(path: string): SourceKind | undefined {
    return this.#byPath.get(path)?.source.kind;
  }

  /** True when some tree holds the file. */
  isHeld(path: string): boolean {
    return (this.#byPath.get(path)?.holders.size ?? 0) > 0;
  }

  /** Removes one holder of the file; without any the file leaves the catalogue. */
  lose(path: string, holder: object): void {
    const known = this.#byPath.get(path);
    if (!known) return;
    known.holders.delete(holder);
    if (known.holders.size > 0) return;
    this.#byPath.delete(path);
    this.#tellLost(path, known);
    this.#details.forget(path);
    const renamed = this.#ids.release(path);
    this.#catalogue.remove(known.id);
    this.#enter(this.#leave(renamed));
  }

  /** Removes a holder from all its files. Returns the files that stay and belonged to its source. */
  loseAll(holder: object, source: Source): string[] {
    const held = [...this.#byPath].filter(([, { holders }]) => holders.has(holder));
    for (const [path] of held) this.lose(path, holder);
    return held.flatMap(([path, known]) => (known.holders.size > 0 && known.source === source ? [path] : []));
  }

  /** Remembers the counts that reading a file gave, until the file changes. Returns false for a file in no source. */
  learn(path: string, counts: FileCounts): boolean {
    const known = this.#byPath.get(path);
    if (!known) return false;
    known.counts = counts;
    const artifact = this.#catalogue.get(known.id);
    const stream = artifact?.streams[0];
    if (artifact && stream && fits(counts, known.seen) && !hasCounts(stream, counts)) {
      this.#catalogue.put(withCounts(artifact, counts, known.seen));
    }
    return true;
  }

  #put(path: string, known: Known): void {
    this.#show(path, known);
    const { source, seen } = known;
    if (source.kind.agent !== undefined)
      this.#details.want({ path, names: namesWithin(source, path), stats: seen }, source.kind);
  }

  #tellLost(path: string, { seen, source, id }: Known): void {
    const artifact = this.#catalogue.get(id);
    if (source.kind.agent === undefined || !artifact || this.#catalogue.hides(id)) return;
    this.#listener?.lost(
      path,
      artifact,
      { path, names: namesWithin(source, path), stats: seen },
      source.kind,
    );
  }

  #show(path: string, known: Known): void {
    const artifact = fileArtifact(path, known.seen, known.source, {
      id: known.id,
      warnings: [...(known.readable ? [] : [UNREADABLE]), ...(known.stopped ? [known.stopped] : [])],
      told: known.told,
    });
    this.#catalogue.put(withCounts(artifact, known.counts, known.seen));
  }

  #tell(path: string, told: FileDescription): void {
    const known = this.#byPath.get(path);
    if (!known || JSON.stringify(known.told) === JSON.stringify(told)) return;
    known.told = told;
    this.#show(path, known);
  }

  /** Takes the renamed files out of the catalogue: ids move between them, so all leave before any enters (`#enter`). */
  #leave(paths: readonly string[]): Moved[] {
    const moved = paths.flatMap((path) => {
      const known = this.#byPath.get(path);
      const artifact = known && this.#catalogue.get(known.id);
      const id = this.#ids.of(path);
      return known && artifact && id !== undefined ? [{ known, artifact, id }] : [];
    });
    for (const { known } of moved) this.#catalogue.remove(known.id);
    return moved;
  }

  #enter(moved: readonly Moved[]): void {
    for (const { known, artifact, id } of moved) {
      known.id = id;
      this.#catalogue.put({ ...artifact, artifact_id: id });
    }
  }
}

/** Adds counts to an artifact, if the file is still in the state that was read. */
export function withCounts(
  artifact: Artifact,
  counts: FileCounts | null | undefined,
  seen: Pick<FileState, 'size' | 'mtimeMs'>,
): Artifact {
  const [stream] = artifact.streams;
  if (!counts || !stream || !fits(counts, seen)) return artifact;
  const { total_lines, total_bytes, content_type } = counts;
  return { ...artifact, streams: [{ ...stream, total_lines, total_bytes, content_type }] };
}

function fits(counts: FileCounts, seen: Pick<FileState, 'size' | 'mtimeMs'>): boolean {
  return counts.fileSize === seen.size && counts.mtimeMs === seen.mtimeMs;
}

function hasCounts(stream: Stream, counts: FileCounts): boolean {
  return stream.total_lines === counts.total_lines && stream.total_bytes === counts.total_bytes;
}
