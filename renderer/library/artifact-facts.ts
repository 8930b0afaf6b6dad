/** The name, icon and words of an artifact. Every icon has a word. */

import {
  type Artifact,
  type ContentType,
  isMergedId,
  type Kind,
  type Status,
  type Stream,
  type StreamName,
} from '../../shared/artifact.ts';
import { codeSpan, escapeLine, shownCommand } from '../../shared/text/escape.ts';
import type { PaletteItem } from '../actions/palette-items.ts';
import { formatAge, formatClock, permalink } from '../ui/text/format.ts';
import type { IconName } from '../ui/text/Icon.tsx';

/** Returns the name, on one line and left to right, whatever characters it has. */
export function nameOf(artifact: Artifact): string {
  return escapeLine(givenName(artifact));
}

function givenName(artifact: Artifact): string {
  if ((artifact.kind === 'cmd' || artifact.agent) && artifact.command)
    return oneLine(shownCommand(artifact.command, artifact.args ?? []));
  if (artifact.kind === 'file' && hasFileName(artifact))
    return pathOf(artifact)?.split(/[\\/]/).at(-1) || artifact.label;
  return artifact.label || artifact.artifact_id;
}

/** Whether to show the file's own name: an agent's file may have a better one, such as `Codex session`. */
function hasFileName({ agent, label }: Artifact): boolean {
  return agent === null || !label.includes(' ');
}

/** Returns a command's working directory or a file's folder, for display; null if unknown. */
export function folderOf(artifact: Artifact): string | null {
  const folder = givenFolder(artifact);
  return folder === null ? null : escapeLine(folder);
}

function givenFolder(artifact: Artifact): string | null {
  if (artifact.kind !== 'file') return artifact.cwd;
  if (artifact.agent && artifact.cwd !== null) return artifact.cwd;
  const path = pathOf(artifact);
  return path === null ? null : path.slice(0, Math.max(1, path.search(/[\\/][^\\/]*$/)));
}

const MAX_NAME_CHARS = 400;

function oneLine(text: string): string {
  return text
    .trim()
    .replace(/\s*\n\s*/g, ' ↵ ')
    .slice(0, MAX_NAME_CHARS);
}

/** Returns the path of the first stream that has a file. */
export function pathOf(artifact: Artifact): string | null {
  return artifact.streams.find((stream) => stream.file_path !== null)?.file_path ?? null;
}

/**
 * Returns the key of what a person set for an artifact: of a file its path, since its id changes when it is replaced;
 * else the id.
 */
export function settingsKey(artifact: Artifact): string {
  return (artifact.kind === 'file' ? pathOf(artifact) : null) ?? artifact.artifact_id;
}

/** Returns the size of its output, without the combined stream, which repeats the bytes. */
export function sizeOf(artifact: Artifact): number {
  return ownStreams(artifact).reduce((sum, stream) => sum + stream.total_bytes, 0);
}

function ownStreams({ streams }: Artifact): readonly Stream[] {
  const own = streams.filter((stream) => stream.name !== 'combined');
  return own.length > 0 ? own : streams;
}

/** Returns the dropped bytes of the stream; for the combined stream, of both. */
export function droppedOf(artifact: Artifact, stream: StreamName): number {
  const all = stream === 'combined' ? ownStreams(artifact) : artifact.streams;
  return all
    .filter(({ name }) => stream === 'combined' || name === stream)
    .reduce((sum, { dropped_bytes }) => sum + dropped_bytes, 0);
}

/** Returns the number of lines, without the combined stream, which repeats them; null until counted. */
export function linesOf(artifact: Artifact): number | null {
  let sum = 0;
  for (const { total_lines } of ownStreams(artifact)) {
    if (total_lines === null) return null;
    sum += total_lines;
  }
  return sum;
}

/** Returns the content type of the first stream that has one. */
export function contentTypeOf(artifact: Artifact): ContentType {
  const types = ownStreams(artifact).map((stream) => stream.content_type);
  return types.find((type) => type !== 'unknown') ?? 'unknown';
}

/** Returns the time by which the list is sorted, in ISO 8601. */
export function sortTimeOf(artifact: Artifact): string | null {
  return artifact.started_at ?? artifact.ended_at;
}

/** An output in a chooser, where equal runs differ in their times. */
export function outputItem(artifact: Artifact, now: number, run: () => void): PaletteItem {
  const { artifact_id, session } = artifact;
  const { word, icon } = kindOf(artifact);
  const status = isPlainFile(artifact) ? null : shortStatusWord(artifact);
  const time = agedTimeOf(artifact);
  const age = time === null ? null : `${formatClock(time)}, ${formatAge(Date.parse(time), now)}`;
  return {
    ...{ id: `output ${artifact_id}`, text: nameOf(artifact), kind: word, icon, run },
    detail: [status, age, folderOf(artifact), session && escapeLine(session)].filter(Boolean).join(' · '),
  };
}

/** Returns the time whose age the list shows: a file's last change, the start of anything else. */
export function agedTimeOf(artifact: Artifact): string | null {
  return isPlainFile(artifact) ? (artifact.ended_at ?? artifact.started_at) : sortTimeOf(artifact);
}

