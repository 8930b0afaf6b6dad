/**
 * Removing one capture, so that at whatever moment we stop, nothing is left that is shown, counts, or stays for ever:
 *
 *     rename  <id>.meta.json -> <id>.<pid>.gone     from here on nobody sees it; of two removers one succeeds
 *     look for <id>.pin                             pinned in the meantime: rename back
 *     unlink  its files, by the names that were seen, the pin's aside
 *     unlink  <id>.<pid>.gone
 *
 * Who finds a `.gone` whose process has ended goes on from there. Whoever pins makes the pin first and looks for the
 * record after (pins.ts), so one of the two always sees the other.
 */
import { existsSync, lstatSync, renameSync, unlink, unlinkSync } from 'node:fs';
import { join } from 'node:path';
import { goneFile, isStreamSuffix, otherForm } from '../format/artifact-files.ts';
import type { Capture } from '../format/folder.ts';
import { pinFile, recordFile } from '../format/names.ts';
import { isFolder } from '../format/walk.ts';

export type Removal = 'removed' | 'pinned' | 'went' | { failed: string };

/** `went`: somebody else removed it first, or its folder is no more. Never throws. */
export async function removeCapture(capture: Capture, pid = process.pid): Promise<Removal> {
  const { folder, id } = capture;
  // The folder may have become a link since it was listed.
  if (!isFolder(folder)) return 'went';
  const marker = goneFile(id, pid);
  const claimed = claim(join(folder, capture.gone?.name ?? recordFile(id)), join(folder, marker));
  if (claimed !== 'claimed') return claimed;
  if (existsSync(join(folder, pinFile(id)))) return restore(folder, marker, id);
  const problem = await unlinkAll(folder, namesOf(capture, marker));
  if (problem === null) return 'removed';
  // What could not be removed is still there to see, and to be tried again.
  restore(folder, marker, id);
  return { failed: problem };
}

function claim(from: string, to: string): 'claimed' | 'went' | { failed: string } {
  if (from === to) return existsSync(to) ? 'claimed' : 'went';
  try {
    renameSync(from, to);
    return 'claimed';
  } catch (error) {
    const code = codeOf(error);
    return code === 'ENOENT' || code === 'ENOTDIR' ? 'went' : { failed: `it cannot be removed (${code})` };
  }
}

function restore(folder: string, marker: string, id: string): 'pinned' | 'went' {
  try {
    renameSync(join(folder, marker), join(folder, recordFile(id)));
    return 'pinned';
  } catch {
    return 'went';
  }
}

/** All but the record and the pin; streams in either form, since they may have been compressed meanwhile. */
function namesOf(capture: Capture, marker: string): string[] {
  const names = new Set<string>();
  for (const { name, suffix } of capture.files) {
    if (name === marker || suffix === 'pin' || suffix === 'meta.json') continue;
    names.add(name);
    if (isStreamSuffix(suffix)) names.add(otherForm(name));
  }
  // Last, so that until then there is something that tells whose the others are.
  return [...names, marker];
}

/** One after the other; the first problem ends it, in a sentence. */
async function unlinkAll(folder: string, names: readonly string[]): Promise<string | null> {
  for (const name of names) {
    const path = join(folder, name);
    try {
      const stats = lstatSync(path, { throwIfNoEntry: false });
      if (!stats) continue;
      if (!stats.isFile()) return `${name} is not a file that Spillway wrote`;
      // Freeing many blocks takes the system its time.
      if (stats.size > LARGE) await unlinkAsync(path);
      else unlinkSync(path);
    } catch (error) {
      const code = codeOf(error);
      if (code !== 'ENOENT' && code !== 'ENOTDIR') return `${name} cannot be removed (${code})`;
    }
  }
  return null;
}

const LARGE = 256 * 1024;

function unlinkAsync(path: string): Promise<void> {
  return new Promise((resolve, reject) => {
    unlink(path, (error) => (error ? reject(error) : resolve()));
  });
}

function codeOf(error: unknown): string {
  return (error as NodeJS.ErrnoException)?.code ?? String(error);
}
