/**
 * Opens a capture's stream in its current form: growing while it is recorded, later a file, in its record, or
 * compressed.
 */
import type { Artifact, StreamName } from '../../../../shared/artifact.ts';
import type { StreamHandle } from '../../../reader/bytes/open-stream.ts';
import type { TextGap } from '../../../reader/lines/line-gaps.ts';
import type { Captures } from '../../../store/captures.ts';
import { ArrivalIndex, bytesArrived } from '../../../store/contents/arrivals.ts';
import { type CaptureEntry, isOpen } from '../../../store/format/entry.ts';
import type { CaptureRecord, Gap } from '../../../store/format/record.ts';
import type { Pool } from '../../../workers/pool.ts';
import { type Checked, Generation, type Origin, type Reading, sniff } from '../generation.ts';
import { arrivalsOf, type CaptureArrivals, withTimes } from './arrivals.ts';
import {
  CombinedStream,
  type OpenStoredStream,
  openStoredStream,
  type StoredStreamOptions,
} from './stored-stream.ts';

/** The record is replaced before its files are removed, so a reader in between tries again. */
const TRIES = 5;

export interface CapturePlace {
  captures: Captures;
  /** Path of the session's folder. */
  folder: string;
  id: string;
  stream: StreamName;
}

export class CaptureOrigin implements Origin {
  readonly #place: CapturePlace;
  readonly #options: CaptureGenerationOptions;

  constructor(place: CapturePlace, options: CaptureGenerationOptions) {
    this.#place = place;
    this.#options = options;
  }

  get stream(): StreamName {
    return this.#place.stream;
  }

  async check(held: Generation | null): Promise<Checked | null> {
    for (let tries = 1; ; tries += 1) {
      const { captures, folder, id } = this.#place;
      const entry = captures.load(folder, id);
      if (!entry) throw Object.assign(new Error('the capture no longer exists'), { code: 'ENOENT' });
      try {
        return await this.#take(entry, held instanceof CaptureGeneration ? held : null);
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || tries === TRIES) throw error;
      }
    }
  }

  counted(artifact: Artifact, generation: Generation): void {
    const { captures, stream } = this.#place;
    // An encoding chosen by hand says nothing about the stream itself.
    if (this.#options.reading?.encoding !== undefined || stream === 'combined') return;
    captures.learn(artifact.artifact_id, stream, generation.size, generation.numbers.total);
  }

  async #take(entry: CaptureEntry, held: CaptureGeneration | null): Promise<Checked | null> {
    if (held?.isDone(entry) && (await held.holds())) return null;
    const artifact = this.#place.captures.artifactOf(entry);
    if (held) {
      const before = held.size;
      const known = held.entry;
      if (await held.update(entry)) {
        return held.size === before && known === entry ? null : { generation: held, artifact, notice: null };
      }
    }
    const generation = await CaptureGeneration.open(entry, this.#place.stream, this.#options);
    const notice = held === null ? null : generation.gaps.length > held.gaps.length ? JOINED : CHANGED;
    return { generation, artifact, notice };
  }
}

const JOINED = 'More came than is kept: the end follows after a gap.';
const CHANGED = 'The stored output was changed: this is what it holds now.';

// The text of a capture's stream, or of both streams combined, while the bytes already read stay the same.

export interface CaptureGenerationOptions extends StoredStreamOptions {
  reading?: Reading;
}

/** The parts of a text: its streams in the record, and how to combine two of them. */
interface Parts {
  /** Indexes into the record's streams. */
  indexes: readonly number[];
  open: readonly OpenStoredStream[];
  combined: CombinedStream | null;
}

class CaptureGeneration extends Generation {
  readonly #parts: Parts;
  readonly #arrived = new ArrivalIndex();
  readonly #pool: Pool;
  #entry: CaptureEntry;

  /** Throws the system's errors; ENOENT also if the record has changed since it was read. */
  static async open(
    entry: CaptureEntry,
    stream: StreamName,
    options: CaptureGenerationOptions,
  ): Promise<CaptureGeneration> {
    const indexes = partsOf(entry, stream);
    const open: OpenStoredStream[] = [];
    try {
      for (const index of indexes) open.push(await openStoredStream(entry, index, options));
      const combined = open.length === 2 ? new CombinedStream([open[0]!, open[1]!], options.pool) : null;
      const parts = { indexes, open, combined };
      const size = combined?.timesSize(entry) ?? 0;
      const came = cameBy(entry, indexes);
      for (const part of open) await part.grow();
      await combined?.update(entry, size);
      const head = await sniff(handleOf(parts), options.pool);
      return new CaptureGeneration(entry, parts, came, head, options);
    } catch (error) {
      for (const part of open) part.close();
      throw error;
    }
  }

  private constructor(
    entry: CaptureEntry,
    parts: Parts,
    came: readonly number[],
    head: Uint8Array,
    { reading, pool }: CaptureGenerationOptions,
  ) {
    super(handleOf(parts), head, { ...reading, declared: declaredOf(entry, parts) });
    this.#pool = pool;
    this.#parts = parts;
    this.#entry = entry;
    this.#tell(came);
  }

