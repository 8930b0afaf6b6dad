/** Opens the file at a path in its current state: grown, truncated, rewritten or replaced since the last read. */
import { setTimeout as wait } from 'node:timers/promises';
import type { Artifact } from '../../../../shared/artifact.ts';
import { sameFile } from '../../../reader/bytes/guard.ts';
import { type Look, lookIn } from '../../../reader/disks/looks.ts';
import type { FileLook } from '../../../reader/disks/open-real.ts';
import type { Generation, Looked, Origin } from '../generation.ts';
import { FileGeneration, type GenerationOptions } from './file-generation.ts';

/** Pause between two unpackings, as a multiple of the time the last one took. */
const UNPACK_PAUSE_FACTOR = 4;
/** Time between two readings of a file that the system generates. */
const PSEUDO_MS = 1000;

interface FileOriginOptions extends GenerationOptions {
  /** Updates the library with a look at the file, and returns its artifact. */
  look(path: string, look: Look): Artifact;
  counted?(artifact: Artifact, generation: FileGeneration): void;
}

/** A look at the file, and what it says about the text that is held. */
type Seen = Pick<FileLook, 'holds' | 'hasHeader'> & { stats: Look };

export class FileOrigin implements Origin {
  readonly stream = 'output';
  readonly #path: string;
  readonly #options: FileOriginOptions;
  /** Time of the last look, in milliseconds since the epoch. */
  #lookedAt = 0;

  constructor(path: string, options: FileOriginOptions) {
    this.#path = path;
    this.#options = options;
  }

  async look(held: Generation | null): Promise<Looked | null> {
    const file = held instanceof FileGeneration ? held : null;
    return this.#take(await this.#see(file), file);
  }

  counted(artifact: Artifact, generation: Generation): void {
    if (generation instanceof FileGeneration) this.#options.counted?.(artifact, generation);
  }

  async #see(held: FileGeneration | null): Promise<Seen> {
    const path = this.#path;
    const lookedAt = held?.isInDoubt ? 0 : this.#lookedAt;
    const file = held === null || held.isPseudo ? null : { ...held.held, lookedAt };
    const { look, ...seen } = await this.#options.pool.run('lookAtFile', { path, held: file }, { path });
    return { ...seen, stats: lookIn(look) };
  }

  async #take({ stats, holds, hasHeader }: Seen, held: FileGeneration | null): Promise<Looked | null> {
    if (!held) return this.#begin(null);
    if (held.isPseudo) return this.#readAgain(held);
    if (!sameFile(held.identity, stats)) return this.#begin('The file was replaced: this is the new one.');
    const isTouched = stats.size !== held.fileSize || stats.mtimeMs !== held.mtimeMs;
    this.#lookedAt = Date.now();
    if (!isTouched && holds) return null;
    if (stats.size < held.fileSize) return this.#begin('The file was truncated: this is what it holds now.');
    if (!holds) return this.#begin('The file was rewritten: this is what it holds now.');
    if (held.compressed) return this.#unpackAgain(held);
    if (stats.size === held.fileSize && (hasHeader || !(await held.grow(stats)))) return this.#touched(held);
    if (stats.size > held.fileSize && !(await held.grow(stats))) return this.#begin(null);
    return { generation: held, artifact: this.#options.look(this.#path, stats), notice: null };
  }

  /** Unpacks a compressed file that grew from its beginning again, using at most a fifth of the time. */
  async #unpackAgain(held: FileGeneration): Promise<Looked | null> {
    if (held.isGrowing || performance.now() - held.unpackedAt < UNPACK_PAUSE_FACTOR * held.unpackMs)
      return null;
    return this.#begin(null);
  }

  /** Reads a generated file again and compares it, as stat does not show changes of its text. */
  async #readAgain(held: FileGeneration): Promise<Looked | null> {
    if (Math.abs(Date.now() - this.#lookedAt) < PSEUDO_MS) return null;
    this.#lookedAt = Date.now();
    const looked = await this.#begin(null);
    if (!(looked.generation instanceof FileGeneration) || !looked.generation.hasTextOf(held)) return looked;
    looked.generation.close();
    return null;
  }

  /** Newer but no longer: rewritten in place, or caught between the two halves of an append. */
  async #touched(held: FileGeneration): Promise<Looked | null> {
    await wait(5);
    const again = await this.#see(held);
    if (again.stats.size > held.fileSize) return this.#take(again, held);
    return this.#begin(null);
  }

  async #begin(notice: string | null): Promise<Looked> {
    const generation = await FileGeneration.open(this.#path, this.#options);
    this.#lookedAt = Date.now();
    try {
      const { stats } = await this.#see(null);
      return { generation, artifact: this.#options.look(this.#path, stats), notice };
    } catch (error) {
      generation.close();
      throw error;
    }
  }
}
