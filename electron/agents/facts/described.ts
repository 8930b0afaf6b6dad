/** Declares what is given of a captured file, and what is found out about it. */
import type { Stats } from 'node:fs';
import type { AgentMark, Artifact } from '../../../shared/artifact.ts';

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

/** What is kept of a watched file's `Stats`: the four dates there cost memory and time. */
export type FileState = Readonly<
  Pick<Stats, 'size' | 'mtimeMs' | 'ctimeMs' | 'birthtimeMs' | 'ino' | 'dev' | 'mode'>
>;

/** How a source describes one of its files. */
export type FileDescription = Partial<
  Pick<
    Artifact,
    | 'label'
    | 'command'
    | 'args'
    | 'cwd'
    | 'status'
    | 'exit_code'
    | 'started_at'
    | 'ended_at'
    | 'duration_ms'
    | 'warnings'
  > &
    Pick<AgentMark, 'session' | 'project' | 'pid' | 'truncated'> & {
      /** Whether it may be the output of a command that failed, where it is not known which command's it is. */
      mayHaveFailed: boolean;
    }
>;

/** Where kinds look for their directories. */
export interface UserFolders {
  readonly home: string;
  readonly temporary: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly platform: NodeJS.Platform;
}

// Header and footer that an agent writes around a command's text, found in the first and last bytes of a file.

/** Longest header, and longest footer, that is recognised. */
export const END_BYTES = 32 * 1024;

/** Both ends of a file. One character for each byte (Latin-1), so that positions are offsets. */
export interface FileEnds {
  readonly size: number;
  readonly head: string;
  readonly tail: string;
}

/** The position of the text in its file, and the facts in its header and footer. */
export interface TextFrame {
  /** Offset of the text's first byte. */
  readonly start: number;
  /** Offset after its last byte; null: the text goes on to the end of the file. */
  readonly end: number | null;
  readonly facts: FileDescription;
}

export const UNFRAMED: TextFrame = { start: 0, end: null, facts: {} };

/** @param bytes the first and last `END_BYTES` of a file */
export function fileEnds(bytes: { head: Uint8Array; tail: Uint8Array }, size: number): FileEnds {
  const head = latin1(bytes.head);
  return { size, head, tail: size <= END_BYTES ? head : latin1(bytes.tail) };
}

function latin1({ buffer, byteOffset, length }: Uint8Array): string {
  return Buffer.from(buffer, byteOffset, length).toString('latin1');
}

/** Turns text of `FileEnds` into characters. */
export function latin1AsUtf8(text: string): string {
  return Buffer.from(text, 'latin1').toString('utf8');
}

/** Returns the match of a header at the file's first byte. */
export function headerOf(ends: FileEnds, pattern: RegExp): RegExpExecArray | null {
  const match = pattern.exec(ends.head);
  return match?.index === 0 ? match : null;
}

/** Returns the match of a footer that ends the file, and the offset at which it begins. */
export function footerOf(ends: FileEnds, pattern: RegExp): { match: RegExpExecArray; at: number } | null {
  const match = pattern.exec(ends.tail);
  return match ? { match, at: ends.size - ends.tail.length + match.index } : null;
}

/** Pattern of one line of the footer that Gemini CLI and its forks write below a command's text. */
export const FOOTER_LINE = '(?:Error|Exit Code|Signal|Background PIDs|Process Group PGID): [^\\n]*\\n';

/** The exit status that the lines of a footer name; null when they name none. */
export function exitCodeIn(fields: string): number | null {
  const code = /^Exit Code: (-?\d+)$/m.exec(fields)?.[1];
  return code === undefined ? null : Number(code);
}

/** Whether the fields of a footer name a signal that ended the command. */
export function signalIn(fields: string): boolean {
  const name = /^Signal: *([^\n]*)$/m.exec(fields)?.[1]?.trim() ?? '';
  return !['', '0', '(none)', 'none', 'null'].includes(name);
}

/** Returns the status of a command that ended with an exit status. */
export function outcome(exitCode: number): Pick<FileDescription, 'exit_code' | 'status'> {
  return { exit_code: exitCode, status: exitCode === 0 ? 'succeeded' : 'failed' };
}
