/**
 * Cleaning up for people who only ever record, with no inspector and no MCP server that would do it: whoever recorded
 * something last starts a process of its own for that, at most every ten minutes, and does not wait for it. A file in
 * the home, `run/tidied`, says when it was done.
 */
import { randomUUID } from 'node:crypto';
import { lstatSync, readdirSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { homeProblem } from '../settings/home.ts';

/** How often a home is cleaned up. Milliseconds. */
export const TIDY_EVERY_MS = 10 * 60 * 1000;

/** Starts `command` when it is time. Never rejects, and costs two looks at files when it is not. */
export async function tidyByTheWay(home: string, command: readonly [string, ...string[]]): Promise<void> {
  if (homeProblem(home) !== null || !isTime(home) || !claim(home)) return;
  const { spawn } = await import('node:child_process');
  const [file, ...args] = command;
  const env = { ...process.env, SPILLWAY_HOME: home };
  // Away from the directory it was called in, which somebody may want to remove.
  try {
    spawn(file, args, { cwd: home, env, detached: true, stdio: 'ignore', windowsHide: true })
      .on('error', () => {})
      .unref();
  } catch {
    // Where there is no memory for a process, say: nothing of what was recorded depends on this.
  }
}

/** It has been done now. A home that cannot be written to is no matter here. */
export function noteTidied(home: string): void {
  const now = new Date();
  try {
    utimesSync(markerIn(home), now, now);
  } catch {
    make(home);
  }
  removeLeft(home);
}

/** What is new has nothing that is old. */
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
 * True for one of those that found it to be time at once. The file is moved aside, which only one can do at a moment; it
 * may have been another's before, and is young then. Who dies over this leaves no file, and the next to come makes one.
 */
export function claim(home: string): boolean {
  const marker = markerIn(home);
  const mine = `${marker}.${randomUUID()}`;
  try {
    renameSync(marker, mine);
    const isOurs = isOld(lstatSync(mine).mtimeMs);
    const now = new Date();
    if (isOurs) utimesSync(mine, now, now);
    renameSync(mine, marker);
    return isOurs;
  } catch {
    return false;
  }
}

/** What those left that died while they had it. One that lives finds its own gone, and has not claimed anything. */
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
