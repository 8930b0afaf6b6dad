/** The library: sources, what is in them, and what becomes of it while it is watched. */
import type { Stats } from 'node:fs';
import { lstat } from 'node:fs/promises';
import { type FSWatcher, watch } from 'chokidar';
import type { Artifact, ContentType } from '../../shared/artifact.ts';
import { WATCH_DEPTH } from '../../shared/limits.ts';
import { Catalogue } from './catalogue.ts';
import { fileArtifact } from './file-artifact.ts';
import { fileArtifactId } from './ids.ts';
import { scanSource } from './scan.ts';
import { belongs, type Source } from './sources.ts';

export interface LibraryOptions {
  home: string;
  /** Follow changes (chokidar); otherwise each source is looked at once, when it is added. */
  watch: boolean;
}

/** What only reading a file tells, and of which state of the file. */
export interface Facts {
  fileSize: number;
  mtimeMs: number;
  total_lines: number;
  total_bytes: number;
  content_type: ContentType;
}

export class Library {
  readonly catalogue = new Catalogue();
  readonly #options: LibraryOptions;
  readonly #sources: { source: Source; watcher: FSWatcher | null }[] = [];
  /** The id under which each path was last listed: a replaced file has another birth time, and so another id. */
  readonly #idByPath = new Map<string, string>();
  readonly #facts = new Map<string, Facts>();
  #closed = false;

  constructor(options: LibraryOptions) {
    this.#options = options;
  }

  get sources(): Source[] {
    return this.#sources.map((entry) => entry.source);
  }

  pathOf(id: string): string | null {
    return this.catalogue.get(id)?.streams[0]?.file_path ?? null;
  }

  /** The innermost source that a file, by its real path, is part of, if any: that one says who may read it. */
  sourceOf(realPath: string, stats: Stats): Source | undefined {
    return this.sources
      .filter((source) => belongs(source, realPath, this.#options.home, stats))
      .reduce<Source | undefined>((a, b) => (a && a.path.length >= b.path.length ? a : b), undefined);
  }

  /** Resolves when everything in the source now is in the catalogue. */
  async addSource(source: Source): Promise<void> {
    if (this.#sources.some((known) => known.source.path === source.path)) return;
    const entry: { source: Source; watcher: FSWatcher | null } = { source, watcher: null };
    this.#sources.push(entry);
    await this.#scan(source);
    if (this.#options.watch && !this.#closed) entry.watcher = this.#watch(source);
  }

  #scan(source: Source): Promise<void> {
    return scanSource(source, this.#options.home, (path, stats) => this.#see(path, stats));
  }

  /** What a file is now, from a fresh look at it; it need not lie in a source. */
  look(realPath: string, stats: Stats): Artifact {
    if (!this.sourceOf(realPath, stats)) return this.#withFacts(fileArtifact(realPath, stats, null), stats);
    return this.catalogue.get(this.#see(realPath, stats))!;
  }

  /** Remembers what reading a file told of it, for as long as it stays as it is. */
  learn(id: string, facts: Facts): void {
    this.#facts.set(id, facts);
    const known = this.catalogue.get(id);
    const stream = known?.streams[0];
    if (
      !known ||
      !stream ||
      (stream.total_lines === facts.total_lines && stream.total_bytes === facts.total_bytes)
    )
      return;
    this.catalogue.put({ ...known, streams: [{ ...stream, ...told(facts) }] });
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.catalogue.close();
    await Promise.all(this.#sources.map((entry) => entry.watcher?.close()));
  }

  #watch(source: Source): FSWatcher {
    const { home } = this.#options;
    const watcher = watch(source.path, {
      depth: WATCH_DEPTH,
      followSymlinks: false,
      ignoreInitial: false,
      alwaysStat: true,
      ignored: (path, stats) => !belongs(source, path, home, stats),
    });
    const seen = (path: string, stats?: Stats) => {
      if (stats) this.#see(path, stats);
      else
        void lstat(path).then(
          (fresh) => (fresh.isFile() ? this.#see(path, fresh) : this.#gone(path)),
          () => this.#gone(path),
        );
    };
    watcher.on('add', seen);
    watcher.on('change', seen);
    watcher.on('unlink', (path) => this.#gone(path));
    // What appeared between the first look and the moment the watch stood was told by nobody.
    watcher.on('ready', () => void this.#scan(source));
    // A folder without permission, or too many watches: what is not watched is still read when it is asked for.
    watcher.on('error', () => {});
    return watcher;
  }

  #see(path: string, stats: Stats): string {
    const id = fileArtifactId(path, stats);
    const before = this.#idByPath.get(path);
    if (before !== undefined && before !== id) this.catalogue.remove(before);
    this.#idByPath.set(path, id);
    const artifact = this.#withFacts(
      fileArtifact(path, stats, this.sourceOf(path, stats)?.path ?? null),
      stats,
    );
    const known = this.catalogue.get(id);
    if (
      !known ||
      known.source !== artifact.source ||
      known.ended_at !== artifact.ended_at ||
      known.streams[0]?.total_bytes !== artifact.streams[0]?.total_bytes
    ) {
      this.catalogue.put(artifact);
    }
    return id;
  }

  #withFacts(artifact: Artifact, stats: Stats): Artifact {
    const facts = this.#facts.get(artifact.artifact_id);
    const [stream] = artifact.streams;
    if (!facts || !stream || facts.fileSize !== stats.size || facts.mtimeMs !== stats.mtimeMs)
      return artifact;
    return { ...artifact, streams: [{ ...stream, ...told(facts) }] };
  }

  #gone(path: string): void {
    const id = this.#idByPath.get(path);
    if (id === undefined) return;
    this.#idByPath.delete(path);
    this.#facts.delete(id);
    this.catalogue.remove(id);
  }
}

function told({ total_lines, total_bytes, content_type }: Facts) {
  return { total_lines, total_bytes, content_type };
}
