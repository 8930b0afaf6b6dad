/** Opens the file at a path in its current state: grown, truncated, rewritten or replaced since the last read. */
import { lstat, type Stats } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { Artifact } from '../../../../shared/artifact.ts';
import { mayBeRead } from '../../../library/files/readable.ts';
import { sameFile } from '../../../reader/bytes/guard.ts';
import { pathBytes, realPath } from '../../../reader/bytes/path-text.ts';
import type { Generation } from '../generation.ts';
import { FileGeneration, type GenerationOptions } from './file-generation.ts';
import type { Looked, Origin } from './origin.ts';

/** More than a tick of any file system's clock. */
const TICK_MS = 50;
/** Pause between two unpackings, as a multiple of the time the last one took. */
const UNPACK_PAUSE_FACTOR = 4;
/** Time between two readings of a file that the system generates. */
const PSEUDO_MS = 1000;

interface FileOriginOptions extends GenerationOptions {
  /** Updates the library with the file's stats, and returns its artifact. */
  look(path: string, stats: Stats): Artifact;
  counted?(artifact: Artifact, generation: FileGeneration): void;
}

export class FileOrigin implements Origin {
  readonly stream = 'output';
  readonly #path: string;
  readonly #options: FileOriginOptions;
  /** The file's state when it was last found to be readable. */
  #readable: Stats | null = null;
  /** Time of the last look, in milliseconds since the epoch. */
  #lookedAt = 0;

  constructor(path: string, options: FileOriginOptions) {
    this.#path = path;
    this.#options = options;
  }

  async look(held: Generation | null): Promise<Looked | null> {
    const stats = await lookAtFile(this.#path, this.#readable);
    this.#readable = stats;
    return this.#take(stats, held instanceof FileGeneration ? held : null);
  }

  counted(artifact: Artifact, generation: Generation): void {
    if (generation instanceof FileGeneration) this.#options.counted?.(artifact, generation);
  }

  async #take(stats: Stats, held: FileGeneration | null): Promise<Looked | null> {
    if (!held) return this.#begin(null);
    if (held.isPseudo) return this.#readAgain(held);
    if (!sameFile(held.identity, stats)) return this.#begin('The file was replaced: this is the new one.');
    const isTouched = stats.size !== held.fileSize || stats.mtimeMs !== held.mtimeMs;
    // File systems' clocks tick every few milliseconds, so a later change can have the time of the last look.
    const isRecent = this.#lookedAt - stats.mtimeMs < TICK_MS;
    this.#lookedAt = Date.now();
    if (!isTouched && (!isRecent || held.guardHolds())) return null;
    if (stats.size < held.fileSize) return this.#begin('The file was truncated: this is what it holds now.');
    if (!held.guardHolds()) return this.#begin('The file was rewritten: this is what it holds now.');
    if (held.compressed) return this.#unpackAgain(held);
    if (stats.size === held.fileSize && held.headerChanged() && held.grow(stats))
      return this.#kept(held, stats);
    if (stats.size === held.fileSize) return this.#touched(held);
    if (!held.grow(stats)) return this.#begin(null);
    return this.#kept(held, stats);
  }

  #kept(held: FileGeneration, stats: Stats): Looked {
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
    const again = await lookAtFile(this.#path, this.#readable);
    if (again.size > held.fileSize) return this.#take(again, held);
    return this.#begin(null);
  }

  async #begin(notice: string | null): Promise<Looked> {
    const generation = await FileGeneration.open(this.#path, this.#options);
    this.#lookedAt = Date.now();
    try {
      return {
        generation,
        artifact: this.#options.look(this.#path, await lookAtFile(this.#path, this.#readable)),
        notice,
      };
    } catch (error) {
      generation.close();
      throw error;
    }
  }
}

const look = promisify(lstat);

/**
 * Looks at the file at a real path, without following links, and checks that it may still be read.
 *
 * Throws system errors: `ELOOP` if a link replaced the file, `ENOENT` if a link replaced a folder above it,
 * `EISDIR` for anything but a file, `EACCES` without permission, even while an open descriptor can still read it.
 *
 * @param readable the file's state when it was last found to be readable. Permissions are the same as long as its
 *   change time is.
 */
async function lookAtFile(path: string, readable: Stats | null): Promise<Stats> {
  const stats = await look(pathBytes(path));
  if (stats.isSymbolicLink()) throw withCode('ELOOP');
  if (!stats.isFile()) throw withCode('EISDIR');
  if ((await realPath(path)) !== path) throw withCode('ENOENT');
  const isSame = readable?.ctimeMs === stats.ctimeMs && readable.ino === stats.ino;
  if (!isSame && !mayBeRead(path, stats)) throw withCode('EACCES');
  return stats;
}

function withCode(code: string): NodeJS.ErrnoException {
  return Object.assign(new Error(code), { code });
}
