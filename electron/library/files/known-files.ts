/** The files of the sources as they were last seen, kept as artifacts in the catalogue. */
import type { Stats } from 'node:fs';
import type { Artifact, ContentType, Stream } from '../../../shared/artifact.ts';
import { fileArtifactId } from '../../store/format/ids.ts';
import type { Catalogue } from '../catalogue/catalogue.ts';
import { fileArtifact } from './file-artifact.ts';
import { IdBook } from './id-book.ts';
import { mayBeRead } from './readable.ts';

/** What only reading a file tells, and of which state of the file. */
export interface Facts {
  fileSize: number;
  mtimeMs: number;
  total_lines: number;
  total_bytes: number;
  content_type: ContentType;
}

type Seen = Pick<Stats, 'size' | 'mtimeMs' | 'ctimeMs' | 'birthtimeMs' | 'ino' | 'dev'>;

interface Known {
  seen: Seen;
  id: string;
  source: string;
  readable: boolean;
  facts: Facts | null;
  /** Who has it in its folders; an overlapping source may have it too. */
  readonly holders: Set<object>;
}

interface Moved {
  known: Known;
  artifact: Artifact;
  id: string;
}

/** A sentence for an artifact that the owner of this process can see but not read. */
export const UNREADABLE = 'may not be read: change its permissions, or open it as its owner';

export class KnownFiles {
  readonly #catalogue: Catalogue;
  readonly #ids = new IdBook();
  readonly #byPath = new Map<string, Known>();

  constructor(catalogue: Catalogue) {
    this.#catalogue = catalogue;
  }

  /** Takes in what a file is now, and gives its id. `holder` has it in its folders. */
  see(path: string, stats: Stats, source: string, holder?: object): string {
    const known = this.#byPath.get(path);
    if (known && holder) known.holders.add(holder);
    if (known && known.source === source && isSame(known.seen, stats)) return known.id;
    // The time of change tells of permissions too, access lists among them.
    const readable =
      known && known.seen.ctimeMs === stats.ctimeMs && known.seen.ino === stats.ino
        ? known.readable
        : mayBeRead(path, stats);
    const seen = seenOf(stats);
    if (known && known.seen.birthtimeMs === stats.birthtimeMs) {
      Object.assign(known, { seen, source, readable });
      this.#put(path, known, stats);
      return known.id;
    }
    const holders = known?.holders ?? new Set(holder ? [holder] : []);
    const fresh = { seen, source, readable, facts: null, holders, id: '' };
    this.#byPath.set(path, fresh);
    const renamed = this.#ids.claim(path, (attempt) => fileArtifactId(path, seen, attempt));
    if (known) this.#catalogue.remove(known.id);
    const moved = this.#leave(renamed.slice(1));
    fresh.id = this.#ids.of(path)!;
    this.#put(path, fresh, stats);
    this.#enter(moved);
    return fresh.id;
  }

  idAt(path: string): string | undefined {
    return this.#byPath.get(path)?.id;
  }

  /** Some source's folders have it. */
  isHeld(path: string): boolean {
    return (this.#byPath.get(path)?.holders.size ?? 0) > 0;
  }

  /** `holder` no longer has it; when nobody has, it is no artifact any more. */
  lose(path: string, holder: object): void {
    const known = this.#byPath.get(path);
    if (!known) return;
    known.holders.delete(holder);
    if (known.holders.size > 0) return;
    this.#byPath.delete(path);
    const renamed = this.#ids.release(path);
    this.#catalogue.remove(known.id);
    this.#enter(this.#leave(renamed));
  }

  /** Remembers what reading a file told of it, for as long as it stays as it is. False when it is not one of these. */
  learn(path: string, facts: Facts): boolean {
    const known = this.#byPath.get(path);
    if (!known) return false;
    known.facts = facts;
    const artifact = this.#catalogue.get(known.id);
    const stream = artifact?.streams[0];
    if (artifact && stream && fits(facts, known.seen) && !says(stream, facts)) {
      this.#catalogue.put(withFacts(artifact, facts, known.seen));
    }
    return true;
  }

  #put(path: string, known: Known, stats: Stats): void {
    const artifact = fileArtifact(path, stats, known.source, {
      id: known.id,
      warnings: known.readable ? [] : [UNREADABLE],
    });
    this.#catalogue.put(withFacts(artifact, known.facts, known.seen));
  }

  /** Ids go from one of these to another: first all leave theirs, then all take the new. */
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

/** The artifact with what reading its file told, if the file still is what was read. */
export function withFacts(
  artifact: Artifact,
  facts: Facts | null | undefined,
  seen: Pick<Seen, 'size' | 'mtimeMs'>,
): Artifact {
  const [stream] = artifact.streams;
  if (!facts || !stream || !fits(facts, seen)) return artifact;
  const { total_lines, total_bytes, content_type } = facts;
  return { ...artifact, streams: [{ ...stream, total_lines, total_bytes, content_type }] };
}

function fits(facts: Facts, seen: Pick<Seen, 'size' | 'mtimeMs'>): boolean {
  return facts.fileSize === seen.size && facts.mtimeMs === seen.mtimeMs;
}

function says(stream: Stream, facts: Facts): boolean {
  return stream.total_lines === facts.total_lines && stream.total_bytes === facts.total_bytes;
}

function seenOf({ size, mtimeMs, ctimeMs, birthtimeMs, ino, dev }: Stats): Seen {
  return { size, mtimeMs, ctimeMs, birthtimeMs, ino, dev };
}

function isSame(a: Seen, b: Seen): boolean {
  return (
    a.size === b.size &&
    a.mtimeMs === b.mtimeMs &&
    a.ctimeMs === b.ctimeMs &&
    a.birthtimeMs === b.birthtimeMs &&
    a.ino === b.ino &&
    a.dev === b.dev
  );
}
