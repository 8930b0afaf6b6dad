/** The request for a recorded run, and its result. */

import { existsSync, lstatSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Status } from '../../../shared/artifact.ts';
import { RECORD_SUFFIX } from '../../../shared/artifact-names.ts';
import { toSpillwayError } from '../../../shared/errors.ts';
import type { PreviewPartWithContent, RunHead, StreamHead } from '../../../shared/recording.ts';
import { PREVIEW_BYTES } from '../../../shared/setting-rules.ts';
import type { PreviewSize, Settings } from '../../../shared/settings.ts';
import { binaryNote } from '../../reader/bytes/content-type.ts';
import type { StreamPlan } from '../../recorder/command/command-handle.ts';
import type { RecordedStreamName } from '../../recorder/streams/outcome.ts';
import { cutPreview, type Preview, type PreviewLimits } from '../../recorder/streams/preview.ts';
import type { FinishedStream } from '../../recorder/streams/recorded-stream.ts';
import { entryNames, sessionPaths } from '../../store/format/places.ts';
import { prepareHome } from '../settings/home.ts';

export interface RunRequest extends PreviewLimitsAsked {
  command: string;
  args: readonly string[];
  session?: string | undefined;
  /** Absolute. */
  cwd: string;
  /** All of it. */
  env: NodeJS.ProcessEnv;
  /** Names that were asked for beside the inherited ones. */
  envNames?: readonly string[] | null;
  /** Milliseconds; null for none. */
  timeout?: number | null;
  /** Bytes of one stream that are kept, instead of `maxStreamBytes`. */
  maxBytes?: number | undefined;
  stdin: 'inherit' | 'ignore';
  /** The command leads a process group: a signal meant for us alone does not reach it. */
  ownGroup: boolean;
  /** By default two pipes. */
  plan?: StreamPlan;
  /** Starts `recordOn` for background children that print after the command's end; else this process reads on. */
  recorder?: readonly string[] | null;
  /**
   * Our own stdout carries something else (MCP, one JSON document), so output of background children must not reach it.
   */
  keepsOutput?: boolean;
  /** The shell and its options that run `command`, a whole line. The record names the line, and no arguments. */
  shell?: readonly string[] | undefined;
}

export interface RunHooks {
  /** Receives each chunk. The next one is read, into the same memory, when the promise resolves. */
  onOutput?: (stream: RecordedStreamName, chunk: Uint8Array) => Promise<void> | null;
  /** The person pressed a key that asks the command to end, at a terminal that is joined to the command's. */
  onKey?: (signal: NodeJS.Signals) => void;
  /** Ends the command with all it started. */
  abort?: AbortSignal | undefined;
}

export interface RunResult {
  head: RunHead;
  parts: PreviewPartWithContent[];
  status: Status;
  /** `SIGTERM`, or `SIGRTMIN+3`. */
  signal: string | null;
  /** A stream outgrew its inline budget. */
  spilled: boolean;
  /** All it printed is stored, and what its background children print will be. */
  whole: boolean;
  streams: FinishedStream[];
  /** Processes that the command left running; null when there are none, as far as is known. */
  background: BackgroundRun | null;
  /** Done when what background children print is recorded too; at once when nobody records it. */
  rest: Promise<void>;
}

export interface BackgroundRun {
  readonly isOver: boolean;
  /** Ends all of it. Returns false when there was nothing any more. */
  end(): Promise<boolean>;
}

export interface RunningRecorded {
  readonly artifactId: string | null;
  readonly pid: number;
  /** Why nothing is recorded, or what of it is not, so far. */
  warnings(): readonly string[];
  /** Bytes and line ends that came so far. */
  progress(stream: RecordedStreamName): { bytes: number; newlines: number };
  /**
   * Resolves with whether a signal that reached us was sent to the whole process group, and so to the command. `early`:
   * the command may not have begun then.
   */
  sawSignal(signal: NodeJS.Signals, early: boolean): Promise<boolean>;
  /** Takes a signal that was sent to us, and passes it on unless it has `reached` the command already. */
  signal(signal: NodeJS.Signals, reached?: boolean): void;
  /** The reader of the stream has gone. */
  hangUp(stream: RecordedStreamName): void;
  readonly result: Promise<RunResult>;
}

// Describes a stream beside its preview (CONTRACT 6), and says how much a preview may show.

/** Limits from `run_command`'s arguments. Missing ones come from the settings. */
export interface PreviewLimitsAsked {
  maxOutputLines?: number | undefined;
  maxErrorLines?: number | undefined;
  previewSize?: PreviewSize | undefined;
  includeFullOutput?: boolean | undefined;
}

/** A line limit that was asked for, or the full output, lifts the byte budget to that of a reply. */
function limitsOf(stream: RecordedStreamName, asked: PreviewLimitsAsked, settings: Settings): PreviewLimits {
  const lines = stream === 'stderr' ? asked.maxErrorLines : asked.maxOutputLines;
  const usual = stream === 'stderr' ? settings.maxErrorLines : settings.maxOutputLines;
  const isLifted = asked.includeFullOutput === true || lines !== undefined;
  return {
    bytes: isLifted
      ? settings.maxReplyBytes
      : Math.min(settings.maxReplyBytes, PREVIEW_BYTES[asked.previewSize ?? settings.previewSize]),
    lines: lines ?? (asked.includeFullOutput ? Number.MAX_SAFE_INTEGER : usual),
    collapseProgress: settings.collapseProgress,
  };
}

