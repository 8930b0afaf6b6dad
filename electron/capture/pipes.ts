/**
 * Real pipes for a command's streams. What Node makes for children are socket pairs, on which `echo x > /dev/stdout`
 * fails; so these are FIFOs that lose their names as soon as both ends are open.
 */
import { spawn } from 'node:child_process';
import { closeSync, constants, mkdtempSync, openSync, readlinkSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface PipePair {
  /** Does not block; ours. */
  readEnd: number;
  /** Blocks, as a command expects; to be closed here once the command has it. */
  writeEnd: number;
  /** What the link of a descriptor of it points to in /proc, by which its holders are known; null elsewhere. */
  link: string | null;
}

/** Null where there are no FIFOs: then Node's own pipes must do. Takes some milliseconds, mostly another program's. */
export async function makePipes(count: number): Promise<PipePair[] | null> {
  if (process.platform === 'win32') return null;
  let folder: string | null = null;
  const pairs: PipePair[] = [];
  try {
    folder = mkdtempSync(join(tmpdir(), 'spillway-'));
    const paths = Array.from({ length: count }, (_, i) => join(folder!, String(i)));
    if (!(await makeFifos(paths))) return null;
    for (const path of paths) {
      const readEnd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
      const writeEnd = openSync(path, constants.O_WRONLY);
      pairs.push({ readEnd, writeEnd, link: null });
    }
    rmSync(folder, { recursive: true });
    for (const pair of pairs) pair.link = linkOf(pair.writeEnd);
    return pairs;
  } catch {
    for (const { readEnd, writeEnd } of pairs) {
      closeSync(readEnd);
      closeSync(writeEnd);
    }
    return null;
  } finally {
    if (folder !== null) rmSync(folder, { recursive: true, force: true });
  }
}

function makeFifos(paths: readonly string[]): Promise<boolean> {
  return new Promise((resolve) => {
    const child = spawn('mkfifo', ['-m', '600', ...paths], { stdio: 'ignore' });
    child.once('error', () => resolve(false));
    child.once('exit', (code) => resolve(code === 0));
  });
}

function linkOf(fd: number): string | null {
  try {
    return readlinkSync(`/proc/self/fd/${fd}`);
  } catch {
    return null;
  }
}
