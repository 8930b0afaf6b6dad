/**
 * Removes one capture. Interrupted at any moment, it leaves nothing that is shown, counted or never removed:
 *
 *     rename  <id>.meta.json -> <id>.<pid>.gone     hides the capture; of two processes only one succeeds
 *     look for <id>.pin                             pinned meanwhile: rename back
 *     unlink  its files, by the names seen, except the pin
 *     unlink  <id>.<pid>.gone
 *
 * All of it in the folder that was listed (folder.ts), wherever its path leads by now.
 *
 * A cleanup that finds a `.gone` of an ended process continues from there. Pinning makes the pin first and then looks
 * for the record (pins.ts), so one of the two always sees the other.
 */
import { existsSync, renameSync, unlink, unlinkSync } from 'node:fs';
import { goneFile, isStreamSuffix, otherForm } from '../format/artifact-files.ts';
import { type Capture, HeldFolder, pinPathIn } from '../format/folder.ts';
import { recordFile } from '../format/names.ts';
import { sandboxOf } from '../format/places.ts';
import { isFolder } from '../format/walk.ts';

type Removal = 'removed' | 'pinned' | 'went' | { failed: string };

/** `went`: another process removed it first, or its folder is gone. Never throws. */
export async function removeCapture(capture: Capture, pid = process.pid): Promise<Removal> {
  let folder: HeldFolder;
  try {
    folder = HeldFolder.open(capture.folder, capture.identity);
  } catch (error) {
    return failedWith(error);
  }
  try {
    return await removeFrom(folder, capture, pid);
  } catch (error) {
    return failedWith(error);
  } finally {
    folder.close();
  }
}

async function removeFrom(folder: HeldFolder, capture: Capture, pid: number): Promise<Removal> {
  const { id } = capture;
  const marker = goneFile(id, pid);
  const claimed = claim(folder, capture.gone?.name ?? recordFile(id), marker);
  if (claimed !== 'claimed') return claimed;
  if (existsSync(pinPathIn(folder, id))) return restore(folder, marker, id);
  const problem = await unlinkAll(folder, capture, namesOf(capture, marker));
  if (problem === null) return 'removed';
  // Show it again, so the next cleanup can retry.
  restore(folder, marker, id);
  return { failed: problem };
}

function claim(folder: HeldFolder, from: string, to: string): 'claimed' | 'went' | { failed: string } {
  if (from === to) return existsSync(folder.at(to)) ? 'claimed' : 'went';
  try {
    renameSync(folder.at(from), folder.at(to));
    return 'claimed';
  } catch (error) {
    return failedWith(error);
  }
}

function failedWith(error: unknown): 'went' | { failed: string } {
  const code = codeOf(error);
  return code === 'ENOENT' || code === 'ENOTDIR' ? 'went' : { failed: `it can't be removed (${code})` };
}

function restore(folder: HeldFolder, marker: string, id: string): 'pinned' | 'went' {
  try {
    renameSync(folder.at(marker), folder.at(recordFile(id)));
    return 'pinned';
  } catch {
    return 'went';
  }
}

/**
 * Returns the files to unlink: all but record and pin. Streams in both forms, as they may have been compressed
 * meanwhile.
 */
function namesOf(capture: Capture, marker: string): string[] {
  const names = new Set<string>();
  const isPinHere = sandboxOf(capture.folder) === null;
  for (const { name, suffix } of capture.files) {
    if (name === marker || suffix === 'meta.json' || (suffix === 'pin' && isPinHere)) continue;
    names.add(name);
    if (isStreamSuffix(suffix)) names.add(otherForm(name));
  }
  // The marker goes last: it tells which capture the others belong to.
  return [...names, marker];
}

/** Unlinks one after the other. Returns the first problem as a sentence, or null. */
async function unlinkAll(
  folder: HeldFolder,
  { files }: Capture,
  names: readonly string[],
): Promise<string | null> {
  const large = new Set(files.flatMap(({ name, bytes }) => (bytes > LARGE_BYTES ? [name] : [])));
  for (const name of names) {
    try {
      // Freeing many blocks takes long: leave it to libuv's threads.
      if (large.has(name)) await unlinkAsync(folder.at(name));
      else unlinkSync(folder.at(name));
    } catch (error) {
      const code = codeOf(error);
      if (code === 'ENOENT' || code === 'ENOTDIR') continue;
      if (isFolder(folder.at(name))) return `${name} is not a file that Spillway wrote`;
      return `${name} can't be removed (${code})`;
    }
  }
  return null;
}

const LARGE_BYTES = 256 * 1024;

function unlinkAsync(path: string): Promise<void> {
  return new Promise((resolve, reject) => {
    unlink(path, (error) => (error ? reject(error) : resolve()));
  });
}

function codeOf(error: unknown): string {
  return (error as NodeJS.ErrnoException)?.code ?? String(error);
}
