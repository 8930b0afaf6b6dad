/** Builds the host from a configuration: pool, library and documents behind the API of host.ts. */
import type { Stats } from 'node:fs';
import { realpath, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join, resolve, sep } from 'node:path';
import type * as z from 'zod';
import type { LibraryEvent, Notice } from '../../shared/api/api.ts';
import type { DocumentRef, DocumentState, RowsParams, RowsResult } from '../../shared/api/rows.ts';
import type {
  MatchedRowsParams,
  MatchedRowsResult,
  MatchMarksParams,
  NextMatchParams,
  SearchRef,
  SearchState,
} from '../../shared/api/search.ts';
import type { Artifact } from '../../shared/artifact.ts';
import { SpillwayError } from '../../shared/errors.ts';
import type {
  CleanupParams,
  CleanupResult,
  EndSessionParams,
  EndSessionResult,
  PinParams,
  PinResult,
  Session,
  SessionStats,
  StorageStats,
  UseSessionParams,
} from '../../shared/lifecycle.ts';
import type {
  LastFailedCommand,
  TerminalCommands,
  TerminalCommandsParams,
  TerminalOutput,
  TerminalOutputParams,
} from '../../shared/terminals.ts';
import type {
  ByteWindow,
  InspectParams,
  ListParams,
  ListResult,
  ReadParams,
  Target,
  View,
} from '../../shared/views.ts';
import { Library } from '../library/library.ts';
import { encodingNamed } from '../reader/encoding.ts';
import type { UnpackOptions } from '../reader/gzip/unpack.ts';
import { createPool, type Pool } from '../workers/pool.ts';
import { type Config, loadConfig } from './config.ts';
import type { Document } from './documents/document.ts';
import { Documents } from './documents/documents.ts';
import { FileOrigin } from './documents/file-origin.ts';
import type { Access, Host, RequestOptions } from './host.ts';
import { later } from './later.ts';
import { Lifecycle } from './lifecycle.ts';
import { OpenedElsewhere, publishOpened, unpublishOpened } from './opened.ts';
import { OwnCaptures } from './own-captures.ts';
import { rowsNeed, rowsOf } from './rows.ts';
import { Searches } from './search/searches.ts';
import { WindowSearch } from './search/window-search.ts';
import { spoolDirectory, spoolLimit } from './spool.ts';
import { pathOfTarget, readableByAgents } from './targets.ts';
import { Terminals } from './terminals.ts';
import { inspectDocument, readDocument, type ViewContext } from './views.ts';

export interface HostOptions {
  /** Spillway's home; need not exist when nothing is served. */
  home: string;
  /** Files and directories to open, as a person named them: absolute, or relative to the working directory. */
  paths?: readonly string[];
  /** Follow changes in the sources; otherwise each is looked at once. */
  watch: boolean;
  /** Threads for heavy work; 0 runs it on the caller's thread. */
  threads?: number;
  /** This process is the inspector: the paths it opens are made known to the other processes of the home. */
  publish?: boolean;
  /** Cleans up by the retention settings at the start and every ten minutes, and compresses what rests. */
  tidy?: boolean;
}

/** Paths that cannot be opened become warnings. */
export async function createHost(options: HostOptions): Promise<Host> {
  const host = new LocalHost(options, loadConfig(options.home));
  await host.start();
  return host;
}

/** Artifacts of an opened directory that come back at once; the rest is in the list. */
const OPENED_MAX = 100;

/** Notices kept while there is no window to tell. */
const UNTOLD_MAX = 20;

class LocalHost implements Host {
  /** Exposed for tests that kill its threads. */
  readonly pool: Pool;
  readonly #options: HostOptions;
  readonly #config: Config;
  readonly #library: Library;
  readonly #documents = new Documents();
  readonly #captures: OwnCaptures;
  readonly #unpack: UnpackOptions;
  readonly #searches: Searches;
  readonly #search: WindowSearch;
  readonly #lifecycle: Lifecycle;
  readonly #terminals: Terminals;
  readonly #noticeListeners = new Set<(notice: Notice) => void>();
  #untold: Notice[] = [];
  /** Paths of ids that were watched: a replaced file has a new id, its window the old one. */
  readonly #watchedIds = new Map<string, string>();
  readonly #warnings: string[];
  #openedPaths: string[] = [];
  readonly #inspector: OpenedElsewhere | null;
  #started = false;

