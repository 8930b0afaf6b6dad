/** Merges several texts by the times of their lines, step by step, into a table of pieces. */

import type { Artifact } from '../../../../shared/artifact.ts';
import { SpillwayError } from '../../../../shared/errors.ts';
import type { PiecesHandle, StreamHandle } from '../../../reader/bytes/handles.ts';
import type { MergeState, TimeTable } from '../../../reader/bytes/merge-by-time.ts';
import { type PiecePlaces, PieceTable, placesOf } from '../../../reader/bytes/pieces.ts';
import type { Pool } from '../../../workers/pool.ts';
import type { Document } from '../document.ts';
import type { Generation } from '../generation.ts';

/** Bytes merged by one task. The first is shorter, as a reader waits for the first lines. */
const STEP_BYTES = 16 * 1024 * 1024;
const FIRST_BYTES = 256 * 1024;
/** 64 MiB of memory. */
const MAX_PIECES = 4_000_000;

const LINE_END: StreamHandle = { type: 'bytes', bytes: Uint8Array.of(10), size: 1 };

export class Merging {
  readonly parts: readonly HeldText[];
  readonly #pool: Pool;
  readonly #table = new PieceTable();
  #state: MergeState;
  #done = false;
  #known: { size: number; places: PiecePlaces } | null = null;
  /** Lines alternate too often: the rest is not in order. */
  #gaveUp = false;

  /** Errors: `unsupported` for UTF-16 text. */
  constructor(parts: readonly HeldText[], pool: Pool) {
    this.parts = parts;
    this.#pool = pool;
    this.#state = { taken: parts.map(() => 0), times: parts.map(() => null) };
    for (const { generation, artifact } of parts) {
      if (generation.contentType === 'binary' || /utf-?(16|32)/i.test(generation.encoding))
        throw new SpillwayError(
          'unsupported',
          `${artifact.label} is ${generation.contentType === 'binary' ? 'binary' : generation.encoding}`,
          'merge texts in UTF-8 or another encoding of single bytes',
        );
    }
  }

  get handle(): PiecesHandle {
    return this.#table.handle([...this.#streams(), LINE_END]);
  }

  get isDone(): boolean {
    return this.#done;
  }

  /** A sentence about what is uncertain in the order; null if nothing is. */
  get problem(): string | null {
    if (this.#gaveUp)
      return 'its lines alternate too often: from some point on, the artifacts follow one another';
    const untold = this.parts.filter(
      (_, i) => this.#state.times[i] === Number.NEGATIVE_INFINITY && this.#state.taken[i]! > 0,
    );
    if (untold.length === 0) return null;
    return `no times are known of ${untold.map(({ artifact }) => artifact.label).join(', ')}: those lines come first`;
  }

  /** Merges the next bytes. */
  async step(): Promise<void> {
    for (const { generation } of this.parts) if (generation.isGrowing) await generation.more();
    const result = await this.#pool.run(
      'mergeByTime',
      {
        streams: this.#streams(),
        request: {
          state: this.#state,
          tables: this.#gaveUp ? this.parts.map(() => NO_TIMES) : this.parts.map(tableOf),
          writtenBy: this.parts.map(({ generation }) => generation.writtenBy),
          ended: this.parts.map(
            ({ generation, artifact }) => !generation.isGrowing && artifact.status !== 'running',
          ),
          budget: this.#table.size === 0 ? FIRST_BYTES : STEP_BYTES,
        },
      },
      { priority: 'bulk' },
    );
    for (let i = 0; i < result.pieces.length; i += 3)
      this.#table.append(result.pieces[i]!, result.pieces[i + 1]!, result.pieces[i + 2]!);
    this.#state = result.state;
    this.#gaveUp ||= this.#table.count > MAX_PIECES;
    this.#done = result.done && !this.parts.some(({ generation }) => generation.isGrowing);
  }

  /** Call when a part has grown. Returns false if a last line was merged without its line end and has grown since. */
  goOn(): boolean {
    const streams = this.#streams();
    const hasMore = streams.map(({ size }, i) => size > this.#state.taken[i]!);
    if (!hasMore.some(Boolean)) return true;
    this.#done = false;
    const places = this.#places();
    return !hasMore.some((more, i) => {
      const taken = this.#state.taken[i]!;
      if (!more || taken === 0) return false;
      const behind = places.inPart(Math.min(this.#table.size - 1, places.positionOf(i, taken - 1) + 1));
      return behind.part === streams.length;
    });
  }

  /** Returns the part that has the byte at `offset`, and the byte's offset in it. */
  placeOf(offset: number): { part: number; offset: number } {
    return this.#places().inPart(offset);
  }

  /** Returns the position of the byte at `offset` of a part; the text's size if it is not merged yet. */
  positionOf(part: number, offset: number): number {
    return this.#places().positionOf(part, offset);
  }

  /** Whether the part is ordered by its recorded arrivals, not by times in its lines. */
  hasTable(part: number): boolean {
    return tableOf(this.parts[part]!) !== null;
  }

  #places(): PiecePlaces {
    const { size } = this.#table;
    if (this.#known?.size !== size) this.#known = { size, places: placesOf(this.handle) };
    return this.#known.places;
  }

  #streams(): StreamHandle[] {
    return this.parts.map(({ generation }) => generation.stream);
  }
}

const NO_TIMES: TimeTable = { ends: new Float64Array(0), times: new Float64Array(0) };
const tables = new WeakMap<Generation, { size: number; table: TimeTable | null }>();

/** Returns recorded arrivals; null if only the text has times. */
function tableOf({ generation }: HeldText): TimeTable | null {
  const known = tables.get(generation);
  if (known?.size === generation.size) return known.table;
  const table = generation.arrivals()?.table() ?? null;
  const found = table && table.ends.length > 0 ? table : null;
  tables.set(generation, { size: generation.size, table: found });
  return found;
}

interface HeldText {
  document: Document;
  generation: Generation;
  artifact: Artifact;
  release(): void;
}

/** Throws like `Document.use`. */
export function holdText(document: Document): Promise<HeldText> {
  return new Promise((resolve, reject) => {
    let release = () => {};
    let isHeld = false;
    const released = new Promise<void>((done) => {
      release = done;
    });
    document
      .use('nothing', async (generation, artifact) => {
        // The text changed meanwhile, and this runs again: release the earlier one.
        if (isHeld) return;
        isHeld = true;
        resolve({ document, generation, artifact, release });
        await released;
      })
      .catch(reject);
  });
}
