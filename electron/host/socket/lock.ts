/**
 * A lock for the few milliseconds in which a socket is created or removed: a file, created exclusively, that names its
 * process. A lock of a dead process, or one older than the work can take, is removed.
 */
import { randomBytes } from 'node:crypto';
import { link, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { SpillwayError } from '../../../shared/errors.ts';
import { isAlive, Owner, thisProcess } from '../../store/format/owner.ts';

const STALE_MS = 10_000;
const PATIENCE_MS = 15_000;

/** Errors: `busy` when others kept it for too long, and whatever `work` or making the file throws. */
export async function withLock<T>(file: string, work: () => Promise<T>): Promise<T> {
  const mine = `${process.pid} ${randomBytes(8).toString('hex')} ${JSON.stringify(thisProcess())}\n`;
  const deadline = performance.now() + PATIENCE_MS;
  while (!(await take(file, mine))) {
    await breakIfStale(file);
    if (performance.now() > deadline) {
      throw new SpillwayError(
        'busy',
        `${file} is held by another process`,
        `if no Spillway is starting, remove it`,
      );
    }
    await sleep(20);
  }
  try {
    return await work();
  } finally {
    if ((await textOf(file)) === mine) await rm(file, { force: true });
  }
}

async function take(file: string, mine: string): Promise<boolean> {
  try {
    await writeFile(file, mine, { flag: 'wx', mode: 0o600 });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

async function breakIfStale(file: string): Promise<void> {
  const text = await textOf(file);
  const stats = await stat(file).catch(() => null);
  if (text === null || stats === null) return;
  // A process killed before it wrote its id leaves an empty file: judge it by its age.
  const maker = makerOf(text);
  const dead = maker !== null && !isAlive(maker);
  if (!dead && Date.now() - stats.mtimeMs < STALE_MS) return;
  // Several processes may find the lock stale at once: only one can rename the file it judged, so that none removes
  // a newer lock.
  const aside = `${file}.${randomBytes(6).toString('hex')}`;
  try {
    await rename(file, aside);
  } catch {
    return;
  }
  if ((await textOf(aside)) !== text) await link(aside, file).catch(() => {});
  await rm(aside, { force: true });
}

/** The lock's owner; null when the file names none. Earlier versions wrote only the process id. */
function makerOf(text: string): Owner | null {
  const [pid = '', , json] = /^(\S+) (\S+)(?: (.*))?\n/.exec(text)?.slice(1) ?? [];
  try {
    return Owner.parse(json === undefined ? { pid: Number(pid), started: null } : JSON.parse(json));
  } catch {
    return null;
  }
}

async function textOf(file: string): Promise<string | null> {
  return readFile(file, 'utf8').catch(() => null);
}
