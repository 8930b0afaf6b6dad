/** Pins an agent's capture: makes a pinned copy of it in Spillway's own captures. The file itself is never touched. */

import type { Artifact } from '../../../shared/artifact.ts';
import { SpillwayError } from '../../../shared/errors.ts';
import type { PinResult } from '../../../shared/lifecycle.ts';
import type { SourceKind } from '../../agents/agent.ts';
import { pinCapture } from '../../store/format/pins.ts';
import { type Disk, type DiskFile, isUnanswered } from '../../workers/disk.ts';
import { copyFile, copyProgress } from '../recording/file-copy.ts';

interface PinFileOptions {
  home: string;
  artifact: Artifact;
  kind: SourceKind | undefined;
  /** Copies that were made before. */
  captures: readonly Artifact[];
  disk: Disk;
  say(text: string): void;
}

/** Throws `not_found` if the file no longer exists, and `no_permission`. */
export async function pinFile(options: PinFileOptions): Promise<PinResult> {
  const { home, artifact, kind, captures, disk, say } = options;
  const path = artifact.streams[0]?.file_path ?? '';
  const bytes = artifact.streams[0]?.total_bytes ?? 0;
  const known = captures.find(
    ({ origin, pinned, streams }) => pinned && origin === path && streams[0]?.total_bytes === bytes,
  );
  if (known) return { artifact_id: known.artifact_id, pinned: true, changed: false };
  const file = await opened(disk, path);
  try {
    const id = await copyFile({
      home,
      file,
      artifact,
      frame: kind?.frame,
      onProgress: copyProgress(artifact.label, say),
    });
    return await pinCapture(home, id);
  } finally {
    file.close();
  }
}

async function opened(disk: Disk, path: string): Promise<DiskFile> {
  try {
    return await disk.open(path);
  } catch (error) {
    if (isUnanswered(error)) throw error;
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT')
      throw new SpillwayError('not_found', `${path} no longer exists`, 'nothing is left to copy');
    throw new SpillwayError('no_permission', `${path} cannot be read (${code})`, 'change its permissions');
  }
}
