/** Merges several artifacts into one text, in the order of their lines' times. It grows with them. */
import type { Row } from '../../../../shared/api/rows.ts';
import { type Artifact, mergedArtifact } from '../../../../shared/artifact.ts';
import { SpillwayError } from '../../../../shared/errors.ts';
import type { TimeFacts } from '../../../../shared/text/line-time.ts';
import type { MergeState, TimeTable } from '../../../reader/bytes/merge-by-time.ts';
import type { PiecesHandle, StreamHandle } from '../../../reader/bytes/open-stream.ts';
import { type PiecePlaces, PieceTable, placesOf } from '../../../reader/bytes/pieces.ts';
import type { Pool } from '../../../workers/pool.ts';
import type { Document } from '../document.ts';
import { type Checked, Generation, type Origin, offsetAtTime, sniff } from '../generation.ts';
import type { Arrived, CaptureArrivals } from './arrivals.ts';

/** `\r\n`. With more bytes between two rows, lines were left out. */
const MAX_LINE_END_BYTES = 2;

export class MergedOrigin implements Origin {
  readonly stream = 'output';
  readonly #id: string;
  readonly #members: () => Promise<readonly Document[]>;
  readonly #pool: Pool;

  /** @param members the documents of the artifacts, in the order they were chosen */
  constructor(id: string, members: () => Promise<readonly Document[]>, pool: Pool) {
    this.#id = id;
    this.#members = members;
    this.#pool = pool;
  }

  async check(held: Generation | null): Promise<Checked | null> {
    const documents = await this.#members();
    if (!(held instanceof MergedGeneration)) return this.#begin(documents);
    const now = await Promise.all(
      documents.map((document) =>
        document.use('nothing', async (generation, artifact) => ({ generation, artifact })),
      ),
    );
    const isSame = now.every(({ generation }, i) => generation === held.merging.parts[i]?.generation);
    if (!isSame || !held.merging.goOn()) return this.#begin(documents);
    now.forEach(({ artifact }, i) => {
      held.merging.parts[i]!.artifact = artifact;
    });
    return held.tellsOfChange() ? this.#checked(held) : null;
  }

