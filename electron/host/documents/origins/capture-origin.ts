/**
 * Opens a capture's stream in its current form: growing while it is recorded, later a file, in its record, or
 * compressed.
 */
import type { Artifact, StreamName } from '../../../../shared/artifact.ts';
import type { Captures } from '../../../store/captures.ts';
import type { CaptureEntry } from '../../../store/format/entry.ts';
import type { Generation, Looked, Origin } from '../generation.ts';
import { CaptureGeneration, type CaptureGenerationOptions } from './capture-generation.ts';

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

  async look(held: Generation | null): Promise<Looked | null> {
    for (let tries = 1; ; tries += 1) {
      const { captures, folder, id } = this.#place;
      const entry = captures.look(folder, id);
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
    if (this.#options.encoding !== undefined || stream === 'combined') return;
    captures.learn(artifact.artifact_id, stream, generation.size, generation.numbers.total);
  }

  async #take(entry: CaptureEntry, held: CaptureGeneration | null): Promise<Looked | null> {
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
