/** Merges several artifacts into one text, in the order of their lines' times. It grows with them. */

import type { Row } from '../../../../shared/api/rows.ts';
import type { Artifact } from '../../../../shared/artifact.ts';
import { mergedArtifact } from '../../../../shared/merged.ts';
import type { Pool } from '../../../workers/pool.ts';
import type { Document } from '../document.ts';
import { Generation, type Looked, type Origin, offsetAtTime, sniff } from '../generation.ts';
import type { Arrived, CaptureArrivals } from './arrivals.ts';
import { holdText, Merging } from './merging.ts';

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

  async look(held: Generation | null): Promise<Looked | null> {
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
    return held.tellsOfChange() ? this.#looked(held) : null;
  }

  async #begin(documents: readonly Document[]): Promise<Looked> {
    const parts = await Promise.all(documents.map(holdText));
    try {
      const merging = new Merging(parts, this.#pool);
      await merging.step();
      const head = await sniff(merging.handle, this.#pool);
      return this.#looked(new MergedGeneration(merging, head, this.#pool));
    } catch (error) {
      for (const part of parts) part.release();
      throw error;
    }
  }

  #looked(generation: MergedGeneration): Looked {
    return { generation, artifact: artifactOf(this.#id, generation), notice: null };
  }
}

export class MergedGeneration extends Generation {
  readonly merging: Merging;
  readonly #pool: Pool;
  #told = '';

  constructor(merging: Merging, head: Uint8Array, pool: Pool) {
    super(merging.handle, head, { declared: 'log' });
    this.merging = merging;
    this.#pool = pool;
    this.problem = merging.problem;
    this.tellsOfChange();
  }

  override get isGrowing(): boolean {
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
    const changed = now !== this.#told;
    this.#told = now;
    return changed;
  }

  override arrivals(): CaptureArrivals {
    const { merging } = this;
    const at = (offset: number): Arrived => {
      const place = merging.placeOf(offset);
      const arrivals = merging.parts[place.part]?.generation.arrivals();
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

  override writtenByOf(offset: number): number {
    const part = this.merging.parts[this.merging.placeOf(offset).part];
    return part?.generation.writtenBy ?? this.writtenBy;
  }

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
        ? (generation.arrivals()?.since(time) ?? null)
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