type StatusTone = 'plain' | 'running' | 'succeeded' | 'warned' | 'failed';

export const STATUS: Record<Status, { icon: IconName; word: string; tone: StatusTone }> = {
  running: { icon: 'play', word: 'running', tone: 'running' },
  succeeded: { icon: 'check', word: 'succeeded', tone: 'succeeded' },
  failed: { icon: 'cross', word: 'failed', tone: 'failed' },
  timed_out: { icon: 'clock', word: 'timed out', tone: 'failed' },
  cancelled: { icon: 'stop', word: 'cancelled', tone: 'warned' },
  interrupted: { icon: 'warn', word: 'interrupted', tone: 'warned' },
  finished: { icon: 'dash', word: 'finished', tone: 'plain' },
};

const KIND: Record<Kind, { icon: IconName; word: string }> = {
  cmd: { icon: 'cmd', word: 'command' },
  tool: { icon: 'tool', word: 'tool response' },
  terminal: { icon: 'terminal', word: 'terminal' },
  capture: { icon: 'capture', word: 'piped input' },
  file: { icon: 'file', word: 'file' },
};

export function kindOf({ artifact_id, kind }: Artifact): { icon: IconName; word: string } {
  return isMergedId(artifact_id) ? MERGED : KIND[kind];
}

const MERGED = { icon: 'merge', word: 'merged by time' } as const;

/** True for a file not written by a recorded command, so without an exit status. */
export function isPlainFile(artifact: Artifact): boolean {
  return artifact.kind === 'file' && artifact.status === 'finished' && artifact.agent === null;
}

/** True if it may grow: it runs, or is a file of another program. */
export function canGrow(artifact: Artifact): boolean {
  return artifact.status === 'running' || artifact.kind === 'file';
}

/** True for a plain file, which a new file at its path replaces, unlike a capture's files. */
export function mayComeBack(artifact: Artifact): boolean {
  return artifact.kind === 'file' && pathOf(artifact) !== null;
}

/** The first warning in a few words. The tooltip and the artifact's view say what to do. */
export function shortWarning(artifact: Artifact): string | undefined {
  return artifact.warnings[0]?.split(': ', 1)[0];
}

/** `failed (exit 2)`, `cancelled (SIGTERM)`. */
export function statusWord(artifact: Artifact): string {
  const { word } = STATUS[artifact.status];
  if (artifact.signal) return `${word} (${artifact.signal})`;
  return artifact.exit_code ? `${word} (exit ${artifact.exit_code})` : word;
}

/** A shorter `statusWord`: `failed (2)`. */
export function shortStatusWord(artifact: Artifact): string {
  const { word } = STATUS[artifact.status];
  if (artifact.signal) return statusWord(artifact);
  return artifact.status === 'failed' && artifact.exit_code ? `${word} (${artifact.exit_code})` : word;
}

/** Describes the artifact of quoted lines, with a link to them and the command that prints them. */
interface Quote {
  artifact: Artifact;
  /** Null for the default stream. */
  stream: StreamName | null;
  /** The lines that the link selects. */
  line: number;
  lastLine?: number;
  /** Which lines are quoted, in words. */
  words: string;
  /** Address of the window, without a fragment. */
  page: string;
  /** A search that the link opens. */
  pattern?: string | undefined;
}

interface QuotedSource {
  /** Markdown. */
  words: string;
  /** Null for a merged text, which only the window that merged it knows. */
  command: string | null;
}

export function quotedSource({
  artifact,
  stream,
  line,
  lastLine = line,
  words,
  page,
  pattern,
}: Quote): QuotedSource {
  const id = artifact.artifact_id;
  const name = codeSpan(nameOf(artifact));
  if (isMergedId(id)) return { words: `${name}, merged by time: ${words}`, command: null };
  const what = isPlainFile(artifact) ? codeSpan(pathOf(artifact) ?? id) : `${name}, ${statusWord(artifact)}`;
  const search = pattern === undefined ? '' : `&q=${encodeURIComponent(pattern)}`;
  const link = permalink(page, { artifactId: id, stream, line, lastLine }) + search;
  const command = `spillway inspect ${id}${stream ? ` --stream ${stream}` : ''}`;
  return { words: `${what}: [${words}](${link})`, command };
}

/**
 * Returns the names of the streams. A command's two streams can always be read combined, even if that is not listed.
 */
export function streamNames(artifact: Artifact): StreamName[] {
  const listed = artifact.streams.map((stream) => stream.name);
  const both = listed.includes('stdout') && listed.includes('stderr');
  return (['combined', 'stdout', 'stderr', 'output'] as const).filter(
    (name) => listed.includes(name) || (name === 'combined' && both),
  );
}

/** Returns the stream of that name if the artifact has it; null for its usual one. */
export function streamLike(artifact: Artifact, name: StreamName | null): StreamName | null {
  return name !== null && streamNames(artifact).includes(name) ? name : null;
}
