/**
 * Finds the cause of failed commands whose recorder did not look for it: an agent's shell, which is not to wait, or a
 * recorder that died. The record keeps what is found.
 */
import { setTimeout as pause } from 'node:timers/promises';
import type { Artifact, Cause, StreamName } from '../../../shared/artifact.ts';
import { isFailure } from '../../../shared/recording.ts';
import type { Captures } from '../../store/captures.ts';
import type { CaptureEntry } from '../../store/format/entry.ts';
import { addCause, lacksCause } from '../../store/mend.ts';
import { createBeat } from '../../workers/call-watch.ts';
import type { Pool } from '../../workers/pool.ts';
import type { Document } from '../documents/document.ts';
import type { Generation } from '../documents/generation.ts';
import type { TargetDocuments } from '../documents/targets/target-documents.ts';
import type { Texts } from '../views/texts.ts';

interface Held {
  generation: Generation;
  name: StreamName;
}

interface CauseFinderOptions {
  captures: Pick<Captures, 'find'>;
  documents: Pick<TargetDocuments, 'get'>;
  texts: Pick<Texts, 'correspondingLine'>;
  pool: Pool;
}

/** Larger outputs are explained when somebody asks. */
const MOST_BYTES = 256 * 1024 * 1024;
/** Captures that wait; of more, the last ones. */
const MOST_WAITING = 500;

export class CauseFinder {
  readonly #options: CauseFinderOptions;
  /** Ids, the last noticed first. */
  #waiting: string[] = [];
  /** By id: a list and the background may want the same one. */
  readonly #running = new Map<string, Promise<boolean>>();
  #isBusy = false;
  #isClosed = false;

  constructor(options: CauseFinderOptions) {
    this.#options = options;
  }

  /** Looks for the cause later, when nothing else is to be done, one artifact after another. */
  notice(artifact: Artifact): void {
    if (!mayLackCause(artifact)) return;
    const others = this.#waiting.filter((id) => id !== artifact.artifact_id);
    this.#waiting = [artifact.artifact_id, ...others].slice(0, MOST_WAITING);
    void this.#work();
  }

  /** Looks for the causes of these artifacts for at most `ms` milliseconds; returns whether a record has changed. */
  async find(artifacts: readonly Artifact[], ms: number): Promise<boolean> {
    const until = performance.now() + ms;
    let hasChanged = false;
    for (const { artifact_id: id } of artifacts.filter(mayLackCause)) {
      const left = until - performance.now();
      if (left <= 0) break;
      hasChanged =
        (await Promise.race([this.#findOne(id), pause(left, false, { ref: false })])) || hasChanged;
    }
    return hasChanged;
  }

  close(): void {
    this.#isClosed = true;
    this.#waiting = [];
  }

  async #work(): Promise<void> {
    if (this.#isBusy) return;
    this.#isBusy = true;
    for (let id = this.#waiting.shift(); id !== undefined; id = this.#waiting.shift())
      await this.#findOne(id);
    this.#isBusy = false;
  }

  /** Returns whether the record has changed. */
  #findOne(id: string): Promise<boolean> {
    const running = this.#running.get(id) ?? this.#find(id).finally(() => this.#running.delete(id));
    this.#running.set(id, running);
    return running;
  }

  /** Never throws: what can't be read or written stays as it is. */
  async #find(id: string): Promise<boolean> {
    try {
      const entry = this.#options.captures.find(id);
      const bytes = entry?.streams.reduce((sum, stream) => sum + stream.bytes, 0) ?? 0;
      if (entry === null || !lacksCause(entry) || bytes > MOST_BYTES) return false;
      const cause = await this.#causeOf(entry);
      if (this.#isClosed) return false;
      addCause(entry, cause);
      this.#options.captures.find(id);
      return true;
    } catch {
      return false;
    }
  }

  async #causeOf({ id, record }: CaptureEntry): Promise<Cause | null> {
    const { documents, texts } = this.#options;
    const streams = record.streams.map(({ name }) => name);
    const open = await Promise.all(
      streams.map((stream) => documents.get({ artifact_id: id, stream }, 'person')),
    );
    const cause = await this.#explain(open, []);
    if (cause === null || streams.length === 1) return cause;
    const { stream, line_number, text } = cause;
    const document = { artifact_id: id, stream };
    const { line_number: combined } = await texts.correspondingLine({
      document,
      line_number,
      stream: 'combined',
    });
    return { stream, line_number, ...(combined === null ? {} : { combined_line: combined }), text };
  }

  /** Holds the streams in `others` open, and opens the first of `documents`. */
  async #explain(documents: readonly Document[], others: readonly Held[]): Promise<Cause | null> {
    const [first, ...rest] = documents;
    if (first !== undefined)
      return first.use('everything', (generation) =>
        this.#explain(rest, [...others, { generation, name: first.stream }]),
      );
    const streams = others.map(({ generation, name }) => ({ ...generation.text(), name }));
    const args = { streams, beat: createBeat() };
    const cause = await this.#options.pool.run('causeOf', args, { priority: 'idle' });
    const numbers = others.find(({ name }) => name === cause?.stream)?.generation.numbers;
    return cause && numbers ? { ...cause, line_number: numbers.shown(cause.line_number) } : cause;
  }
}

function mayLackCause({ kind, status, cause }: Artifact): boolean {
  return kind === 'cmd' && cause === null && isFailure(status);
}
