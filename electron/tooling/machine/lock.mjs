/**
 * Locks across processes with a file that names its owner. If the owner was killed, the next process notices and
 * takes over. Nothing here needs an installed package.
 */
import { mkdirSync, readFileSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * In milliseconds. An owner on this machine is looked up; one on another (a shared folder) must touch the file
 * regularly.
 */
const times = { poll: 100, beat: 2_000, silent: 60_000, torn: 5_000 };

/**
 * Runs `work` while holding the lock.
 * @template T
 * @param {string} path
 * @param {() => Promise<T>} work
 * @param {(owner: string) => void} [onWait] called once if another process holds it
 * @returns {Promise<T>}
 */
export async function withLock(path, work, onWait) {
  mkdirSync(dirname(path), { recursive: true });
  const mine = JSON.stringify({ ...identityOf(process.pid), host: hostname(), nonce: Math.random() });
  for (let waits = 0; !(take(path, mine) || takeOver(path, mine)); waits++) {
    if (waits === 10) onWait?.(ownerOf(path));
    await sleep(times.poll);
  }
  const release = () => {
    if (read(path) === mine) rmSync(path, { force: true });
  };
  const beat = setInterval(() => touch(path), times.beat);
  process.on('exit', release);
  try {
    return await work();
  } finally {
    clearInterval(beat);
    process.off('exit', release);
    release();
  }
}

/** @param {string} path @param {string} mine */
function take(path, mine) {
  try {
    writeFileSync(path, mine, { flag: 'wx' });
    return true;
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
    throw error;
  }
}

/**
 * Replaces a dead owner's file. A second file lets only one process do so; it exists for a moment, so an old one was
 * left by a kill.
 * @param {string} path
 * @param {string} mine
 */
function takeOver(path, mine) {
  if (!isStale(path)) return false;
  const guard = `${path}.takeover`;
  if (ageOf(guard) > times.torn) rmSync(guard, { force: true });
  if (!take(guard, mine)) return false;
  try {
    if (!isStale(path)) return false;
    const next = `${path}.${process.pid}`;
    writeFileSync(next, mine);
    renameSync(next, path);
    return true;
  } finally {
    rmSync(guard, { force: true });
  }
}

/** @param {string} path */
function isStale(path) {
  const text = read(path);
  if (text === null) return false;
  const owner = parse(text);
  // The file is being written right now, or a kill cut it short.
  if (!owner) return ageOf(path) > times.torn;
  if (owner.host !== hostname()) return ageOf(path) > times.silent;
  const now = identityOf(owner.pid);
  return !isAlive(owner.pid) || now.started !== owner.started;
}

/** Process ids are reused; on Linux the start time tells them apart. @param {number} pid */
function identityOf(pid) {
  const stat = read(`/proc/${pid}/stat`);
  // Skip the name, which may contain anything; the start time is field 22.
  const started = stat?.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? null;
  return { pid, started };
}

/** @param {number} pid */
export function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return codeOf(error) === 'EPERM';
  }
}

/** @param {string} path */
function ownerOf(path) {
  const owner = parse(read(path) ?? '');
  return owner ? `process ${owner.pid}` : 'another process';
}

/** @param {string} text @returns {{ pid: number, started: string | null, host: string } | null} */
function parse(text) {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** @param {string} path */
function read(path) {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return null;
  }
}

/** Milliseconds since it was written; -1 when it is absent. @param {string} path */
function ageOf(path) {
  const stat = statSync(path, { throwIfNoEntry: false });
  return stat ? Date.now() - stat.mtimeMs : -1;
}

/** @param {string} path */
function touch(path) {
  try {
    utimesSync(path, new Date(), new Date());
  } catch {}
}

/** @param {unknown} error */
function codeOf(error) {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}
