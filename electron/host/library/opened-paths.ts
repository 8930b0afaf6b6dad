/**
 * Adds to the library the sources in the settings, the paths opened here, and those open in the home's inspector.
 */

import { join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { ReceivedParams, RequestResult } from '../../../shared/api/api.ts';
import type { Artifact } from '../../../shared/artifact.ts';
import type { Settings } from '../../../shared/settings.ts';
import type { Library } from '../../library/library.ts';
import { pathNamed } from '../../reader/bytes/path-text.ts';
import { isUnanswered, listedLaterMessage } from '../../workers/disk.ts';
import { userFolder } from '../settings/home-path.ts';
import { addSource } from './add-source.ts';
import { type OpenedPath, readBook, writeBook } from './opened-book.ts';
import { OpenedElsewhere } from './opened-elsewhere.ts';
import { OpenedSources } from './opened-sources.ts';

/** Longest wait for the disk of a source; one that does not answer is known after a second. */
const ANSWER_MS = 10_000;

interface OpeningOptions {
  home: string;
  library: Library;
  /** Whether this process is the inspector, which publishes the paths it opens. */
  publish: boolean;
  /** Whether to follow the inspector's opened paths, rather than look on request. */
  watch: boolean;
}

export class PathOpener {
  readonly #options: OpeningOptions;
  readonly #opened: OpenedSources;
  readonly #elsewhere: OpenedElsewhere | null;
  /** Pending addition of the remembered paths. */
  #restoring: Promise<number> = Promise.resolve(0);

  constructor(options: OpeningOptions) {
    this.#options = options;
    this.#opened = new OpenedSources(options.library);
    this.#elsewhere = options.publish
      ? null
      : new OpenedElsewhere(options.home, options.library.disk, this.#opened);
  }

  /** Resolves with a sentence for each path that cannot be opened. The sources of the settings are not listed yet. */
  async start(sources: Settings['sources'], paths: readonly string[]): Promise<string[]> {
    const problems: string[] = [];
    const note = (error: unknown) => {
      problems.push(error instanceof Error ? error.message : String(error));
    };
    const names = new Set<string>();
    const added: Promise<unknown>[] = [];
    for (const source of sources) {
      if (typeof source === 'object' && 'kind' in source) continue;
      const { path, enabled, mcp, ...wanted } =
        typeof source === 'string' ? { path: source, enabled: true, mcp: true } : source;
      // Two sources of one name would share their permissions.
      if (wanted.name !== undefined && names.has(wanted.name)) {
        problems.push(`two sources are named ${wanted.name}: the second, ${path}, is listed by its path`);
        wanted.name = undefined;
      }
      if (wanted.name !== undefined) names.add(wanted.name);
      if (enabled)
        added.push(
          this.#whenItAnswers(fromHome(path), (real) =>
            addSource(this.#options.library, real, () => () => mcp, wanted, true),
          ).catch(note),
        );
    }
    // A disk that does not answer must not delay the others.
    await Promise.race([Promise.all(added), pause(ANSWER_MS, null, { ref: false })]);
    if (this.#options.publish) this.#restoring = this.#restore();
    for (const path of paths) await this.openPath({ path }).catch(note);
    await this.#elsewhere?.take();
    if (this.#options.watch) this.#elsewhere?.watch();
    return problems;
  }

  /**
   * Opens a person's file or directory, until it is removed. Resolves with its artifacts, newest first. Throws
   * `not_found` and `not_a_file`.
   *
   * @param agents whether agents may read it; by default as decided before
   */
  async openPath({ path, agents }: ReceivedParams<'openPath'>): Promise<Artifact[]> {
    const artifacts = await this.#opened.open(pathNamed(path), agents);
    this.#publish();
    return artifacts;
  }

  /** Throws `not_found` if the path is not open. */
  async removeSource({ path }: ReceivedParams<'removeSource'>): Promise<RequestResult<'removeSource'>> {
    this.#opened.remove(path);
    this.#publish();
    return {};
  }

  get opened(): OpenedPath[] {
    return this.#opened.all;
  }

  /** Ids of files opened here. */
  get openedIds(): string[] {
    return this.opened.flatMap(({ path }) => this.#options.library.idAt(path) ?? []);
  }

  /** How often new opened paths of the inspector were found. */
  get takenCount(): number {
    return this.#elsewhere?.count ?? 0;
  }

  /** Adopts the inspector's open paths, or in the inspector the remembered ones; resolves with `takenCount`. */
  async take(): Promise<number> {
    return this.#elsewhere ? this.#elsewhere.take() : this.#restoring;
  }

  close(): void {
    this.#elsewhere?.close();
  }

  /** Resolves with 1 if a path was added. */
  async #restore(): Promise<number> {
    const remembered = readBook(this.#options.home);
    // Also remember paths that are missing at the moment.
    for (const opened of remembered) this.#opened.remember(opened);
    const added = Promise.allSettled(
      remembered.map(({ path, agents }) => this.#whenItAnswers(path, () => this.#opened.open(path, agents))),
    ).then((each) => (each.some(({ status }) => status === 'fulfilled') ? 1 : 0));
    return Promise.race([added, pause(ANSWER_MS, 0, { ref: false })]);
  }

  /** Adds a path, once its file system answers. */
  async #whenItAnswers(path: string, add: (path: string) => Promise<unknown>): Promise<void> {
    const { library } = this.#options;
    const about = `silence of ${path}`;
    await add(path).catch((error: unknown) => {
      if (!isUnanswered(error)) throw error;
      library.report(about, listedLaterMessage(path));
      void library.disk
        .answering(path)
        .then(() => library.report(about, null))
        .then(() => this.#whenItAnswers(path, add))
        .catch(() => {});
    });
  }

  #publish(): void {
    const { home, publish } = this.#options;
    if (publish) writeBook(home, this.opened);
  }
}

function fromHome(path: string): string {
  return path === '~' || path.startsWith('~/')
    ? join(userFolder(), path.slice(1))
    : resolve(userFolder(), path);
}
