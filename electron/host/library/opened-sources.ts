/** The opened files and folders, as sources of a library. Agents may read the ones that the person allowed. */
import type { Artifact } from '../../../shared/artifact.ts';
import { SpillwayError } from '../../../shared/errors.ts';
import type { Library } from '../../library/library.ts';
import { addSource, artifactsIn } from './add-source.ts';
import type { OpenedPath } from './opened-book.ts';

export class OpenedSources {
  readonly #library: Library;
  readonly #opened = new Map<string, OpenedPath>();
  /** The paths that existed when they were added. */
  readonly #added = new Set<string>();

  constructor(library: Library) {
    this.#library = library;
  }

  get all(): OpenedPath[] {
    return [...this.#opened.values()];
  }

  /** Remembers a path that may be missing at the moment. */
  remember(opened: OpenedPath): void {
    this.#opened.set(opened.path, opened);
  }

  /**
   * Adds a path, or changes whether agents may read it. Resolves with its artifacts, newest first. Throws `not_found`
   * and `not_a_file`.
   */
  async open(path: string, agents: boolean | undefined): Promise<Artifact[]> {
    const added = await addSource(this.#library, path, (real, isFile) => {
      // Sources from the settings are not changed.
      if (!this.#added.has(real) && this.#isKnown(real)) {
        this.#opened.delete(real);
        return () => false;
      }
      this.#added.add(real);
      this.#opened.set(real, {
        path: real,
        agents: agents ?? this.#opened.get(real)?.agents ?? false,
        is_file: isFile,
      });
      return () => this.#isReadable(real);
    });
    await added.listed;
    return artifactsIn(this.#library, added);
  }

  /** Throws `not_found` if the path is not open. */
  remove(path: string): void {
    if (!this.#opened.delete(path)) {
      throw new SpillwayError(
        'not_found',
        `${path} was not opened here`,
        'sources of the settings are removed from config.json',
      );
    }
    if (!this.#added.delete(path)) return;
    const source = this.#library.sources.find((each) => each.path === path && each.kind.agent === undefined);
    if (source) this.#library.removeSource(source);
  }

  #isKnown(path: string): boolean {
    return this.#library.sources.some((source) => source.path === path && source.kind.agent === undefined);
  }

  /** The person's choice; by default, a path inside a source that agents may read is readable. */
  #isReadable(path: string): boolean {
    const { agents = false, is_file: isFile = false } = this.#opened.get(path) ?? {};
    if (agents) return true;
    const type = { isFile: () => isFile, isDirectory: () => !isFile };
    return this.#library.sourceAround(path, type)?.readableOverMcp ?? false;
  }
}