export function previewOf(stream: FinishedStream, asked: PreviewLimitsAsked, settings: Settings): Preview {
  return cutPreview(stream, limitsOf(stream.name, asked, settings));
}

export function streamHead(stream: FinishedStream, preview: Preview): StreamHead {
  return {
    file_path: stream.file_path,
    total_lines: stream.total_lines,
    total_bytes: stream.total_bytes,
    returned_lines: preview.returned_lines,
    returned_bytes: preview.returned_bytes,
    truncated: preview.truncated,
    dropped_bytes: stream.dropped_bytes,
    content_type: stream.content_type,
    ...(preview.errors_left_out ? { errors_left_out: preview.errors_left_out } : {}),
    ...(stream.content_type === 'binary'
      ? { note: binaryNote(stream.sample.head, stream.total_bytes, 'tool') }
      : {}),
  };
}

// Names a command for lists and ids. during.pl in electron/agent-shell/recorder does the same.

/** Words and separators of a shell line. */
const TOKENS = /(?:[^ \t\r\n'"\\;&|<>()]+|'[^']*'|"[^"\\]*(?:\\.[^"\\]*)*"|\\.)+|[;&|<>()\n]/gs;
/** Commands that prepare the next one. */
const PREPARES = /^(?:cd|pushd|export|set|shopt|source|\.|umask|ulimit|unset|trap)$/;
const MOST_CHARS = 4096;

/** The command and the words after it that say what it does: `npm test`, not its options and paths. */
export function commandLabel(command: string, args: readonly string[]): string {
  const name = command.replace(/^.*[/\\](?=.)/s, '');
  return [name, ...args.slice(0, 2).filter((arg) => /^[A-Za-z][\w:.-]{0,30}$/.test(arg))].join(' ');
}

/** Returns the label of a shell line's first command that does more than prepare the next one. */
export function labelOfLine(line: string): string {
  let words: string[] = [];
  let before: string[] = ['sh'];
  let isTarget = false;
  for (const token of [...(line.slice(0, MOST_CHARS).match(TOKENS) ?? []), ';'])
    if (token === '<' || token === '>') isTarget = true;
    else if (!/^[;&|()\n]$/.test(token)) {
      const isAssignment = words.length === 0 && /^\w+\+?=/.test(token);
      if (!isTarget && !isAssignment) words.push(token);
      isTarget = false;
    } else if (words.length > 0) {
      if (!PREPARES.test(words[0]!)) break;
      before = words;
      words = [];
    }
  const [command, ...args] = words.length > 0 ? words : before;
  return commandLabel(command!.replace(/['"]/g, ''), args);
}

// Opens the home that captures go to; where that fails, commands run unrecorded.

export interface RecordingHome {
  /** The prepared, private home; null if nothing is recorded. */
  home: string | null;
  /** Why nothing is recorded, and what to do; null without a problem. */
  problem: string | null;
  settings: Settings;
  /** Mistakes in the settings, in sentences. */
  warnings: string[];
}

/** `home` is from `resolveHome`, `config` from `loadConfig`. Never throws. */
export function openRecordingHome(
  home: string,
  { settings, warnings }: Pick<RecordingHome, 'settings' | 'warnings'>,
): RecordingHome {
  try {
    prepareHome(home);
    return { home, problem: null, settings, warnings };
  } catch (error) {
    // One sentence about a home that cannot be used is enough.
    return { home: null, problem: toSpillwayError(error).message, settings, warnings: [] };
  }
}

/** Whether the home has a command's capture beside this one: there may be a run to compare it with. Never throws. */
export function hasOtherCommands(home: string, artifactId: string): boolean {
  return sessionPaths(home).some((session) =>
    entryNames(session).some(
      (name) => name.startsWith('cmd-') && name.endsWith(RECORD_SUFFIX) && !name.startsWith(artifactId),
    ),
  );
}

// Tells a command's recorder that a person stops the command. The recorder is another process, so a file in the home
// says it until the command has ended. Without the file, death by SIGTERM is a failure. It belongs to the process that
// stops the command.

/** Returns a function that withdraws the request. Never throws: without a request, the command counts as failed. */
export function requestStop(home: string, artifactId: string): () => void {
  const path = pathOf(home, artifactId);
  try {
    mkdirSync(join(path, '..'), { recursive: true, mode: 0o700 });
    writeFileSync(path, '', { mode: 0o600 });
  } catch {
    return () => {};
  }
  return () => rmSync(path, { force: true });
}

export function isStopRequested(home: string, artifactId: string): boolean {
  return existsSync(pathOf(home, artifactId));
}

/** Stopping a command takes seconds. The process that left so old a request was killed. */
const OLD_MS = 60 * 60 * 1000;

/** Removes requests whose process was killed. Never throws. */
export function removeOldRequests(home: string): void {
  const folder = pathOf(home, '');
  try {
    for (const name of readdirSync(folder)) {
      const path = join(folder, name);
      if (Date.now() - lstatSync(path).mtimeMs > OLD_MS) rmSync(path, { force: true });
    }
  } catch {
    // There are none, or they take next to no room.
  }
}

function pathOf(home: string, artifactId: string): string {
  return join(home, 'run', 'stopping', artifactId);
}
