/**
 * Cleans up for people who only record, with no inspector or MCP server running: the last recording starts a
 * detached cleanup process, at most every ten minutes. The file `run/tidied` in the home says when the last one ran.
 */
import { spawn } from 'node:child_process';
import { lstatSync, lutimesSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { randomHex } from '../../store/format/names.ts';
import { removeOldRequests } from '../recording/run-request.ts';
import { homeProblem } from '../settings/home.ts';
import { writableParentProblem } from '../settings/writable-parent.ts';

/** How often a home is cleaned up. Milliseconds. */
export const TIDY_EVERY_MS = 10 * 60 * 1000;

/** Starts `command` when it is time. Never rejects, and costs two looks at files when it is not. */
export async function tidyByTheWay(home: string, command: readonly [string, ...string[]]): Promise<void> {
  if (homeProblem(home) !== null || !isTime(home) || writableParentProblem(home) !== null || !claim(home))
    return;
  const [file, ...args] = command;
  const env = { ...process.env, SPILLWAY_HOME: home };
  // Away from the directory it was called in, which somebody may want to remove.
  try {
    spawn(file, args, { cwd: home, env, detached: true, stdio: 'ignore', windowsHide: true })
      .on('error', () => {})
      .unref();
  } catch {
    // The cleanup may fail to start, for want of memory say: the recording does not depend on it.
  }
}

/** Notes that a cleanup has run. Ignores a read-only home. */
export function noteTidied(home: string): void {
  const now = new Date();
  try {
    lutimesSync(markerIn(home), now, now);
  } catch {
    make(home);
  }
  removeLeft(home);
  removeOldRequests(home);
}

/** A new home has nothing old to remove. */
function isTime(home: string): boolean {
  const modified = modifiedMs(markerIn(home));
  if (modified === null) make(home);
  return modified !== null && isOld(modified);
}

/** A clock that was set back must not keep it from being done. */
function isOld(modified: number): boolean {
  return Math.abs(Date.now() - modified) >= TIDY_EVERY_MS;
}

/**
 * True for exactly one of several processes that find a cleanup due. Renaming the file aside succeeds for one
 * process at a time; a file that is young again belongs to another's cleanup. A process that dies here leaves no
 * file, and the next one makes it.
 */
export function claim(home: string): boolean {
  const marker = markerIn(home);
  const mine = `${marker}.${randomHex(16)}`;
  try {
    renameSync(marker, mine);
    const isOurs = isOld(lstatSync(mine).mtimeMs);
    const now = new Date();
    if (isOurs) lutimesSync(mine, now, now);
    renameSync(mine, marker);
    return isOurs;
  } catch {
    return false;
  }
}

/** Removes the renamed files of dead processes. A living process that finds its file removed gives up its claim. */
function removeLeft(home: string): void {
  const run = join(home, 'run');
  try {
    for (const name of readdirSync(run))
      if (name.startsWith('tidied.')) rmSync(join(run, name), { force: true });
  } catch {
    // It takes next to no room.
  }
}

function make(home: string): void {
  try {
    writeFileSync(markerIn(home), '', { flag: 'wx', mode: 0o600 });
  } catch {
    // Another process was quicker, or nothing can be written.
  }
}

/** Null when it is not there, or cannot be looked at. Milliseconds since the epoch. */
function modifiedMs(path: string): number | null {
  try {
    return lstatSync(path, { throwIfNoEntry: false })?.mtimeMs ?? null;
  } catch {
    return null;
  }
}

function markerIn(home: string): string {
  return join(home, 'run', 'tidied');
}
