/**
 * A source: a directory or a file that the library watches. Spillway never writes to it or deletes from it.
 *
 * Each kind of source is one file: a folder or a single file beside this one (`host/library/add-source.ts` chooses), an
 * agent's captures in `agents/`, listed in `kinds.ts`.
 */
import type { Stats } from 'node:fs';
import { sep } from 'node:path';
import { AGENT_NAMES, type AgentId } from '../../../shared/agents/agent-names.ts';
import { isWithin } from '../../reader/bytes/path-text.ts';
import type { FileState } from '../files/file-state.ts';
import type { Conversation } from './facts/calls.ts';
import type { FactFiles } from './facts/fact-files.ts';
import type { FileDescription } from './facts/file-description.ts';
import type { FileEnds, TextFrame } from './facts/frame.ts';
import type { UserFolders } from './user-folders.ts';

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

/** A kind of source: its folders, which of their files are artifacts, and how to describe those. */
export interface SourceKind {
  /** Unique, lower case; `kind` of an entry of `sources` in config.json. */
  readonly name: string;
  /** Its name in the window and in messages. */
  readonly title: string;
  /** False: the source is a single file. */
  readonly isDirectory: boolean;
  /** Id of the agent whose captures these are (shared/agents/agent-names.ts). */
  readonly agent?: AgentId;
  /** Returns the directories to watch unasked, absolute; they need not exist. Kinds that only people add have none. */
  locate?(user: UserFolders): string[];
  /**
   * Returns whether an entry of the source is watched. A directory that isn't is never read.
   *
   * @param folder names from the source's own directory down to the entry's, which is the empty list for the
   *   directory itself
   */
  includes(folder: readonly string[], name: string, isDirectory: boolean): boolean;
  /** Returns what a file's path tells. Called whenever it changes; reads nothing. */
  describe?(file: AgentFile): FileDescription;
  /** Finds the text between a header and a footer that the agent wrote around it. */
  frame?(ends: FileEnds, name: string): TextFrame;
  /** Reads the conversations that were last written to, the newest first. */
  conversations?(facts: FactFiles): AsyncIterable<Conversation>;
  /** Reads what siblings and transcripts tell. `framed`: what header and footer told. */
  detail?(file: AgentFile, facts: FactFiles, framed: FileDescription): Promise<FileDescription>;
}

export interface AgentFile {
  readonly path: string;
  /** Names from the source's directory down to the file. */
  readonly names: readonly string[];
  readonly stats: FileState;
  /** Its command, where it was known before. */
  readonly command?: string | null | undefined;
  /** The beginning of what it held, where it is deleted. */
  readonly printed?: string;
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
  if (!source.kind.isDirectory) return path === source.path;
  if (path === source.path) return true;
  if (!isWithin(path, source.path) || isWithin(path, home)) return false;
  const names = namesWithin(source, path);
  return names.every((name, depth) => {
    const isDirectory = depth < names.length - 1 || stats.isDirectory();
    return source.kind.includes(names.slice(0, depth), name, isDirectory);
  });
}

/** The fields that the kinds of agents' folders share. */
export function agentFolder(id: AgentId): Pick<SourceKind, 'name' | 'title' | 'agent' | 'isDirectory'> {
  return { name: id, title: AGENT_NAMES[id].title, agent: id, isDirectory: true };
}
