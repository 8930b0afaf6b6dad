/**
 * Stores the opened files and folders in `opened.json` in the home, until they are removed. The home's inspector writes
 * it and other processes read it, so that an id copied from the window works on the command line.
 */
import { lstatSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { Owner, type PidScope, thisProcess } from '../../store/format/owner.ts';
import { replaceFile } from '../../store/format/small-file.ts';

export const OpenedPath = z.object({
  /** Real path. */
  path: z.string(),
  /** Whether agents may read it over MCP. */
  agents: z.boolean(),
  /** Whether it was a file when it was last there. */
  is_file: z.boolean().default(false),
});
export type OpenedPath = z.infer<typeof OpenedPath>;

const Book = z.object({
  /** The machine or container of the paths: in another one, they may name other files. */
  place: Owner.shape.place,
  sources: z.array(OpenedPath).max(10_000),
});

/** Replaces the file atomically. Ignores errors, as an unwritable home was reported when it was prepared. */
export function writeBook(home: string, sources: readonly OpenedPath[]): void {
  try {
    replaceFile(fileOf(home), JSON.stringify({ place: place(), sources }));
  } catch {
    // Opened paths are remembered only until this process ends.
  }
}

/**
 * Returns the remembered paths. If another machine or container wrote them, agents may read none: the paths may name
 * other files here.
 */
export function readBook(home: string): OpenedPath[] {
  try {
    const { place: written, sources } = Book.parse(JSON.parse(readFileSync(fileOf(home), 'utf8')));
    const here = place();
    const isHere = written?.machine === here?.machine && written?.pids === here?.pids;
    return isHere ? sources : sources.map((each) => ({ ...each, agents: false }));
  } catch {
    return [];
  }
}

/** Returns a value that changes with the file; null without one. */
export function bookStamp(home: string): string | null {
  try {
    const { mtimeNs, ctimeNs, ino, size } = lstatSync(fileOf(home), { bigint: true });
    return [mtimeNs, ctimeNs, ino, size].join('/');
  } catch {
    return null;
  }
}

function place(): PidScope | null {
  return thisProcess().place ?? null;
}

function fileOf(home: string): string {
  return join(home, 'opened.json');
}
