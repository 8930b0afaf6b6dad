/** Declares what is known of an agent. Each has a file beside this one, and a line in agents.ts. */

import { join } from 'node:path';
import type { AgentId } from '../../shared/agent-names.ts';
import type { AgentClient } from './client.ts';
import type { Conversation } from './facts/calls.ts';
import type { AgentFile, FileDescription, FileEnds, TextFrame, UserFolders } from './facts/described.ts';
import type { FactFiles } from './facts/fact-files.ts';

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
  readonly passes?: ShellHabits;
}

/** How much of a command's output its shell tool passes on to its model, measured with the real agent in November 2026. */
export interface ShellHabits {
  /** Output of at most so many bytes is passed on whole. */
  readonly whole: number;
  /** Bytes of longer output that it passes on from the beginning, and from the end. */
  readonly head: number;
  readonly tail: number;
  /** It keeps no more than so many bytes, of which these are the beginning and the end. */
  readonly kept?: number;
  /** Up to so many lines; of more the last, if the client counts lines. */
  readonly lines?: number;
  /** The same of a command that failed, if that differs. */
  readonly failed?: ShellHabits;
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

// Declares how an agent starts the shell of a command: bash, which reads BASH_ENV. The recorder gets this as a table when it is installed
// (electron/agent-shell/program.ts).

/** How an agent runs a command of its shell tool. */
export interface AgentShell {
  /**
   * A variable that it gives these commands, and neither has itself nor gives hooks, servers and helper commands, which
   * read BASH_ENV too.
   */
  marker: string;
  /** Beginning of the names of its processes that have the variable, such as its sandbox. */
  parents?: string;
  /** What stdout leads to, where other commands have the variable too. */
  output?: RegExp;
  /** A bash pattern of scripts of its own that start another shell for the command. */
  skipped?: string;
  /** What it puts around a command. */
  envelope?: Envelope;
  /** Whether it starts the shell with more options than `-c`. */
  hasOptions?: true;
}

/** Two ends around a command. A command in any other envelope is recorded with what is around it. */
export interface Envelope {
  head: RegExp;
  /** One of them ends the command; the first that is found counts. */
  tails: readonly string[];
  /** The command is quoted as one word of the shell. */
  isQuoted?: true;
}

/** Returns the command without the agent's envelope; null if that is not known. The recorder does the same in Perl. */
export function commandIn({ head, tails, isQuoted }: Envelope, given: string): string | null {
  const from = head.exec(given)?.[0].length;
  if (from === undefined) return null;
  const to = tails.map((tail) => given.lastIndexOf(tail)).find((at) => at >= from);
  if (to === undefined) return null;
  const command = given.slice(from, to);
  return isQuoted ? unquoted(command) : command;
}

/** Returns what a word of a shell line means without expansions; null if the text is more than one word. */
function unquoted(word: string): string | null {
  const piece = /([^\s'"\\;&|<>()]+)|'([^']*)'|"([^"\\]*(?:\\[\s\S][^"\\]*)*)"|\\([\s\S])/y;
  let text = '';
  for (let match = piece.exec(word); match !== null; match = piece.exec(word)) {
    text += match[1] ?? match[2] ?? match[3]?.replace(/\\([$`"\\\n])/g, '$1') ?? match[4]!;
    if (piece.lastIndex === word.length) return text;
  }
  return word === '' ? '' : null;
}

// Says which paths below a source's directory are captures, by a pattern for each name on the way.

/** A name, or an expression for it. */
type NamePattern = string | RegExp;
/** Patterns for the folders on the way, and last the file. */
type PathPattern = readonly NamePattern[];

export const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
/** Any folder that is not hidden. */
export const ANY = /^[^.]/;

export function onPaths(...patterns: readonly PathPattern[]): SourceKind['includes'] {
  return (folder, name, isDirectory) =>
    patterns.some(
      (pattern) =>
        isDirectory === folder.length + 1 < pattern.length &&
        folder.length < pattern.length &&
        fits(pattern[folder.length]!, name) &&
        folder.every((above, depth) => fits(pattern[depth]!, above)),
    );
}

function fits(pattern: NamePattern, name: string): boolean {
  return typeof pattern === 'string' ? pattern === name : pattern.test(name);
}

/** The data folders of editors made from VS Code, also those of their servers on a machine reached by SSH. */
export function editorFolders({ home, env, platform }: UserFolders): string[] {
  const base =
    platform === 'darwin'
      ? join(home, 'Library', 'Application Support')
      : platform === 'win32'
        ? (env.APPDATA ?? join(home, 'AppData', 'Roaming'))
        : (env.XDG_CONFIG_HOME ?? join(home, '.config'));
  return [
    ...['Code', 'Code - Insiders', 'VSCodium'].map((name) => join(base, name)),
    ...['.vscode-server', '.vscode-server-insiders'].map((name) => join(home, name, 'data')),
  ];
}
