/**
 * Holds the text of a file or stream over time. Each request checks the file first: growth is indexed, a truncated
 * or replaced file begins a new generation, and a view whose bytes changed under it is made again.
 */
import { setTimeout as wait } from 'node:timers/promises';
import type { DocumentState } from '../../../shared/api/rows.ts';
import type { Artifact, StreamName } from '../../../shared/artifact.ts';
import { closing, SpillwayError, toSpillwayError } from '../../../shared/errors.ts';
import type { Pool } from '../../workers/pool.ts';
import type { Access } from '../host.ts';
import type { Checked, Generation, Origin } from './generation.ts';
import { Indexer } from './indexer.ts';

/** Time between two looks at a watched file. It polls, as events are lost on network shares and over mounts. */
const CHECK_MS = 200;
/** Shortest time between two state events. */
const TELL_MS = 50;
const TRIES = 4;

export interface DocumentOptions {
  origin: Origin;
  /** Whether to show binary bytes as text. */
  asText: boolean;
  pool: Pool;
  /** Called when nothing needs the document any more. */
  onIdle?(): void;
}

/** The part of the index that a request needs; more for a text with gaps. */
export type Need = IndexPart | ((generation: Generation) => IndexPart);
export type IndexPart = 'nothing' | 'everything' | { line: number } | { bytes: number };

/** `count` extends the index during the work. */
type Work<T> = (
  generation: Generation,
  artifact: Artifact,
  count: (part: IndexPart) => Promise<void>,
) => Promise<T>;

interface UseOptions {
  need: Need;
  signal?: AbortSignal | undefined;
  /** The caller's rights; `person` by default. */
  access?: Access | undefined;
  /** Whether the state of the last look is enough, as a window watches the file and is told of changes. */
  asSeen?: boolean;
}

export class Document {
  readonly path: string;
  readonly #options: DocumentOptions;
  readonly #listeners = new Set<(state: DocumentState) => void>();
  #artifact: Artifact | null = null;
  #generation: Generation | null = null;
  #indexer: Indexer | null = null;
  #number = 0;
  #problem: FileProblem | null = null;
  #notice: DocumentState['notice'] = null;
  #checking: Promise<void> | null = null;
  #timer: NodeJS.Timeout | null = null;
  #telling: NodeJS.Timeout | null = null;
  #closed = false;
  #requests = 0;
  lastUsed = Date.now();

  constructor(path: string, options: DocumentOptions) {
    this.path = path;
    this.#options = options;
  }

  get watched(): boolean {
    return this.#listeners.size > 0;
  }

  /** Whether a window or a running request needs it. */
  get needed(): boolean {
    return this.watched || this.#requests > 0;
  }

  get stream(): StreamName {
    return this.#options.origin.stream;
  }

  /** Resolves with whether an open descriptor keeps a deleted file on the disk. */
  async holdsDeleted(): Promise<boolean> {
    const generation = this.#generation;
    if (!generation) return false;
    return generation.using(() => generation.isUnlinked()).catch(() => false);
  }

  /** The artifact id under which the file is known now. */
  get artifactId(): string | null {
    return this.#artifact?.artifact_id ?? null;
  }

  /**
   * Runs `work` on the current stream. Throws `not_found`, `no_permission` and the like if it can't be read, `changed`
   * if the file keeps changing during the request, `cancelled` when the signal fires.
   */
  async use<T>(asked: Need | UseOptions, work: Work<T>): Promise<T> {
    this.#requests += 1;
    try {
      return await this.#use(typeof asked === 'object' && 'need' in asked ? asked : { need: asked }, work);
    } finally {
      this.#requests -= 1;
      this.lastUsed = Date.now();
      if (!this.needed) this.#options.onIdle?.();
    }
  }

