/**
 * Remembers the files and folders that people opened, until they are removed: `opened.json` in the home. The home's
 * inspector writes it, its other processes read it: an id copied from the window works on the command line.
 */
import { lstatSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { Owner, type PidScope, thisProcess } from '../../store/format/owner.ts';
import { replaceFile } from '../../store/format/small-file.ts';

export const OpenedPath = z.object({
  /** Real path. */
  path: z.string(),
  /** Agents may read it over MCP. */
  agents: z.boolean(),
});
export type OpenedPath = z.infer<typeof OpenedPath>;

const Book = z.object({
  /** Where the paths name these files: in another container they may name others. */
  place: Owner.shape.place,
  sources: z.array(OpenedPath).max(10_000),
});

/** Replaced atomically; best effort: a home that cannot be written to has been reported when it was prepared. */
export function writeBook(home: string, sources: readonly OpenedPath[]): void {
  try {
    replaceFile(fileOf(home), JSON.stringify({ place: place(), sources }));
  } catch {
    // Opened paths are known as long as this process runs.
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
    return isHere ? sources : sources.map(({ path }) => ({ path, agents: false }));
  } catch {
    return [];
  }
}

/** Changes whenever the file does; null without one. */
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