  override get writtenBy(): number {
    return Date.parse(this.#entry.record.ended_at ?? '') || Date.now();
  }

  /**
   * Updates the text from the capture's new record. Returns true if the text is unchanged or has grown, false if it
   * must be reopened: its end moved after a gap, or another program changed the file.
   */
  async update(entry: CaptureEntry): Promise<boolean> {
    const { open, combined, indexes } = this.#parts;
    const sameGaps = indexes.every((index, i) => sameGap(entry.record.streams[index]!.gap, open[i]!.gap));
    const size = combined?.timesSize(entry) ?? 0;
    const came = cameBy(entry, indexes);
    if (!sameGaps || !(await Promise.all(open.map((part) => part.grow()))).every(Boolean)) return false;
    if (!isOpen(entry.record) && !this.#isWhole(entry)) return false;
    await combined?.update(entry, size);
    const handle = handleOf(this.#parts);
    if (handle.size < this.size) return false;
    if (!isOpen(entry.record)) this.declare(declaredOf(entry, this.#parts));
    if (handle.size > this.size) await this.extend(handle, this.#pool);
    this.#entry = entry;
    this.#tell(came);
    return true;
  }

  /** The capture's record as of the last update. */
  get entry(): CaptureEntry {
    return this.#entry;
  }

  override get capture(): { folder: string; id: string } | null {
    const { record, problem } = this.#entry;
    return isOpen(record) || problem !== null ? null : this.#entry;
  }

  override arrivals(): CaptureArrivals {
    const { indexes, open } = this.#parts;
    const gaps = open.map(({ gap }) => gap);
    return arrivalsOf(this.#entry, this.#arrived, { indexes, gaps, stream: this.stream });
  }

  /** Whether nothing has changed since `update`, and nothing will. */
  isDone(entry: CaptureEntry): boolean {
    return entry === this.#entry && !isOpen(entry.record);
  }

  async holds(): Promise<boolean> {
    return (await Promise.all(this.#parts.open.map((part) => part.holds()))).every(Boolean);
  }

  protected release(): void {
    for (const part of this.#parts.open) part.close();
  }

  /** Whether everything is already open, so that a moved stream need not be read again. */
  #isWhole(entry: CaptureEntry): boolean {
    const { indexes, open } = this.#parts;
    return indexes.every((index, i) => {
      const { handle } = open[i]!;
      // Without a record, the size of a compressed file's text is unknown.
      return entry.problem !== null && handle.type !== 'file'
        ? true
        : handle.size === entry.streams[index]!.bytes;
    });
  }

  /** `came`: bytes of each part that had arrived at the last look. */
  #tell(came: readonly number[]): void {
    const { indexes, open, combined } = this.#parts;
    const { record } = this.#entry;
    const problems = [
      ...open.flatMap((part) => part.problem ?? []),
      ...(combined?.problem ? [combined.problem] : []),
      ...(open.some((part, i) => came[i]! > part.handle.size) ? [KEPT_APART] : []),
    ];
    this.problem = problems.join('; ') || null;
    const gaps = open.flatMap((part, i): TextGap[] => {
      if (!part.gap || part.gap.bytes === 0) return [];
      const stream = record.streams[indexes[i]!]!;
      const offset = combined ? combined.gapOffset(i) : part.gap.offset;
      const isEnd = part.gap.offset >= stream.total_bytes;
      const why = isEnd ? stopped(record) : OUTGREW;
      const lines =
        isEnd && stream.total_lines !== null ? stream.total_lines - part.gap.line : part.gap.lines;
      const where = combined ? ` of ${stream.name}` : '';
      return [{ offset, bytes: part.gap.bytes, lines, isEnd, why, where }];
    });
    this.gaps = gaps.sort((a, b) => a.offset - b.offset);
    const totals = indexes.map((index) => record.streams[index]!.total_lines);
    this.knownLines =
      gaps.length === 0 || totals.includes(null) ? null : totals.reduce<number>((sum, n) => sum + n!, 0);
  }
}

/** Bytes of each part that have arrived, where that can differ from the bytes stored. */
function cameBy(entry: CaptureEntry, indexes: readonly number[]): number[] {
  if (!isOpen(entry.record)) return indexes.map(() => 0);
  return indexes.map((index) => withTimes(entry, (times) => bytesArrived(times, index)));
}

const KEPT_APART = 'more came than is stored here so far; of the rest the end follows when it has ended';
const OUTGREW = 'more came than maxStreamBytes keeps';

/** Without a warning, all that could be stored was: a cap of a few bytes keeps nothing of the end. */
function stopped({ warnings, status }: CaptureRecord): string {
  if (warnings.length > 0) return warnings.join('; ');
  return status === 'interrupted' ? 'it could not be stored' : OUTGREW;
}

/** Returns the indexes of the stored streams that make up the requested one. */
function partsOf(entry: CaptureEntry, stream: StreamName): number[] {
  const { record } = entry;
  if (stream !== 'combined') return [record.streams.findIndex(({ name }) => name === stream)];
  if (isOpen(record) || entry.problem !== null) return [0, 1];
  // If one is empty, use the other alone.
  const [first, second] = entry.streams;
  if (second!.bytes === 0 && !record.streams[1]!.gap) return [0];
  return first!.bytes === 0 && !record.streams[0]!.gap ? [1] : [0, 1];
}

function handleOf({ open, combined }: Parts): StreamHandle {
  return combined ? combined.handle : open[0]!.handle;
}

/** Returns the record's content type of an ended stream; null for two streams combined. */
function declaredOf(entry: CaptureEntry, { indexes }: Parts) {
  if (indexes.length > 1 || isOpen(entry.record)) return null;
  const { content_type: type } = entry.record.streams[indexes[0]!]!;
  return type === 'unknown' ? null : type;
}

function sameGap(a: Gap | null, b: Gap | null): boolean {
  return a?.offset === b?.offset && a?.bytes === b?.bytes && a?.lines === b?.lines;
}
