/** Makes Spillway's home, and checks that it is private to the user. */
import { accessSync, constants, existsSync, lstatSync, mkdirSync, readdirSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { CAPTURES_FOLDER } from '../../../shared/artifact-names.ts';
import { SpillwayError } from '../../../shared/errors.ts';
import { shellWord } from '../../../shared/text/escape.ts';
import { watchClock } from '../lifecycle/clock-watch.ts';

/**
 * Makes the home and its `run` folder if missing. Throws `home` unless both are private to this user and writable.
 */
export function prepareHome(home: string): void {
  for (const path of [home, join(home, 'run')]) {
    try {
      makeFolder(path);
    } catch (error) {
      checkIsFolder(path);
      throw new SpillwayError(
        'home',
        `cannot make ${path} (${codeOf(error)})`,
        'set SPILLWAY_HOME to a folder you can write to',
      );
    }
    const problem = homeProblem(path) ?? writeProblem(path);
    if (problem) throw problem;
  }
  watchClock(home);
}

function writeProblem(path: string): SpillwayError | null {
  try {
    accessSync(path, constants.W_OK | constants.X_OK);
    return null;
  } catch (error) {
    return new SpillwayError(
      'home',
      `${path} is read-only (${codeOf(error)})`,
      'make it writable, or set SPILLWAY_HOME to a folder you can write to',
    );
  }
}

/**
 * Makes the folder and its parents. Node's recursive mkdir never returns where the system has no room for folders,
 * as in /proc.
 */
function makeFolder(path: string): void {
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    if (codeOf(error) === 'EEXIST' && isFolder(path)) return;
    const above = dirname(path);
    if (codeOf(error) !== 'ENOENT' || above === path || isFolder(above)) throw error;
    makeFolder(above);
    makeFolder(path);
  }
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

/** Throws `home` if there is something else than a folder, there or above it. What is missing can be made. */
export function checkIsFolder(home: string): void {
  for (let path = home; ; path = dirname(path)) {
    try {
      if (statSync(path, { throwIfNoEntry: false })?.isDirectory() === false) throw notFolder(path);
      return;
    } catch (error) {
      // A file stands where a folder above it should be.
      if (codeOf(error) === 'ENOTDIR' && dirname(path) !== path) continue;
      if (error instanceof SpillwayError) throw error;
      return;
    }
  }
}

function notFolder(path: string): SpillwayError {
  return new SpillwayError(
    'home',
    `${path} is not a folder`,
    'move it away, or set SPILLWAY_HOME to another folder',
  );
}

/** Returns why nothing can be recorded into the home; null for a private one, and for one that is not made yet. */
export function unfitHome(home: string): SpillwayError | null {
  return existsSync(home) ? homeProblem(home) : null;
}

/** Returns an error for a folder that is not private, else null. */
export function homeProblem(path: string): SpillwayError | null {
  let stats: ReturnType<typeof lstatSync>;
  try {
    stats = lstatSync(path);
  } catch (error) {
    return new SpillwayError(
      'home',
      `cannot check ${path} (${codeOf(error)})`,
      'check the folder, or set SPILLWAY_HOME',
    );
  }
  if (!stats.isDirectory()) return notFolder(path);
  if (process.platform === 'win32' || !process.getuid) return null;
  if (stats.uid !== process.getuid()) {
    return new SpillwayError(
      'home',
      `${path} belongs to another user (uid ${stats.uid})`,
      'set SPILLWAY_HOME to a folder of your own',
    );
  }
  const mode = stats.mode & 0o777;
  if ((mode & 0o077) !== 0) {
    return new SpillwayError(
      'home',
      `${path} can be entered by other users (mode ${mode.toString(8).padStart(4, '0')})`,
      isOthersToo(path) ? OTHER_FOLDER : howToClose(path),
    );
  }
  return null;
}

export const OTHER_FOLDER = 'set SPILLWAY_HOME to a folder of its own';

export function howToClose(path: string): string {
  return `run \`chmod 700 ${shellWord(path)}\``;
}

/** Whether other programs use it, such as the root, /tmp, or a folder that holds something else: closing it would break them. */
export function isOthersToo(path: string): boolean {
  const above = dirname(path);
  if (above === path || (lstatSync(path).mode & 0o7000) !== 0) return true;
  if ((lstatSync(above).mode & 0o077) === 0) return false;
  const names = readdirSync(path);
  return names.length > 0 && !OURS.some((name) => names.includes(name));
}

/** Not `run`, which /var has, too. */
const OURS = [CAPTURES_FOLDER, 'config.json'];

function codeOf(error: unknown): string {
  return (error as NodeJS.ErrnoException)?.code ?? String(error);
}
