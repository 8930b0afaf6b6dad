/** Captures of a session whose recorder died have ended: whoever looks says so, on the disk too (mend.ts). */
import { isOpen, readEntry } from '../format/entry.ts';
import { lookAgain, type SessionFolder } from '../format/folder.ts';
import { mend } from '../mend.ts';
import { isRunning } from './retention.ts';

export function mendFolder(folder: SessionFolder): void {
  folder.captures = folder.captures.map((capture) => {
    if (capture.record === null || !isOpen(capture.record) || isRunning(capture)) return capture;
    const entry = readEntry(capture.folder, capture.id);
    const mended = entry && mend(entry);
    return mended?.problem === null ? { ...lookAgain(capture), record: mended.record } : capture;
  });
}
