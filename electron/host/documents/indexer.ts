/** Keeps a generation's line index up to date: counts a stretch on each thread of the pool at a time. */
import { cancelledRequest, SpillwayError } from '../../../shared/errors.ts';
import { newlineUnit } from '../../reader/bytes/encoding.ts';
import { BLOCK_BYTES } from '../../reader/lines/block-index.ts';
import type { Pool } from '../../workers/pool.ts';
import { runInOrder } from '../in-order.ts';
import type { Generation } from './generation.ts';

/** Bytes counted by one task: some 15 ms of a thread if the file is in memory. */
const STRETCH_BYTES = 64 * 1024 * 1024;
/** The first stretch is short, as a reader waits for the first lines. */
const FIRST_BYTES = 1024 * 1024;

export class Indexer {
  readonly #generation: Generation;
  readonly #pool: Pool;
  readonly #onProgress: () => void;
  readonly #onRestart: () => void;
  #running: Promise<void> | null = null;
  #stopped = false;
  #located = '';

  constructor(generation: Generation, pool: Pool, on: { progress: () => void; restart: () => void }) {
    this.#generation = generation;
    this.#pool = pool;
    this.#onProgress = on.progress;
    this.#onRestart = on.restart;
  }

  /**
   * Resolves when `enough` returns true or all bytes are counted. Rejects with `changed` if stopped before, and with
   * `cancelled`, after the current stretch, when the signal fires.
   */
  async until(enough: () => boolean, signal?: AbortSignal): Promise<void> {
    while (!enough() && !this.#generation.complete) {
      if (signal?.aborted) throw cancelledRequest();
      if (this.#stopped) {
        throw new SpillwayError('changed', 'the file was replaced while its lines were counted', 'ask again');
      }
      await this.#step();
    }
    await this.#locateGaps();
  }

  stop(): void {
    this.#stopped = true;
  }

  /** Indexes one or more stretches; concurrent calls share the work. */
  #step(): Promise<void> {
    const generation = this.#generation;
    const work = () => (generation.index.indexedBytes < generation.size ? this.#count() : this.#grow());
    this.#running ??= work().finally(() => {
      this.#running = null;
    });
    return this.#running;
  }

  /** Finds the lines of the gaps in what is counted. */
  async #locateGaps(): Promise<void> {
    const generation = this.#generation;
    const { gaps, index } = generation;
    const now = JSON.stringify([gaps, index.indexedBytes]);
    if (this.#located === now || (gaps.length === 0 && generation.lineGaps.length === 0)) return;
    const found = await generation.using(() => this.#pool.run('lineGaps', { ...generation.text(), gaps }));
    // The text may have grown meanwhile.
    if (generation.gaps === gaps) generation.lineGaps = found;
    this.#located = now;
  }

  /** Waits for more text to count. */
  async #grow(): Promise<void> {
    await this.#generation.using(() => this.#generation.more());
    this.#onProgress();
  }

  /** Counts the next stretches, one on each thread. */
  async #count(): Promise<void> {
    const generation = this.#generation;
    const { stream } = generation;
    await generation.using(() =>
      runInOrder(
        this.#stretches(),
        this.#pool.bulkWidth,
        ({ start, end }) =>
          this.#pool.run(
            'count',
            { stream, start, end, unit: newlineUnit(generation.encoding) },
            { priority: 'bulk', onRestart: this.#onRestart },
          ),
        ({ endsInLine, ...counts }) => {
          generation.index.append(counts, stream.size);
          generation.endsInLine = endsInLine;
          this.#onProgress();
        },
      ),
    );
  }

  #stretches(): { start: number; end: number }[] {
    const { index, size } = this.#generation;
    if (index.indexedBytes === 0) return [{ start: 0, end: Math.min(size, FIRST_BYTES) }];
    const stretches: { start: number; end: number }[] = [];
    for (let start = index.indexedBytes; start < size && stretches.length < this.#pool.bulkWidth; ) {
      const end = Math.min(size, Math.floor(start / BLOCK_BYTES) * BLOCK_BYTES + STRETCH_BYTES);
      stretches.push({ start, end });
      start = end;
    }
    return stretches;
  }
}
