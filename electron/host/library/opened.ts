/**
 * Adds to the library the sources in the settings, the paths opened here, and those open in the home's inspector.
 */

import { lstatSync, readFileSync } from 'node:fs';
import { join, resolve, sep } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import * as z from 'zod';
import type { ReceivedParams, RequestResult } from '../../../shared/api/api.ts';
import type { Artifact } from '../../../shared/artifact.ts';
import { SpillwayError } from '../../../shared/errors.ts';
import type { Settings } from '../../../shared/settings.ts';
import type { Library } from '../../library/library.ts';
import { directoryOf, type Source, singleFile } from '../../library/source.ts';
import { isWithin, pathNamed } from '../../reader/bytes/path-text.ts';
import type { Entry } from '../../reader/disks/entries.ts';
import { Owner, type PidScope, thisProcess } from '../../store/format/owner.ts';
import { replaceFile } from '../../store/format/small-file.ts';
import { type Disk, isUnanswered, listedLaterMessage } from '../../workers/disk.ts';
import { missingPath } from '../documents/targets/path-of-target.ts';
import { fromUser, userFolder } from '../settings/home-path.ts';

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
  /** The sources of the settings; null for one whose disk has not answered yet, or that is missing. */
  readonly #listed = new Map<string, Source | null>();
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
    await this.#list(sources, note, (text) => problems.push(text));
    if (this.#options.publish) this.#restoring = this.#restore();
    for (const path of paths) await this.openPath({ path }).catch(note);
    await this.#elsewhere?.take();
    if (this.#options.watch) this.#elsewhere?.watch();
    return problems;
  }

  /** Adds the sources of the new settings, and removes the others that came from settings. */
  async use(sources: Settings['sources'], say: (text: string) => void): Promise<void> {
    await this.#list(sources, (error) => say(error instanceof Error ? error.message : String(error)), say);
  }

  /** @param note takes what opening a source throws, `say` a sentence about the settings */
  async #list(
    sources: Settings['sources'],
    note: (error: unknown) => void,
    say: (text: string) => void,
  ): Promise<void> {
    const names = new Set<string>();
    const wantedNow = new Map<string, () => Promise<void>>();
    for (const source of sources) {
      if (typeof source === 'object' && 'kind' in source) continue;
      const { path, enabled, mcp, ...wanted } =
        typeof source === 'string' ? { path: source, enabled: true, mcp: true } : source;
      if (!enabled) continue;
      // Two sources of one name would share their permissions.
      if (wanted.name !== undefined && names.has(wanted.name)) {
        say(`two sources are named ${wanted.name}: the second, ${path}, is listed by its path`);
        wanted.name = undefined;
      }
      if (wanted.name !== undefined) names.add(wanted.name);
      const key = JSON.stringify([path, mcp, wanted.name, wanted.pattern]);
      wantedNow.set(key, () =>
        this.#whenItAnswers(resolve(userFolder(), fromUser(path)), async (real) => {
          const added = await addSource(this.#options.library, real, () => () => mcp, wanted, true);
          if (this.#listed.has(key)) this.#listed.set(key, added.source);
          else this.#options.library.removeSource(added.source);
        }).catch(note),
      );
    }
    for (const [key, source] of this.#listed) {
      if (wantedNow.has(key)) continue;
      this.#listed.delete(key);
      if (source) this.#options.library.removeSource(source);
    }
    const added = [...wantedNow].map(([key, add]) => {
      if (this.#listed.has(key)) return null;
      this.#listed.set(key, null);
      return add();
    });
    // A disk that does not answer must not delay the others.
    await Promise.race([Promise.all(added), pause(ANSWER_MS, null, { ref: false })]);
  }

  /**
   * Opens a person's file or directory, until it is removed. Resolves with its artifacts, newest first. Throws
   * `not_found` and `not_a_file`.
   *
   * @param agents whether agents may read it; by default as decided before
   */
  async openPath({ path, agents }: ReceivedParams<'openPath'>): Promise<Artifact[]> {
    const artifacts = await this.#opened.open(pathNamed(fromUser(path)), agents);
    this.#publish();
    return artifacts;
  }

  async completePath({ path }: ReceivedParams<'completePath'>): Promise<RequestResult<'completePath'>> {
    return { paths: await completions(path, (folder) => this.#options.library.disk.entries(folder)) };
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

const MAX_COMPLETIONS = 100;
const LAST_NAME = sep === '/' ? /[^/]*$/ : /[^/\\]*$/;

/**
 * Returns what the folder of a typed path has that begins as its last name does: as typed, or else with letters in
 * another case. Hidden names only after a dot. The folder is named as it was typed, as in `~/logs/`.
 */
export async function completions(
  typed: string,
  entries: (folder: string) => Promise<Entry[]>,
): Promise<string[]> {
  const start = LAST_NAME.exec(typed)![0];
  const folder = typed.slice(0, typed.length - start.length);
  if (folder === '') return typed === '~' ? ['~/'] : [];
  const found = await entries(pathNamed(fromUser(folder))).catch(() => []);
  const shown = found.filter(({ name }) => start.startsWith('.') || !name.startsWith('.'));
  const exact = shown.filter(({ name }) => name.startsWith(start));
  const small = start.toLowerCase();
  const all = exact.length > 0 ? exact : shown.filter(({ name }) => name.toLowerCase().startsWith(small));
  return all
    .map(({ name, type }) => folder + name + (type === 'folder' ? sep : ''))
    .sort((a, b) => a.localeCompare(b, 'en', { numeric: true }))
    .slice(0, MAX_COMPLETIONS);
}

/** The opened files and folders, as sources of a library. Agents may read the ones that the person allowed. */
class OpenedSources {
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

/** Time between two checks, in a process that watches, of the inspector's opened paths. */
const CHECK_MS = 500;

/** Mirrors the paths open in the home's inspector in another process's library. */
class OpenedElsewhere {
  readonly #home: string;
  readonly #disk: Disk;
  readonly #opened: OpenedSources;
  #stamp: string | null = null;
  #count = 0;
  #taking: Promise<number> = Promise.resolve(0);
  #timer: NodeJS.Timeout | null = null;

  constructor(home: string, disk: Disk, opened: OpenedSources) {
    this.#home = home;
    this.#disk = disk;
    this.#opened = opened;
  }

  /** Rises whenever something was added. */
  get count(): number {
    return this.#count;
  }

  /** Adopts the paths open there now and resolves with `count`. Concurrent calls share the result. */
  take(): Promise<number> {
    this.#taking = this.#taking.then(() => this.#takeNow());
    return this.#taking;
  }

  watch(): void {
    this.#timer ??= setInterval(() => void this.take(), CHECK_MS).unref();
  }

  close(): void {
    if (this.#timer) clearInterval(this.#timer);
  }

  async #takeNow(): Promise<number> {
    const stamp = bookStamp(this.#home);
    if (stamp === this.#stamp) return this.#count;
    this.#stamp = stamp;
    const now = stamp === null ? [] : readBook(this.#home);
    for (const { path } of this.#opened.all) {
      if (!now.some((each) => each.path === path)) this.#opened.remove(path);
    }
    for (const each of now) {
      await this.#add(each).then(
        () => {
          this.#count += 1;
        },
        () => {
          // It is missing at the moment: try again.
          this.#stamp = null;
        },
      );
    }
    return this.#count;
  }

  /** Published paths are real paths; a link that replaced one since is not followed. */
  async #add({ path, agents }: OpenedPath): Promise<void> {
    if ((await this.#disk.place(path)).real !== path) throw new Error('a link');
    await this.#opened.open(path, agents);
  }
}

// Stores the opened files and folders in `opened.json` in the home, until they are removed. The home's inspector writes
// it and other processes read it, so that an id copied from the window works on the command line.

export const OpenedPath = z.object({
  /** Real path. */
  path: z.string(),
  /** Whether agents may read it over MCP. */
  agents: z.boolean(),
  /** Whether it was a file when it was last there. */
  is_file: z.boolean().default(false),
});
export type OpenedPath = z.infer<typeof OpenedPath>;

const Book = z.object({
  /** The machine or container of the paths: in another one, they may name other files. */
  place: Owner.shape.place,
  sources: z.array(OpenedPath).max(10_000),
});

/** Replaces the file atomically. Ignores errors, as an unwritable home was reported when it was prepared. */
function writeBook(home: string, sources: readonly OpenedPath[]): void {
  try {
    replaceFile(fileOf(home), JSON.stringify({ place: place(), sources }));
  } catch {
    // Opened paths are remembered only until this process ends.
  }
}

/**
 * Returns the remembered paths. If another machine or container wrote them, agents may read none: the paths may name
 * other files here.
 */
function readBook(home: string): OpenedPath[] {
  try {
    const { place: written, sources } = Book.parse(JSON.parse(readFileSync(fileOf(home), 'utf8')));
    const here = place();
    const isHere = written?.machine === here?.machine && written?.pids === here?.pids;
    return isHere ? sources : sources.map((each) => ({ ...each, agents: false }));
  } catch {
    return [];
  }
}

/** Returns a value that changes with the file; null without one. */
function bookStamp(home: string): string | null {
  try {
    const { mtimeNs, ctimeNs, ino, size } = lstatSync(fileOf(home), { bigint: true });
    return [mtimeNs, ctimeNs, ino, size].join('/');
  } catch {
    return null;
  }
}

function place(): PidScope | null {
  return thisProcess().place ?? null;
}

function fileOf(home: string): string {
  return join(home, 'opened.json');
}

// Adds a path to the library as a source.

/** Most artifacts of an opened directory to return; the list has the rest. */
const OPENED_MAX = 100;

interface AddedSource {
  /** Real path. */
  readonly path: string;
  readonly source: Source;
  /** Resolves when all files in it are listed. */
  readonly listed: Promise<void>;
}

/**
 * Resolves as soon as the source is known, before its files are listed. Throws `not_found`, `not_a_file`, or `stalled`
 * when its file system does not answer.
 *
 * @param readability gets the real path and whether it is a file; returns a function that tells whether agents may read
 *   it
 * @param wanted for a directory: its name in the list, and a glob for its files
 * @param isPutOff list its files only on request
 */
async function addSource(
  library: Library,
  path: string,
  readability: (real: string, isFile: boolean) => () => boolean,
  wanted: { name?: string | undefined; pattern?: string | undefined } = {},
  isPutOff = false,
): Promise<AddedSource> {
  const { disk } = library;
  const { real, stats } = await disk.place(path).catch(async (error: NodeJS.ErrnoException) => {
    throw await missingPath(disk, path, path, error);
  });
  if (!stats.isFile() && !stats.isDirectory()) {
    throw new SpillwayError(
      'not_a_file',
      `${path} is neither a file nor a folder`,
      'name a file or a folder',
    );
  }
  const kind = stats.isDirectory() ? directoryOf(wanted.pattern) : singleFile;
  const isReadable = readability(real, stats.isFile());
  const source: Source = {
    path: real,
    kind,
    name: stats.isDirectory() ? wanted.name : undefined,
    get readableOverMcp() {
      return isReadable();
    },
  };
  const listed = library.addSource(source, isPutOff);
  return { path: real, source, listed };
}

/** Returns artifacts of files in the source, newest first. */
function artifactsIn(library: Library, { path }: AddedSource): Artifact[] {
  return library.catalogue.list({ limit: OPENED_MAX }, ({ streams }) => {
    const file = streams[0]?.file_path ?? null;
    return file !== null && isWithin(file, path);
  }).outputs;
}