  constructor(options: HostOptions, config: Config) {
    this.#options = options;
    this.#config = config;
    this.#warnings = [...config.warnings];
    this.pool = createPool(options.threads);
    this.#searches = new Searches(this.pool);
    this.#search = new WindowSearch(this.pool, this.#searches, (ref, access) => this.#watchable(ref, access));
    this.#library = new Library({
      home: options.home,
      watch: options.watch,
      // What was so from the start is among the warnings.
      onProblem: (text) => this.#started && this.notify({ type: 'message', text }),
    });
    this.#unpack = {
      directory: () => spoolDirectory(options.home),
      limit: (unpacked) => spoolLimit(options.home, unpacked),
    };
    this.#captures = new OwnCaptures({
      home: options.home,
      retentionHours: config.settings.retentionHours,
      watch: options.watch,
      catalogue: this.#library.catalogue,
      documents: this.#documents,
      text: { unpack: this.#unpack, pool: this.pool },
    });
    this.#terminals = new Terminals({
      captures: this.#captures.captures,
      artifacts: () => this.#library.catalogue.all(),
      document: (target, access) => this.#document(target, access),
      inspect: (params, asked) => this.inspect(params, asked),
      lineAt: (document, offset, asked) => this.#lineAt(document, offset, asked),
      maxLineChars: config.settings.maxLineChars,
    });
    this.#inspector = options.publish
      ? null
      : new OpenedElsewhere(options.home, (path) => this.#addSource(path, true));
    this.#lifecycle = new Lifecycle(options.home, {
      onProblem: (text) => this.notify({ type: 'message', text }),
    });
  }

  get warnings(): string[] {
    return [...this.#warnings, ...this.#library.problems];
  }

  async start(): Promise<void> {
    this.#captures.start();
    for (const source of this.#config.settings.sources) {
      const { path, enabled, mcp } =
        typeof source === 'string' ? { path: source, enabled: true, mcp: true } : source;
      if (enabled) await this.#addSource(fromHome(path), mcp).catch((error) => this.#warn(error));
    }
    for (const path of this.#options.paths ?? []) {
      await this.openPath(path).catch((error) => this.#warn(error));
    }
    await this.#inspector?.take();
    if (this.#options.watch) this.#inspector?.watch();
    this.#started = true;
    if (this.#options.tidy) this.#lifecycle.start();
  }

  async list(params: ListParams, options?: RequestOptions): Promise<ListResult> {
    await Promise.all([this.#inspector?.take(), this.#captures.captures.refresh()]);
    return this.#library.catalogue.list(
      params,
      options?.access === 'agent' ? readableByAgents(this.#library) : undefined,
    );
  }

  async inspect(params: InspectParams, options?: RequestOptions): Promise<View> {
    const document = await this.#document(params, options?.access ?? 'person');
    return inspectDocument(document, params, this.#context(options));
  }

  async read(params: ReadParams, options?: RequestOptions): Promise<ByteWindow> {
    const document = await this.#document(params, options?.access ?? 'person');
    return readDocument(document, params, this.#context(options));
  }

  async rows(params: RowsParams, options?: RequestOptions): Promise<RowsResult> {
    const document = await this.#document(params.document, options?.access ?? 'person');
    const request = { start: params.start_line, count: params.count, fromEnd: params.from_end ?? false };
    return document.use({ need: rowsNeed(request), ...options }, async (generation) => {
      const { signal } = options ?? {};
      const result = await rowsOf(generation, request, this.pool, signal);
      const rows = await this.#search.highlighted(result.rows, params.highlight, signal);
      return { generation: generation.number, start_line: result.start_line, rows };
    });
  }

  matchedRows(
    params: z.infer<typeof MatchedRowsParams>,
    options?: RequestOptions,
  ): Promise<MatchedRowsResult> {
    return this.#search.matchedRows(params, options);
  }

  nextMatch(params: z.infer<typeof NextMatchParams>, options?: RequestOptions) {
    return this.#search.nextMatch(params, options);
  }

  matchMarks(params: z.infer<typeof MatchMarksParams>, options?: RequestOptions) {
    return this.#search.matchMarks(params, options);
  }

  watchSearch(
    ref: SearchRef,
    listener: (state: SearchState) => void,
    onError: (error: Error) => void,
  ): () => void {
    return this.#search.watch(ref, listener, onError);
  }

  async lineAt(ref: DocumentRef, offset: number, options?: RequestOptions): Promise<number> {
    return this.#lineAt(await this.#document(ref, options?.access ?? 'person'), offset, options);
  }

  #lineAt(document: Document, offset: number, options?: RequestOptions): Promise<number> {
    return document.use({ need: 'everything', ...options }, async (generation) => {
      if (offset > generation.size) {
        throw new SpillwayError(
          'out_of_range',
          `offset ${offset} is past the end`,
          `the stream has ${generation.size} bytes`,
        );
      }
      const args = { ...generation.stream(), offset };
      return generation.numbers.shown(await this.pool.run('lineAt', args, { signal: options?.signal }));
    });
  }

  terminalOutput(params: TerminalOutputParams, options?: RequestOptions): Promise<TerminalOutput> {
    return this.#terminals.output(params, options);
  }

  terminalCommands(params: TerminalCommandsParams): Promise<TerminalCommands> {
    return this.#terminals.commands(params);
  }

  async lastFailedCommand(): Promise<LastFailedCommand> {
    return { command: await this.#terminals.lastFailed() };
  }

  async stats(options?: RequestOptions): Promise<StorageStats> {
    await this.#inspector?.take();
    const all = this.#library.catalogue.all();
    const agent = options?.access === 'agent';
    return this.#lifecycle.stats(agent ? all.filter(readableByAgents(this.#library)) : all);
  }

  cleanup(params: CleanupParams): Promise<CleanupResult> {
    return this.#lifecycle.cleanup(params);
  }

  pin(params: PinParams): Promise<PinResult> {
    return this.#lifecycle.pin(params);
  }

  unpin(params: PinParams): Promise<PinResult> {
    return this.#lifecycle.unpin(params);
  }

  sessions(): Promise<SessionStats[]> {
    return this.#lifecycle.sessions();
  }

  useSession(params: UseSessionParams): Promise<Session> {
    return this.#lifecycle.useSession(params);
  }

  endSession(params: EndSessionParams): Promise<EndSessionResult> {
    return this.#lifecycle.endSession(params);
  }

  async openPath(path: string): Promise<Artifact[]> {
    const artifacts = await this.#addSource(resolve(path), true);
    const real = await realpath(resolve(path));
    // Only now, since others may have been opened meanwhile.
    this.#openedPaths = [...new Set([...this.#openedPaths, real])];
    if (this.#options.publish) publishOpened(this.#options.home, this.#openedPaths);
    return artifacts;
  }

  watchLibrary(listener: (event: LibraryEvent) => void): () => void {
    // What a person named is looked at first, however old it is.
    const opened = this.#openedPaths.flatMap((path) => this.#library.idAt(path) ?? []);
    return this.#library.catalogue.watch(listener, opened);
  }

  watchDocument(
    ref: DocumentRef,
    listener: (state: DocumentState) => void,
    onError: (error: Error) => void,
  ): () => void {
    return later(this.#watchable(ref, 'person'), onError, (document) => document.watch(listener, onError));
  }

  watchNotices(listener: (notice: Notice) => void): () => void {
    this.#noticeListeners.add(listener);
    // Told before there was a window: the first one hears it.
    for (const notice of this.#untold.splice(0)) listener(notice);
    return () => this.#noticeListeners.delete(listener);
  }

  notify(notice: Notice): void {
    if (this.#noticeListeners.size === 0) this.#untold = [...this.#untold, notice].slice(-UNTOLD_MAX);
    for (const listener of [...this.#noticeListeners]) listener(notice);
  }

  async close(): Promise<void> {
    if (this.#options.publish) unpublishOpened(this.#options.home);
    this.#inspector?.close();
    this.#captures.close();
    this.#terminals.close();
    this.#documents.closeAll();
    await Promise.all([this.#library.close(), this.pool.close(), this.#lifecycle.close()]);
  }

  #context(options: RequestOptions | undefined): ViewContext {
    return {
      pool: this.pool,
      searches: this.#searches,
      maxLineChars: this.#config.settings.maxLineChars,
      signal: options?.signal,
      access: options?.access,
    };
  }

  /** The document, remembered under the id that the window knows it by. */
  async #watchable(ref: DocumentRef, access: Access): Promise<Document> {
    const document = await this.#document(ref, access);
    this.#watchedIds.set(ref.artifact_id, document.path);
    return document;
  }

  async #document(target: Target, access: Access): Promise<Document> {
    const encoding = target.encoding === undefined ? undefined : encodingNamed(target.encoding);
    const captured = await this.#captures.document(target, access, encoding);
    if (captured) return captured;
    const path = await this.#path(target, access);
    const key = JSON.stringify([path, encoding ?? null, target.as_text ?? false]);
    return this.#documents.get(key, path, () => ({
      asText: target.as_text ?? false,
      pool: this.pool,
      origin: new FileOrigin(path, {
        encoding,
        unpack: this.#unpack,
        look: (file: string, stats: Stats) => this.#library.look(file, stats),
        counted: (_, generation) => {
          // The list says what the file is by itself, not what somebody tried to read it as.
          if (encoding !== undefined) return;
          this.#library.learn(path, {
            fileSize: generation.fileSize,
            mtimeMs: generation.mtimeMs,
            total_lines: generation.lines,
            total_bytes: generation.size,
            content_type: generation.contentType,
          });
        },
      }),
    }));
  }

  async #path(target: Target, access: Access): Promise<string> {
    const taken = this.#inspector?.count ?? 0;
    try {
      return await pathOfTarget(target, access, this.#library);
    } catch (error) {
      const watched = access === 'person' && this.#watchedIds.get(target.artifact_id ?? '');
      if (watched && this.#documents.watchedAt(watched)) return watched;
      // The inspector may have opened it since we last looked, or while we did.
      if (!this.#inspector || (await this.#inspector.take()) === taken) throw error;
      return pathOfTarget(target, access, this.#library);
    }
  }

  async #addSource(path: string, readableOverMcp: boolean): Promise<Artifact[]> {
    const real = await realpath(path).catch((error: NodeJS.ErrnoException) => {
      throw new SpillwayError(
        'not_found',
        `cannot open ${path} (${error.code})`,
        'check that it exists and may be read',
      );
    });
    const stats = await stat(real);
    if (!stats.isFile() && !stats.isDirectory()) {
      throw new SpillwayError(
        'not_a_file',
        `${path} is neither a file nor a directory`,
        'name a file or a directory',
      );
    }
    await this.#library.addSource({ path: real, isDirectory: stats.isDirectory(), readableOverMcp });
    const { outputs } = this.#library.catalogue.list({ limit: OPENED_MAX }, (artifact) =>
      isWithin(real, artifact.streams[0]?.file_path),
    );
    return outputs;
  }

  #warn(error: unknown): void {
    this.#warnings.push(error instanceof Error ? error.message : String(error));
  }
}

function isWithin(folder: string, path: string | null | undefined): boolean {
  return path === folder || path?.startsWith(folder.endsWith(sep) ? folder : folder + sep) === true;
}

function fromHome(path: string): string {
  return path === '~' || path.startsWith('~/') ? join(homedir(), path.slice(1)) : resolve(homedir(), path);
}
