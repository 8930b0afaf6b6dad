/**
 * A path's text over time. Each request looks at the file first: growth is taken in, a truncated or replaced file
 * begins a new generation, and a view of bytes that changed while it was made is made again.
 */
import type { Stats } from 'node:fs';
import { stat } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';
import type { DocumentState } from '../../../shared/api/rows.ts';
import type { Artifact } from '../../../shared/artifact.ts';
import { SpillwayError, toSpillwayError } from '../../../shared/errors.ts';
import { sameFile } from '../../reader/guard.ts';
import type { Pool } from '../../workers/pool.ts';
import { Generation, type GenerationOptions } from './generation.ts';
import { Indexer } from './indexer.ts';
import { conditionOf, type FileProblem, problemFrom } from './problems.ts';

/** Between looks at a file that is watched. Polling, because events are lost on network shares and over mounts. */
const LOOK_MS = 200;
/** States are told at most this often. */
const TELL_MS = 50;
const TRIES = 4;

export interface DocumentOptions extends GenerationOptions {
  /** Binary bytes are shown as text. */
  asText: boolean;
  pool: Pool;
  /** Nobody needs the document for now. */
  onIdle?(): void;
  /** The artifact as the library has it, after a fresh look. */
  look(path: string, stats: Stats): Artifact;
  /** The line count of the whole stream became known. */
  onCounted?(artifact: Artifact, generation: Generation): void;
}

/** How much of the index a request needs. */
export type Need = 'nothing' | 'everything' | { line: number };

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
  #looking: Promise<void> | null = null;
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

  /** Somebody needs it now: a window, or a request under way. */
  get needed(): boolean {
    return this.watched || this.#requests > 0;
  }

  /** The artifact id under which the file is known now. */
  get artifactId(): string | null {
    return this.#artifact?.artifact_id ?? null;
  }

  /**
   * Runs `work` on the stream as it is now. Throws `not_found`, `no_permission` and the like when there is nothing to
   * read, `changed` when the file keeps changing under the request.
   */
  async use<T>(need: Need, work: (generation: Generation, artifact: Artifact) => Promise<T>): Promise<T> {
    this.#requests += 1;
    try {
      return await this.#use(need, work);
    } finally {
      this.#requests -= 1;
      this.lastUsed = Date.now();
      if (!this.needed) this.#options.onIdle?.();
    }
  }

  async #use<T>(need: Need, work: (generation: Generation, artifact: Artifact) => Promise<T>): Promise<T> {
    for (let tries = 1; ; tries += 1) {
      await this.#look();
      if (this.#closed) throw closing();
      const generation = this.#generation;
      const artifact = this.#artifact;
      if (!generation || !artifact)
        throw this.#problem?.error ?? new SpillwayError('not_found', 'the file is gone', 'name another');
      try {
        return await generation.using(async () => {
          await this.#indexed(generation, need);
          const result = await work(generation, artifact);
          if (await generation.holds()) return result;
          throw new SpillwayError(
            'changed',
            'the file keeps changing while it is read',
            'ask again when it is quiet',
          );
        });
      } catch (error) {
        if (toSpillwayError(error).code !== 'changed' || tries === TRIES) throw error;
        await wait(10 * tries);
      }
    }
  }

  /** The generation's number: rows of another number are of another text. */
  get number(): number {
    return this.#number;
  }

  watch(listener: (state: DocumentState) => void, onError: (error: Error) => void): () => void {
    this.#listeners.add(listener);
    this.#look().then(
      () => {
        if (!this.#listeners.has(listener)) return;
        const state = this.state();
        if (state) listener(state);
        else onError(this.#problem?.error ?? new Error('the file is gone'));
        this.#countAll();
      },
      (error: Error) => onError(error),
    );
    this.#timer ??= setInterval(() => {
      void this.#look().then(() => this.#countAll());
    }, LOOK_MS);
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
      stream: 'output',
      generation: this.#number,
      total_bytes: generation?.size ?? 0,
      indexed_bytes: generation?.index.indexedBytes ?? 0,
      total_lines: generation?.lines ?? 0,
      content_type: generation?.contentType ?? 'unknown',
      encoding: generation?.encoding ?? 'utf-8',
      condition: conditionOf(this.#problem, binary),
      problem: this.#problem ? { what: this.#problem.error.what, todo: this.#problem.error.todo } : null,
      notice: this.#notice,
    };
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

  /** One look at the file; whoever asks meanwhile gets the next one, which sees what came after they asked. */
  async #look(): Promise<void> {
    if (this.#looking) await this.#looking;
    this.#looking ??= this.#lookNow().finally(() => {
      this.#looking = null;
    });
    return this.#looking;
  }

  async #lookNow(): Promise<void> {
    try {
      const stats = await stat(this.path);
      if (!stats.isFile()) throw Object.assign(new Error('not a file'), { code: 'EISDIR' });
      await this.#take(stats);
      if (this.#problem) this.#set(null);
    } catch (error) {
      this.#set(problemFrom(error, this.#generation !== null));
    }
  }

  async #take(stats: Stats): Promise<void> {
    const generation = this.#generation;
    if (!generation) return this.#begin(null);
    if (!sameFile(generation.identity, stats))
      return this.#begin('The file was replaced: this is the new one.');
    if (stats.size === generation.fileSize && stats.mtimeMs === generation.mtimeMs) return;
    if (stats.size < generation.fileSize)
      return this.#begin('The file was truncated: this is what it holds now.');
    if (!generation.guardHolds()) return this.#begin('The file was rewritten: this is what it holds now.');
    if (generation.compressed) return this.#begin(null);
    if (stats.size === generation.fileSize) return this.#touched(generation);
    generation.grow(stats);
    this.#artifact = this.#options.look(this.path, stats);
    this.#tell();
  }

  /** Newer but no longer: rewritten in place, or caught between the two halves of an append. */
  async #touched(generation: Generation): Promise<void> {
    await wait(5);
    const again = await stat(this.path);
    if (again.size > generation.fileSize) return this.#take(again);
    return this.#begin(null);
  }

  async #begin(notice: string | null): Promise<void> {
    const next = await Generation.open(this.path, this.#options);
    if (this.#closed) return next.close();
    this.#indexer?.stop();
    this.#generation?.close();
    this.#generation = next;
    this.#number += 1;
    this.#indexer = new Indexer(next, this.#options.pool, {
      progress: () => this.#tell(),
      restart: () => this.#note('A background reader stopped; it was started again and goes on.'),
    });
    this.#artifact = this.#options.look(this.path, await stat(this.path));
    if (notice) this.#note(notice);
    if (next.problem) this.#note(sentence(next.problem));
    this.#tell();
  }

  async #indexed(generation: Generation, need: Need): Promise<void> {
    const indexer = this.#indexer;
    if (need === 'nothing' || !indexer) return;
    const line = need === 'everything' ? Number.POSITIVE_INFINITY : need.line;
    await indexer.until(() => generation.index.newlines >= line);
    if (generation.complete && this.#artifact && generation === this.#generation) {
      this.#options.onCounted?.(this.#artifact, generation);
    }
  }

  /** For a window: the whole file is counted without being asked. */
  #countAll(): void {
    const generation = this.#generation;
    if (!generation || generation.complete || !this.watched) return;
    generation
      .using(() => this.#indexed(generation, 'everything'))
      .catch(() => {
        // The next look says what became of the file.
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

/** What is asked of a document, or of a host, that is closed. */
export function closing(): SpillwayError {
  return new SpillwayError('cancelled', 'Spillway is closing', 'ask again when it runs');
}

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}