  async #begin(documents: readonly Document[]): Promise<Checked> {
    const parts = await Promise.all(documents.map(holdText));
    try {
      const merging = new Merging(parts, this.#pool);
      await merging.step();
      const head = await sniff(merging.handle, this.#pool);
      return this.#checked(new MergedGeneration(merging, head, this.#pool));
    } catch (error) {
      for (const part of parts) part.release();
      throw error;
    }
  }

  #checked(generation: MergedGeneration): Checked {
    return { generation, artifact: artifactOf(this.#id, generation), notice: null };
  }
}

export class MergedGeneration extends Generation {
  readonly merging: Merging;
  readonly #pool: Pool;
  #lastNotified = '';

  constructor(merging: Merging, head: Uint8Array, pool: Pool) {
    super(merging.handle, head, { declared: 'log' });
    this.merging = merging;
    this.#pool = pool;
    this.problem = merging.problem;
    this.tellsOfChange();
  }

  override get isPartial(): boolean {
    return !this.merging.isDone;
  }

  override async more(): Promise<void> {
    await this.merging.step();
    this.problem = this.merging.problem;
    await this.extend(this.merging.handle, this.#pool);
  }

  /** Whether facts of its artifact have changed since the last call. */
  tellsOfChange(): boolean {
    const now = JSON.stringify([
      this.size,
      this.merging.isDone,
      this.problem,
      this.merging.parts.map(({ artifact, generation }) => [artifact.status, generation.size]),
    ]);
    const changed = now !== this.#lastNotified;
    this.#lastNotified = now;
    return changed;
  }

  override arrivals(): CaptureArrivals {
    const { merging } = this;
    const at = (offset: number): Arrived => {
      const place = merging.placeOf(offset);
      const arrivals = merging.parts[place.part]?.generation.arrivalTimes();
      return { stream: null, time: arrivals?.at([place.offset])[0]?.time ?? null };
    };
    return {
      at: (offsets) => offsets.map(at),
      since: () => 0,
      offsetIn: (_, offset) => offset,
      offsetOf: (_, offset) => offset,
      table: () => ({ ends: new Float64Array(0), times: new Float64Array(0) }),
    };
  }

  override timeFacts(offset = 0): TimeFacts {
    const part = this.merging.parts[this.merging.placeOf(offset).part];
    return part ? factsOf(part.generation) : super.timeFacts();
  }

  /** Each part learns for itself, before it is merged. */
  override async learnFormat(): Promise<void> {}

  /** Adds the artifact and its line number to each row. Rows rise; lines between them may be left out. */
  async numbered(rows: readonly Row[], pool: Pool): Promise<Row[]> {
    const places = rows.map((row) => this.merging.placeOf(row.offset));
    // An artifact's lines keep their order, so without a gap, numbers rise by one from row to row.
    const before: (number | null)[] = [];
    let last = new Map<number, number>();
    rows.forEach((row, i) => {
      const above = rows[i - 1];
      if (above && row.offset > above.offset + above.bytes + MAX_LINE_END_BYTES) last = new Map();
      const { part } = places[i]!;
      before.push(last.get(part) ?? null);
      last.set(part, i);
    });
    const numbers: number[] = [];
    const asked = rows
      .map((_, i) => i)
      .filter((i) => before[i] === null && this.merging.parts[places[i]!.part]);
    await Promise.all(
      this.merging.parts.map(async ({ document }, part) => {
        const own = asked.filter((i) => places[i]!.part === part);
        const found = await linesOf(
          document,
          own.map((i) => places[i]!.offset),
          pool,
        );
        own.forEach((i, at) => {
          numbers[i] = found[at]!;
        });
      }),
    );
    return rows.map((row, i) => {
      const above = before[i];
      if (above !== null && above !== undefined) numbers[i] = numbers[above]! + 1;
      const number = numbers[i];
      return number === undefined ? row : { ...row, part: places[i]!.part, number };
    });
  }

  /** Returns the offset of the first line that arrived then or later; null if no line has a time. */
  async offsetSince(time: number): Promise<number | null> {
    const { merging } = this;
    let first: number | null = null;
    for (const [part, { generation }] of merging.parts.entries()) {
      const since = merging.hasTable(part)
        ? (generation.arrivalTimes()?.since(time) ?? null)
        : await offsetAtTime(generation, time, this.#pool);
      if (since !== null) first = Math.min(first ?? this.size, merging.positionOf(part, since));
    }
    return first;
  }

  async holds(): Promise<boolean> {
    const all = await Promise.all(this.merging.parts.map(({ generation }) => generation.holds()));
    return all.every(Boolean);
  }

  protected release(): void {
    for (const part of this.merging.parts) part.release();
  }
}

async function linesOf(document: Document, offsets: readonly number[], pool: Pool): Promise<number[]> {
  if (offsets.every((offset) => offset === 0)) return offsets.map(() => 1);
  return document.use('everything', async (generation) => {
    const lines = await pool.run('linesAt', { ...generation.text(), offsets });
    return lines.map((line) => generation.numbers.shown(line));
  });
}

function artifactOf(id: string, generation: MergedGeneration): Artifact {
  const { parts } = generation.merging;
  const starts = parts.flatMap(({ artifact }) => artifact.started_at ?? []).sort();
  return mergedArtifact(
    id,
    parts.map(({ artifact }) => artifact),
    {
      kind: 'capture',
      label: parts.map(({ artifact }) => artifact.label).join(' + '),
      started_at: starts[0] ?? null,
      warnings: generation.problem === null ? [] : [generation.problem],
      stream: { total_lines: null, total_bytes: generation.size, content_type: 'log' },
    },
  );
}

/** Bytes merged by one task. The first is shorter, as a reader waits for the first lines. */
const STEP_BYTES = 16 * 1024 * 1024;
const FIRST_BYTES = 256 * 1024;
/** 64 MiB of memory. */
const MAX_PIECES = 4_000_000;

const LINE_END: StreamHandle = { type: 'bytes', bytes: Uint8Array.of(10), size: 1 };

/** Merges several texts by the times of their lines, step by step, into a table of pieces. */
class Merging {
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
    const timeless = this.parts.filter(
      (_, i) => this.#state.times[i] === Number.NEGATIVE_INFINITY && this.#state.taken[i]! > 0,
    );
    if (timeless.length === 0) return null;
    return `no times are known of ${timeless.map(({ artifact }) => artifact.label).join(', ')}: those lines come first`;
  }

  /** Merges the next bytes. */
  async step(): Promise<void> {
    for (const { generation } of this.parts) {
      if (generation.isPartial) await generation.more();
      await generation.learnFormat(this.#pool);
    }
    const result = await this.#pool.run(
      'mergeByTime',
      {
        streams: this.#streams(),
        request: {
          state: this.#state,
          tables: this.#gaveUp ? this.parts.map(() => NO_TIMES) : this.parts.map(tableOf),
          forms: this.parts.map(({ generation }) => ({
            rule: generation.format?.entries ?? 'time',
            facts: factsOf(generation),
          })),
          ended: this.parts.map(
            ({ generation, artifact }) => !generation.isPartial && artifact.status !== 'running',
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
    this.#done = result.done && !this.parts.some(({ generation }) => generation.isPartial);
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
  const table = generation.arrivalTimes()?.table() ?? null;
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
function holdText(document: Document): Promise<HeldText> {
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

/** Facts about a part's times. Seconds since a start count as none: when that was is not known. */
function factsOf(generation: Generation): TimeFacts {
  const facts = generation.timeFacts();
  return facts.countsFromStart ? { ...facts, countsFromStart: false, isTimeless: true } : facts;
}
