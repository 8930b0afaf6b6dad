/**
 * Copies another program's file into Spillway's own captures and notes its origin. Reads through a descriptor: the file
 * may be deleted meanwhile. Never links to it. Where the file system can, the copy shares the file's blocks and is only
 * read.
 */
import { basename } from 'node:path';
import type { Artifact } from '../../../shared/artifact.ts';
import { SpillwayError } from '../../../shared/errors.ts';
import { formatBytes } from '../../../shared/text/format.ts';
import { END_BYTES, type FileEnds, fileEnds, type TextFrame } from '../../agents/facts/described.ts';
import { startRecording } from '../../recorder/streams/recording.ts';
import type { DiskFile } from '../../workers/disk.ts';
import { loadConfig } from '../settings/config.ts';
import { openRecordingHome } from './run-request.ts';

const CHUNK_BYTES = 1024 * 1024;
const SESSION_CHARS = 12;

export interface FileCopyOptions {
  home: string;
  /** It may be deleted by now. */
  file: DiskFile;
  /** As the file was listed. */
  artifact: Artifact;
  /** Finds the text between what an agent wrote around it. */
  frame?: ((ends: FileEnds, name: string) => TextFrame) | undefined;
  /** Told after each megabyte. */
  onProgress?(doneBytes: number, totalBytes: number): void;
}

/** Resolves with the id of the capture. Throws `home` if nothing can be recorded. */
export async function copyFile({
  home,
  file,
  artifact,
  frame,
  onProgress,
}: FileCopyOptions): Promise<string> {
  const place = openRecordingHome(home, loadConfig(home));
  const path = artifact.streams[0]?.file_path ?? artifact.label;
  const { agent, command, label, cwd } = artifact;
  const started = Date.parse(artifact.started_at ?? '') || Date.now();
  const ended = Math.max(started, Date.parse(artifact.ended_at ?? '') || started);
  let now = started;
  const recording = startRecording({
    home: place.home,
    settings: place.settings,
    unrecorded: place.problem,
    session: sessionOf(artifact),
    kind: command === null ? 'capture' : 'cmd',
    label,
    command,
    args: command === null ? null : [],
    cwd,
    envNames: null,
    streams: ['output'],
    agent: agent && { name: agent.name, session: agent.session },
    origin: path,
    // Record the command's times, not the copy's.
    clock: Object.assign(() => now, { monotonic: () => now }),
  });
  const { size } = await file.stat();
  const ends = frame && (await file.ends(END_BYTES, size));
  const { start, end } = (ends && frame?.(fileEnds(ends, size), basename(path))) ?? { start: 0, end: null };
  const total = Math.max(start, end ?? size);
  // Only whole blocks can be shared, so the text has to begin with the file.
  const canShare = start === 0 && total > CHUNK_BYTES;
  if (canShare && file.isHere) await recording.clone('output', file.fd, total);
  for (let at = start; at < total; ) {
    const chunk = await file.read(at, Math.min(CHUNK_BYTES, total - at));
    if (chunk.length === 0) break;
    recording.write('output', chunk);
    at += chunk.length;
    onProgress?.(at - start, total - start);
  }
  now = ended;
  const { artifactId } = await recording.finish({
    status: artifact.status === 'running' ? 'finished' : artifact.status,
    exit_code: artifact.exit_code,
    warnings: artifact.warnings,
  });
  if (artifactId === null)
    throw new SpillwayError('home', recording.problem ?? 'nothing can be recorded', 'see `spillway doctor`');
  return artifactId;
}

/** Copies of one conversation lie together, as what Spillway records of it does. */
function sessionOf({ agent, session }: Artifact): string {
  if (agent === null) return session ?? 'copies';
  const project = agent.project?.split(/[\\/]/).filter(Boolean).at(-1);
  const parts = [agent.name, project, agent.session?.slice(-SESSION_CHARS)];
  return parts
    .filter(Boolean)
    .join(' ')
    .replace(/[^\x20-\x7e]/g, '_');
}

/** A copy that takes longer than this reports its progress, and again after each such time. */
const PROGRESS_MS = 1000;

/** Returns a callback for a copy: bytes copied so far, and bytes in total. */
export function copyProgress(
  label: string,
  say: (text: string) => void,
  now: () => number = () => performance.now(),
): (doneBytes: number, totalBytes: number) => void {
  let reportedAt = now();
  return (done, total) => {
    if (now() - reportedAt < PROGRESS_MS) return;
    reportedAt = now();
    say(`Copying ${label}: ${formatBytes(done)} of ${formatBytes(total)}`);
  };
}