  async #use<T>({ need, signal, access, asSeen }: UseOptions, work: Work<T>): Promise<T> {
    for (let tries = 1; ; tries += 1) {
      if (!asSeen || tries > 1 || !this.#isSeen) await this.#check();
      if (this.#closed) throw closing();
      // Only a window may show old text, as it also says what happened to the file.
      if (this.#problem && (access === 'agent' || !this.watched)) throw this.#problem.error;
      const generation = this.#generation;
      const artifact = this.#artifact;
      if (!generation || !artifact)
        throw (
          this.#problem?.error ?? new SpillwayError('not_found', 'the file no longer exists', 'name another')
        );
      try {
        return await generation.using(async () => {
          await this.#indexed(generation, need, signal);
          const result = await work(generation, artifact, (part) => this.#indexed(generation, part, signal));
          if (await generation.holds()) return result;
          throw new SpillwayError(
            'changed',
            'the file keeps changing while it is read',
            'ask again when it changes less',
          );
        });
      } catch (error) {
        if (toSpillwayError(error).code !== 'changed' || tries === TRIES) throw error;
        await wait(10 * tries);
      }
    }
  }

  watch(listener: (state: DocumentState) => void, onError: (error: Error) => void): () => void {
    // Checked every 200 ms for others: a search for each key need not wait for two more calls of the system.
    const checked = this.#isSeen ? Promise.resolve() : this.#check();
    this.#listeners.add(listener);
    checked.then(
      () => {
        if (!this.#listeners.has(listener)) return;
        const state = this.state();
        if (state) listener(state);
        else onError(this.#problem?.error ?? new Error('the file no longer exists'));
        this.#countAll();
      },
      (error: Error) => onError(error),
    );
    this.#timer ??= setInterval(() => {
      void this.#check().then(() => this.#countAll());
    }, CHECK_MS);
    return () => {
      this.#listeners.delete(listener);
      this.lastUsed = Date.now();
      if (this.#listeners.size > 0 || !this.#timer) return;
      clearInterval(this.#timer);
      this.#timer = null;
      if (!this.needed) this.#options.onIdle?.();
    };
  }

  state(): DocumentState | null {
    const generation = this.#generation;
    const artifact = this.#artifact;
    if (!artifact) return null;
    const binary = generation?.contentType === 'binary' && !this.#options.asText;
    return {
      artifact,
      stream: this.#options.origin.stream,
      generation: this.#number,
      total_bytes: generation?.size ?? 0,
      indexed_bytes: generation?.index.indexedBytes ?? 0,
      total_lines: generation?.numbers.total ?? 0,
      is_unpacking: generation?.isPartial ?? false,
      content_type: generation?.contentType ?? 'unknown',
      encoding: generation?.encoding ?? 'utf-8',
      format: generation?.format ?? null,
      has_arrivals: generation?.arrivals() != null,
      reads_printed: generation?.readsPrinted ?? false,
      condition: conditionOf(this.#problem, binary),
      problem: this.#problem && {
        what: this.#problem.error.what,
        todo: this.#problem.todo ?? this.#problem.error.todo,
      },
      notice: this.#notice,
    };
  }

  /** Whether a window watches the file, so that the last look is new enough. */
  get #isSeen(): boolean {
    return this.watched && this.#generation !== null && !this.#problem;
  }

  close(): void {
    this.#closed = true;
    if (this.#timer) clearInterval(this.#timer);
    if (this.#telling) clearTimeout(this.#telling);
    this.#listeners.clear();
    this.#indexer?.stop();
    this.#generation?.close();
    this.#generation = null;
  }

  /** Checks the file once. Calls that arrive during a check share the next one, so that they see later changes. */
  async #check(): Promise<void> {
    if (this.#checking) await this.#checking;
    this.#checking ??= this.#checkNow().finally(() => {
      this.#checking = null;
    });
    return this.#checking;
  }

  async #checkNow(): Promise<void> {
    try {
      const checked = await this.#options.origin.check(this.#generation);
      if (checked) this.#take(checked);
      if (this.#problem) this.#set(null);
    } catch (error) {
      this.#set(problemFrom(error, this.#generation !== null));
    }
  }

  #take({ generation, artifact, notice }: Checked): void {
    const news = generation !== this.#generation;
    if (news && this.#closed) {
      generation.close();
      return;
    }
    if (news) this.#begin(generation);
    this.#artifact = artifact;
    if (notice) this.#note(notice);
    if (news && generation.problem) this.#note(reasonSentence(generation.problem));
    this.#tell();
  }

  #begin(next: Generation): void {
    this.#indexer?.stop();
    this.#generation?.close();
    this.#generation = next;
    this.#number += 1;
    next.number = this.#number;
    let { problem } = next;
    this.#indexer = new Indexer(next, this.#options.pool, {
      progress: () => {
        // A compressed file turned out to be damaged, or too large to unpack.
        if (next.problem && next.problem !== problem) this.#note(reasonSentence(next.problem));
        problem = next.problem;
        this.#tell();
      },
      restart: () => this.#note('A background reader stopped; it was started again and goes on.'),
    });
  }

  async #indexed(generation: Generation, need: Need, signal?: AbortSignal): Promise<void> {
    const indexer = this.#indexer;
    const part = typeof need === 'function' ? need(generation) : need;
    if (part === 'nothing' || !indexer) return;
    const { index } = generation;
    await indexer.until(() => {
      if (part === 'everything') return false;
      return 'line' in part ? index.newlines >= part.line : index.indexedBytes >= part.bytes;
    }, signal);
    if (generation.complete && this.#artifact && generation === this.#generation) {
      this.#options.origin.counted?.(this.#artifact, generation);
    }
  }

  /** Counts the whole file for a window, without a request, and learns its format. */
  #countAll(): void {
    const generation = this.#generation;
    if (!generation || (generation.complete && generation.format) || !this.watched) return;
    generation
      .using(async () => {
        await this.#indexed(generation, 'everything');
        const { format } = generation;
        await generation.learnFormat(this.#options.pool);
        if (generation.format !== format) this.#tell();
      })
      .catch(() => {
        // The next look reports what happened to the file.
      });
  }

  #set(problem: FileProblem | null): void {
    if (problem?.error.message === this.#problem?.error.message) return;
    this.#problem = problem;
    this.#tell();
  }

  #note(text: string): void {
    this.#notice = { at: new Date().toISOString(), text };
    this.#tell();
  }

  #tell(): void {
    if (this.#telling || !this.watched) return;
    this.#telling = setTimeout(() => {
      this.#telling = null;
      const state = this.state();
      if (state) for (const listener of [...this.#listeners]) listener(state);
    }, TELL_MS);
  }
}

