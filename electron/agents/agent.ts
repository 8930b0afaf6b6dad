/** Declares what is known of an agent. Each has a file beside this one, and a line in agents.ts. */
import type { AgentId } from '../../shared/agent-names.ts';
import type { AgentClient } from './client.ts';
import type { Conversation } from './facts/calls.ts';
import type { AgentFile, FileDescription, UserFolders } from './facts/described.ts';
import type { FactFiles } from './facts/fact-files.ts';
import type { FileEnds, TextFrame } from './facts/frame.ts';
import type { AgentShell } from './shell.ts';

export interface Agent {
  /** Its name and mark are in shared/agent-names.ts, for the window. */
  readonly id: string;
  /** Output that it keeps in files of its own. */
  readonly captures?: Captures;
  /** Its configuration, where Spillway can be its MCP server. */
  readonly client?: AgentClient;
  /** How it starts a shell that reads BASH_ENV. */
  readonly shell?: AgentShell;
  readonly replies?: ReplyHabits;
}

/** What it passes on to its model of a reply, as measured with the real one in November 2026. */
export interface ReplyHabits {
  /** In the name that it gives itself as a client. */
  readonly client: RegExp;
  /** It cuts a reply that has more bytes. A client that counts characters cuts later. */
  readonly mostBytes: number;
  /** The same where less is passed on at times; by default `mostBytes`. */
  readonly usualBytes?: number;
  /** The form that it shows of a result that has both, text and structured content. It shows the other if that one is empty. */
  readonly shows?: 'text' | 'structured' | 'both';
  /** The same for a result that is an error. */
  readonly showsOfError?: 'text' | 'structured' | 'both';
}

/** A kind of source: its folders, which of their files are artifacts, and how to describe those. */
export interface SourceKind {
  /** Unique, lower case; `kind` of an entry of `sources` in config.json. */
  readonly name: string;
  /** Its name in the window and in messages. */
  readonly title: string;
  /** False: the source is a single file. */
  readonly isDirectory: boolean;
  /** Id of the agent whose captures these are (shared/agent-names.ts). */
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

/** What an agent declares: the registry adds the rest (agents.ts). */
export type Captures = Omit<SourceKind, 'name' | 'title' | 'agent' | 'isDirectory'>;
