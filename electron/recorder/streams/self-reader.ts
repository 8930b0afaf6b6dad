/**
 * Detects a command that reads its own recording, such as `tail -f` on it: it would print each line it reads again,
 * until the disk is full. Linux only: other systems don't say which processes have a file open.
 */
import { realPathSync } from '../../reader/bytes/path-text.ts';
import type { CaptureRecord } from '../../store/format/record.ts';
import { childrenOf, descriptorsOn, programName } from '../../store/open-descriptors.ts';

/** Checks a recording of this size, and again whenever it has doubled, as a check takes milliseconds. */
const FIRST_LOOK_BYTES = 8 * 1024 * 1024;
const MAX_PROCESSES = 1000;

export class SelfReader {
  #nextBytes = FIRST_LOOK_BYTES;

  /**
   * Decides by size, not by time, as `tail -f` fills a gigabyte in seconds.
   *
   * @param bytes of the stream so far
   */
  isDue(bytes: number): boolean {
    if (bytes < this.#nextBytes) return false;
    this.#nextBytes = bytes * 2;
    return true;
  }

  /** Returns why storing a stream must stop, as the end of a sentence; null if it may continue. */
  reason({ kind, stop }: CaptureRecord, path: string | null): string | null {
    // In a terminal, a person may look at its own recording.
    if (process.platform !== 'linux' || kind !== 'cmd' || path === null) return null;
    const command = stop === null || stop === 'recorder' ? process.pid : stop.pid;
    const pid = readerBelow(command, realPathSync(path));
    if (pid === null) return null;
    return `process ${pid} (${programName(pid)}) reads this recording and prints it again`;
  }
}

/** Returns the id of `root` or of a descendant that has the file open for reading; null if none has. */
function readerBelow(root: number, path: string): number | null {
  const pids = root === process.pid ? childrenOf(root) : [root];
  for (let at = 0; at < pids.length && at < MAX_PROCESSES; at += 1) {
    const pid = pids[at]!;
    if (descriptorsOn(path, pid).some(({ reads }) => reads)) return pid;
    pids.push(...childrenOf(pid));
  }
  return null;
}
