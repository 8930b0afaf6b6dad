/**
 * Makes tables of messages (message-tables.ts) ahead of the comparisons that need them. It takes one command after the
 * other, the last ones first, on the thread for idle work. After each it rests so long that all of it takes 3 % of a
 * processor's time.
 */
import type { Artifact } from '../../../shared/artifact.ts';
import type { MessageTables } from './message-tables.ts';

/** Rest after a table, as a multiple of the time that it took. */
const REST_FACTOR = 33;
/** The first seconds belong to who waits for the command. */
const LEAST_REST_MS = 2000;
/** Captures that wait. With more, the oldest are left to who compares with them. */
const MOST_WAITING = 100;

export class TableKeeper {
  readonly #tables: MessageTables;
  /** Ids, by the time when they ended. */
  readonly #waiting = new Map<string, number>();
  readonly #closing = new AbortController();
  /** None is tried twice. */
  readonly #done = new Set<string>();
  #timer: NodeJS.Timeout | null = null;
  #making: Promise<void> = Promise.resolve();

  constructor(tables: MessageTables) {
    this.#tables = tables;
  }

  /** Takes any artifact; commands that ended are put in line. */
  put({ artifact_id: id, kind, status, ended_at }: Artifact): void {
    if (kind !== 'cmd' || status === 'running' || ended_at === null || !this.#tables.keeps) return;
    if (this.#done.has(id) || this.#closing.signal.aborted) return;
    this.#waiting.set(id, Date.parse(ended_at));
    if (this.#waiting.size > MOST_WAITING) this.#waiting.delete(this.#first((a, b) => a < b)!);
    this.#timer ??= setTimeout(() => this.#next(), LEAST_REST_MS).unref();
  }

  remove(id: string): void {
    this.#waiting.delete(id);
    this.#done.delete(id);
  }

  async close(): Promise<void> {
    this.#closing.abort();
    if (this.#timer) clearTimeout(this.#timer);
    await this.#making;
  }

  #next(): void {
    const id = this.#first((a, b) => a > b);
    if (id === null) {
      this.#timer = null;
      return;
    }
    this.#waiting.delete(id);
    this.#done.add(id);
    const start = performance.now();
    this.#making = this.#tables.make(id, this.#closing.signal).then((isMade) => {
      if (this.#closing.signal.aborted) return;
      const rest = isMade ? Math.max(LEAST_REST_MS, REST_FACTOR * (performance.now() - start)) : 0;
      this.#timer = setTimeout(() => this.#next(), rest).unref();
    });
  }

  #first(isBefore: (a: number, b: number) => boolean): string | null {
    let first: [string, number] | null = null;
    for (const one of this.#waiting) if (first === null || isBefore(one[1], first[1])) first = one;
    return first?.[0] ?? null;
  }
}
