/**
 * A source: a directory or a file that the library watches. Spillway never writes to it or deletes from it.
 *
 * Each kind of source is one file: a folder or a single file beside this one (`host/library/opened.ts` chooses), an
 * agent's captures in the agent's file (electron/agents/agents.ts).
 */

import type { Stats } from 'node:fs';
import { sep } from 'node:path';
import picomatch from 'picomatch';
import { WATCH_DEPTH } from '../../shared/limits.ts';
import type { SourceKind } from '../agents/agent.ts';
import { isWithin } from '../reader/bytes/path-text.ts';

export interface Source {
  /** Real path of a directory or of a single file. */
  readonly path: string;
  readonly kind: SourceKind;
  /** The person's name for it. */
  readonly name?: string | undefined;
  /** Agents may read it over MCP. */
  readonly readableOverMcp: boolean;
  /** Only the growth of its files is of interest: what they tell is not read. */
  readonly isOnlyGuarded?: boolean;
}

/**
 * Returns the `source` of its artifacts: the agent, whose captures are one source wherever they lie, else the person's
 * name or the path.
 */
export function sourceName(source: Source): string {
  return source.kind.agent ?? source.name ?? source.path;
}

/** Names from the source's directory down to a path in it. Real paths, so ten times as fast as `relative`. */
export function namesWithin({ path: folder }: Source, path: string): string[] {
  const inside = path.slice(folder.endsWith(sep) ? folder.length : folder.length + 1);
  return inside === '' ? [] : inside.split(sep);
}

export type EntryType = Pick<Stats, 'isFile' | 'isDirectory'>;

/**
 * Returns whether an entry belongs to a source, given that its folder does. Links, devices, pipes and Spillway's own
 * home never do.
 *
 * @param folder names from the source's own directory down to the entry's
 */
export function childBelongs(
  { kind }: Source,
  folder: readonly string[],
  name: string,
  path: string,
  home: string,
  type: EntryType,
): boolean {
  if (path === home || !(type.isFile() || type.isDirectory())) return false;
  return kind.includes(folder, name, type.isDirectory());
}

/**
 * Returns whether a real path belongs to a source. `stats` are those of the path: links, devices and pipes never
 * belong.
 */
export function belongs(source: Source, path: string, home: string, stats: EntryType): boolean {
  if (!stats.isFile() && !stats.isDirectory()) return false;
  // The members of an archive belong to it.
  if (!source.kind.isDirectory) return isWithin(path, source.path);
  if (path === source.path) return true;
  if (!isWithin(path, source.path) || isWithin(path, home)) return false;
  const names = namesWithin(source, path);
  return names.every((name, depth) => {
    const isDirectory = depth < names.length - 1 || stats.isDirectory();
    return source.kind.includes(names.slice(0, depth), name, isDirectory);
  });
}

/** A directory that a person adds: its files, except in hidden folders and `node_modules`. */
export const directory: SourceKind = {
  name: 'directory',
  title: 'Folder',
  isDirectory: true,
  includes: (folder, name, isDirectory) =>
    folder.length <= WATCH_DEPTH && name !== 'node_modules' && !(isDirectory && name.startsWith('.')),
};

/**
 * Returns a directory of which only files belong that match a glob: by name if it has no slash (`*.log`), else by the
 * path from the directory (`build-?/**`).
 */
export function directoryOf(pattern: string | undefined): SourceKind {
  if (pattern === undefined) return directory;
  const matches = picomatch(pattern, { basename: !pattern.includes('/'), dot: true });
  return {
    ...directory,
    includes: (folder, name, isDirectory) =>
      directory.includes(folder, name, isDirectory) && (isDirectory || matches([...folder, name].join('/'))),
  };
}

/** A single file that a person opens. */
export const singleFile: SourceKind = {
  name: 'file',
  title: 'File',
  isDirectory: false,
  includes: () => false,
};
