/** The library: sources, what is in them, and what becomes of it while it is watched. */
import type { Stats } from 'node:fs';
import type { Artifact } from '../../shared/artifact.ts';
import { Catalogue } from './catalogue/catalogue.ts';
import { fileArtifact } from './files/file-artifact.ts';
import { type Facts, KnownFiles, UNREADABLE, withFacts } from './files/known-files.ts';
import { mayBeRead } from './files/readable.ts';
import { belongs, type Source } from './sources/source.ts';
import { isRemote } from './watching/network-folder.ts';
import { Rounds } from './watching/rounds.ts';
import { Tree } from './watching/tree.ts';

export interface LibraryOptions {
  home: string;
  /** Follow changes; otherwise each source is looked at once, when it is added. */
  watch: boolean;
  /** A source, or a part of one, can't be looked at or watched: a sentence for people. */
  onProblem?(sentence: string): void;
}

/** Facts on files that are in no source, kept at most. */
const FACTS_MAX = 1000;

export class Library {
  readonly catalogue = new Catalogue();
  readonly #options: LibraryOptions;
  readonly #files = new KnownFiles(this.catalogue);
  readonly #trees = new Map<Source, { tree: Tree; begun: Promise<void> }>();
  /** Of each source itself and those inside it, as long as there are no others. */
  readonly #within = new Map<Source, Source[]>();
  readonly #rounds = new Rounds();
  readonly #problems = new Map<string, string>();
  #closed = false;
  /** By path, of files that were read though they are in no source. */
  readonly #otherFacts = new Map<string, Facts>();

  constructor(options: LibraryOptions) {
    this.#options = options;
  }

  get sources(): Source[] {
    return [...this.#trees.keys()];
  }

  /** What can't be looked at or watched now, in sentences. */
  get problems(): string[] {
    return [...this.#problems.values()];
  }

  pathOf(id: string): string | null {
    return this.catalogue.get(id)?.streams[0]?.file_path ?? null;
  }

  /** The id of the file that is at a path, when it is in a source. */
  idAt(path: string): string | undefined {
    return this.#files.idAt(path);
  }

  /** The innermost source that a file, by its real path, is part of, if any: that one says who may read it. */
  sourceOf(realPath: string, stats: Stats): Source | undefined {
    return innermost(this.sources, realPath, this.#options.home, stats);
  }

  /** Resolves when everything in the source now is in the catalogue. */
  async addSource(source: Source): Promise<void> {
    if (this.#closed) return;
    for (const [known, { begun }] of this.#trees) if (known.path === source.path) return begun;
    const { home, watch } = this.#options;
    const tree: Tree = new Tree(source, {
      home,
      watch,
      see: (path, stats) => this.#see(source, tree, path, stats),
      lose: (path) => this.#files.lose(path, tree),
      problem: (path, sentence) => this.#problem(path, sentence),
    });
    const begun = this.#rounds.begin(tree, watch, () => isRemote(source.path));
    this.#trees.set(source, { tree, begun });
    this.#within.clear();
    return begun;
  }

  /** What a file is now, from a fresh look at it; it need not lie in a source. */
  look(realPath: string, stats: Stats): Artifact {
    const source = this.sourceOf(realPath, stats);
    if (source) {
      const id = this.#files.see(realPath, stats, source.path);
      if (!this.#files.isHeld(realPath)) this.#trees.get(source)?.tree.glimpse(realPath);
      return this.catalogue.get(id)!;
    }
    const warnings = mayBeRead(realPath, stats) ? [] : [UNREADABLE];
    return withFacts(
      fileArtifact(realPath, stats, null, { warnings }),
      this.#otherFacts.get(realPath),
      stats,
    );
  }

  /** Remembers what reading a file told of it, for as long as it stays as it is. */
  learn(path: string, facts: Facts): void {
    if (this.#files.learn(path, facts)) return;
    this.#otherFacts.delete(path);
    this.#otherFacts.set(path, facts);
    if (this.#otherFacts.size > FACTS_MAX) this.#otherFacts.delete(this.#otherFacts.keys().next().value!);
  }

  close(): void {
    this.#closed = true;
    this.#rounds.close();
    this.catalogue.close();
    for (const { tree } of this.#trees.values()) tree.close();
  }

  #see(source: Source, tree: Tree, path: string, stats: Stats): void {
    let within = this.#within.get(source);
    if (!within) {
      within = this.sources.filter((other) => other === source || isBelow(other.path, source.path));
      this.#within.set(source, within);
    }
    const owner = within.length === 1 ? source : innermost(within, path, this.#options.home, stats);
    this.#files.see(path, stats, (owner ?? source).path, tree);
  }

  #problem(path: string, sentence: string | null): void {
    if (sentence === null) {
      this.#problems.delete(path);
    } else if (this.#problems.get(path) !== sentence) {
      this.#problems.set(path, sentence);
      this.#options.onProblem?.(sentence);
    }
  }
}

function innermost(
  sources: readonly Source[],
  realPath: string,
  home: string,
  stats: Stats,
): Source | undefined {
  return sources
    .filter((source) => belongs(source, realPath, home, stats))
    .reduce<Source | undefined>((a, b) => (a && a.path.length >= b.path.length ? a : b), undefined);
}

function isBelow(path: string, folder: string): boolean {
  return path.length > folder.length && path.startsWith(folder);
}
