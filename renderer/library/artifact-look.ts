/** The name, icon and words of an artifact. Every icon has a word. */
import type { Artifact, ContentType, Kind, Status, Stream, StreamName } from '../../shared/artifact.ts';
import { isMergedId } from '../../shared/merged.ts';
import { escapeLine } from '../../shared/text/escape.ts';
import { shownCommand } from '../../shared/text/shell-words.ts';
import type { IconName } from '../ui/words/Icon.tsx';

/** On one line and in order, whatever the name holds. */
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

/** An agent's file may have a better name than its own, such as `Codex session`. */
function hasFileName({ agent, label }: Artifact): boolean {
  return agent === null || !label.includes(' ');
}

/** The folder it ran in, or a file's folder, as it is shown; null when unknown. */
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

/** The file of its first stream that has one. */
export function pathOf(artifact: Artifact): string | null {
  return artifact.streams.find((stream) => stream.file_path !== null)?.file_path ?? null;
}

/** Bytes of what it printed; the combined stream holds the same bytes again. */
export function sizeOf(artifact: Artifact): number {
  return ownStreams(artifact).reduce((sum, stream) => sum + stream.total_bytes, 0);
}

function ownStreams({ streams }: Artifact): readonly Stream[] {
  const own = streams.filter((stream) => stream.name !== 'combined');
  return own.length > 0 ? own : streams;
}

/** Bytes of the stream that were printed and not kept: in the combined one, of both. */
export function droppedOf(artifact: Artifact, stream: StreamName): number {
  const all = stream === 'combined' ? ownStreams(artifact) : artifact.streams;
  return all
    .filter(({ name }) => stream === 'combined' || name === stream)
    .reduce((sum, { dropped_bytes }) => sum + dropped_bytes, 0);
}

/** Null until they have been counted; the combined stream holds the same lines again. */
export function linesOf(artifact: Artifact): number | null {
  let sum = 0;
  for (const { total_lines } of ownStreams(artifact)) {
    if (total_lines === null) return null;
    sum += total_lines;
  }
  return sum;
}

/** The content type of the first stream that has one. */
export function contentTypeOf(artifact: Artifact): ContentType {
  const types = ownStreams(artifact).map((stream) => stream.content_type);
  return types.find((type) => type !== 'unknown') ?? 'unknown';
}

/** The time the list is sorted by, in ISO 8601. */
export function timeOf(artifact: Artifact): string | null {
  return artifact.started_at ?? artifact.ended_at;
}

/** The time whose age the list shows: when a file last changed, or when anything else began. */
export function agedTimeOf(artifact: Artifact): string | null {
  return isPlainFile(artifact) ? (artifact.ended_at ?? artifact.started_at) : timeOf(artifact);
}

export type StatusTone = 'plain' | 'running' | 'succeeded' | 'warned' | 'failed';

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

/** True for a file that no command of ours wrote: it has no exit status. */
export function isPlainFile(artifact: Artifact): boolean {
  return artifact.kind === 'file' && artifact.status === 'finished' && artifact.agent === null;
}

/** True when more may come: it runs, or is a file that other programs write. */
export function canGrow(artifact: Artifact): boolean {
  return artifact.status === 'running' || artifact.kind === 'file';
}

/** True for a plain file: a new file at its path replaces it. A capture's files are its own. */
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