// Turns file system errors into errors for requests and states for the window.

interface FileProblem {
  condition: DocumentState['condition'];
  /** For a request: it shows nothing of the file. */
  error: SpillwayError;
  /** Advice of a window that shows the file, if it differs from the error's. */
  todo?: string;
}

const HELD = 'what was read of it stays readable until this view is closed';

/** `opened`: a descriptor is still open, so a window can still show the text read before. */
export function problemFrom(error: unknown, opened: boolean): FileProblem {
  if (error instanceof SpillwayError) return { condition: 'failed', error };
  const code = (error as NodeJS.ErrnoException)?.code;
  if (code === 'ENOENT' || code === 'ENOTDIR') {
    return {
      condition: 'vanished',
      error: new SpillwayError(
        'not_found',
        'the file no longer exists',
        'look in the list for what there is now',
      ),
      ...(opened && { todo: HELD }),
    };
  }
  if (code === 'ELOOP') {
    const todo = 'links are not followed, name the file itself';
    return {
      condition: 'vanished',
      error: new SpillwayError('not_found', 'a link has replaced the file', todo),
      ...(opened && { todo: `links are not followed; ${HELD}` }),
    };
  }
  if (code === 'EACCES' || code === 'EPERM') {
    const todo = 'change its permissions, or open it as its owner';
    return {
      condition: 'no_permission',
      error: new SpillwayError(
        'no_permission',
        opened ? 'permission to read the file was removed' : 'no permission to read the file',
        todo,
      ),
      ...(opened && { todo: `${todo}; ${HELD}` }),
    };
  }
  if (code === 'EISDIR') {
    const what = opened
      ? 'the file was replaced by something that is not a file'
      : 'this is not a regular file';
    return {
      condition: 'failed',
      error: new SpillwayError('not_a_file', what, 'name a file'),
      ...(opened && { todo: HELD }),
    };
  }
  if (code === 'EMFILE' || code === 'ENFILE') {
    return {
      condition: 'failed',
      error: new SpillwayError(
        'busy',
        'too many files are open',
        'close some views, or raise the limit on open files',
      ),
    };
  }
  const message = error instanceof Error ? error.message : String(error);
  return {
    condition: 'failed',
    error: new SpillwayError('internal', `the file cannot be read (${code ?? message})`, 'try again'),
  };
}

function conditionOf(problem: FileProblem | null, binary: boolean): DocumentState['condition'] {
  return problem?.condition ?? (binary ? 'binary' : 'ok');
}

function reasonSentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}

/** Unused documents to keep for the next request. Each has one or two descriptors and its index. */
const KEPT_DOCUMENTS = 32;
/** Milliseconds between two closings of documents whose file was deleted. */
const SWEEP_MS = 10_000;

/** Keeps documents open while a window watches them, and a few recently used ones. */
export class Documents {
  readonly #open = new Map<string, Document>();
  #closed = false;
  #timer: NodeJS.Timeout | null = null;

  /** Throws `cancelled` once all are closed. */
  get(key: string, path: string, options: () => DocumentOptions): Document {
    if (this.#closed) throw closing();
    let document = this.#open.get(key);
    if (!document) {
      document = new Document(path, { ...options(), onIdle: () => this.#trim() });
      this.#open.set(key, document);
      this.#timer ??= setInterval(() => void this.sweep(), SWEEP_MS).unref();
    }
    document.lastUsed = Date.now();
    return document;
  }

  /** Whether a window watches a document of this path. */
  watchedAt(path: string): boolean {
    return [...this.#open.values()].some((document) => document.watched && document.path === path);
  }

  watched(key: string): Document | null {
    const document = this.#open.get(key);
    return document?.watched ? document : null;
  }

  /** Closes unused documents whose file was deleted: only then is its disk space free. */
  async sweep(): Promise<void> {
    const unused = [...this.#open].filter(([, document]) => !document.needed);
    for (const [key, document] of unused) {
      if (!(await document.holdsDeleted()) || document.needed || this.#open.get(key) !== document) continue;
      document.close();
      this.#open.delete(key);
    }
  }

  closeAll(): void {
    this.#closed = true;
    if (this.#timer) clearInterval(this.#timer);
    for (const document of this.#open.values()) document.close();
    this.#open.clear();
  }

  #trim(): void {
    const idle = [...this.#open].filter(([, document]) => !document.needed);
    idle.sort(([, a], [, b]) => a.lastUsed - b.lastUsed);
    for (const [key, document] of idle.slice(0, Math.max(0, idle.length - KEPT_DOCUMENTS))) {
      document.close();
      this.#open.delete(key);
    }
  }
}
