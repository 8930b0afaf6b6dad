/** Tells the windows how far a copy is. */
import { formatBytes } from '../../../shared/text/format.ts';

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
