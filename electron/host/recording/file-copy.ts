/**
 * Copies another program's file into Spillway's own captures and notes its origin. Reads through a descriptor: the file
 * may be deleted meanwhile. Never links to it. Where the file system can, the copy shares the file's blocks and is only
 * read.
 */
import { closeSync, fstatSync, openSync, read } from 'node:fs';
import { basename } from 'node:path';
import { promisify } from 'node:util';
import type { Artifact } from '../../../shared/artifact.ts';
import { SpillwayError } from '../../../shared/errors.ts';
import { formatBytes } from '../../../shared/text/format.ts';
import { type FileEnds, readEnds, type TextFrame } from '../../library/sources/facts/frame.ts';
import { type Recording, startRecording } from '../../recorder/streams/recording.ts';
import { loadConfig } from '../settings/config.ts';
import { openRecordingHome } from './recording-home.ts';

const CHUNK_BYTES = 1024 * 1024;
const SESSION_CHARS = 12;
const readAt = promisify(read);

export interface FileCopyOptions {
  home: string;
  fd: number;
  /** As the file was listed. */
  artifact: Artifact;
  /** Finds the text between what an agent wrote around it. */
  frame?: ((ends: FileEnds, name: string) => TextFrame) | undefined;
  /** Told after each megabyte. */
  onProgress?(doneBytes: number, totalBytes: number): void;
}

/** Resolves with the id of the capture. Throws `home` if nothing can be recorded. */
export async function copyFile({ home, fd, artifact, frame, onProgress }: FileCopyOptions): Promise<string> {
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
  const { size } = fstatSync(fd);
  const { start, end } = frame?.(readEnds(fd, size), basename(path)) ?? { start: 0, end: null };
  const total = Math.max(start, end ?? size);
  // Only whole blocks can be shared, so the text has to begin with the file.
  const canShare = start === 0 && total > CHUNK_BYTES;
  const clone = canShare && (await recording.clone('output', fd, total)) ? opened(recording) : null;
  try {
    await copyText(clone ?? fd, start, total, recording, onProgress);
  } finally {
    if (clone !== null) closeSync(clone);
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

function opened(recording: Recording): number {
  return openSync(recording.filePath('output')!, 'r');
}

async function copyText(
  fd: number,
  start: number,
  end: number,
  recording: Recording,
  onProgress: FileCopyOptions['onProgress'],
): Promise<void> {
  const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
  for (let at = start; at < end; ) {
    const { bytesRead } = await readAt(fd, chunk, 0, Math.min(CHUNK_BYTES, end - at), at);
    if (bytesRead === 0) break;
    recording.write('output', chunk.subarray(0, bytesRead));
    at += bytesRead;
    onProgress?.(at - start, end - start);
  }
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
  let toldAt = now();
  return (done, total) => {
    if (now() - toldAt < PROGRESS_MS) return;
    toldAt = now();
    say(`Copying ${label}: ${formatBytes(done)} of ${formatBytes(total)}`);
  };
}
