/**
 * Where a private socket is: `NAME.sock` in the run directory when a socket's path may be that long, else in a
 * private temporary directory (or, on Windows, a pipe with a name nobody can guess), recorded in `NAME.path`.
 */

import { randomBytes } from 'node:crypto';
import type { Stats } from 'node:fs';
import { chmod, lstat, mkdtemp, readFile, rename, rm, rmdir, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { SpillwayError } from '../../../shared/errors.ts';
import { howToClose, isOthersToo, OTHER_FOLDER } from '../settings/home.ts';

/** Bytes. Systems silently cut longer paths at 104 or 108. */
const LONGEST_PATH_BYTES = 100;
const PIPES = '\\\\.\\pipe\\';

/** Every place that may hold the socket, the recorded one first. Errors: `home` for a record that is not ours. */
export async function places(run: string, name: string): Promise<string[]> {
  const recorded = await recordedPlace(run, name);
  const inside = insidePlace(run, name);
  return [recorded, inside].filter((place) => place !== null);
}

/** A place to listen at; `elsewhere` asks for one outside the run directory, whose directory is made. */
export async function makePlace(run: string, name: string, where: 'inside' | 'elsewhere'): Promise<string> {
  if (process.platform === 'win32') return `${PIPES}spillway-${randomBytes(16).toString('hex')}-${name}`;
  const inside = insidePlace(run, name);
  if (where === 'inside' && inside !== null) return inside;
  // The six characters that mkdtemp adds are counted as their placeholder.
  const parent = [os.tmpdir(), '/tmp'].find((dir) => fits(path.join(dir, 'spillway-XXXXXX', `${name}.sock`)));
  if (parent === undefined) {
    throw new SpillwayError(
      'home',
      `There is no folder with a path short enough for the socket ${name}`,
      'set TMPDIR to a folder with a short path',
    );
  }
  return path.join(await mkdtemp(path.join(parent, 'spillway-')), `${name}.sock`);
}

/** Records this process as the listener and, for a socket elsewhere, its path. */
export async function writeRecords(run: string, name: string, place: string): Promise<void> {
  if (place !== insidePlace(run, name)) await replaceFile(path.join(run, `${name}.path`), `${place}\n`);
  await replaceFile(path.join(run, `${name}.pid`), `${process.pid}\n`);
}

/** Forgets a place where nobody listens any more, with the directory that was made for it. */
export async function removeRecords(run: string, name: string, place: string): Promise<void> {
  await rm(path.join(run, `${name}.pid`), { force: true });
  if (place === insidePlace(run, name)) return;
  await rm(path.join(run, `${name}.path`), { force: true });
  if (process.platform !== 'win32') await rmdir(path.dirname(place)).catch(() => {});
}

export async function readHolder(run: string, name: string): Promise<number | null> {
  const text = await readFile(path.join(run, `${name}.pid`), 'utf8').catch(() => '');
  return /^\d{1,10}\n$/.test(text) ? Number(text) : null;
}

async function recordedPlace(run: string, name: string): Promise<string | null> {
  const file = path.join(run, `${name}.path`);
  const stats = await lstat(file).catch(() => null);
  if (stats === null) return null;
  if (!stats.isFile() || !isOurs(stats) || stats.size > 4096) throw badRecord(file);
  const place = (await readFile(file, 'utf8')).replace(/\n$/, '');
  if (process.platform === 'win32') {
    if (!place.startsWith(`${PIPES}spillway-`)) throw badRecord(file);
    return place;
  }
  if (!path.isAbsolute(place) || path.basename(place) !== `${name}.sock` || !fits(place))
    throw badRecord(file);
  // Temporary directories are cleaned by others; then nobody listens there.
  return (await checkDirectory(path.dirname(place), 'refuse')) ? place : null;
}

function badRecord(file: string): SpillwayError {
  return new SpillwayError(
    'home',
    `${file} is not a record that Spillway wrote`,
    'look at it, then remove it',
  );
}

function insidePlace(run: string, name: string): string | null {
  const place = path.join(run, `${name}.sock`);
  return process.platform !== 'win32' && fits(place) ? place : null;
}

function fits(place: string): boolean {
  return Buffer.byteLength(place) <= LONGEST_PATH_BYTES;
}

/** Nobody ever sees half of it. */
async function replaceFile(file: string, text: string): Promise<void> {
  const fresh = `${file}.${randomBytes(6).toString('hex')}`;
  await writeFile(fresh, text, { flag: 'wx', mode: 0o600 });
  await rename(fresh, file);
}

// Whether a directory or a socket is ours alone. On Windows the directories' own access lists see to that.

/**
 * False when the directory is missing. Refuses one that others may write to, or with `tighten` makes it private:
 * enough for our own directory, since files that others left in it are not owned by us. Errors: `home`.
 */
export async function checkDirectory(directory: string, whenOpen: 'tighten' | 'refuse'): Promise<boolean> {
  const stats = await statsOf(directory);
  if (stats === null) return false;
  if (process.platform === 'win32') return true;
  if (!stats.isDirectory()) throw refusal(directory, 'is not a directory', 'remove it');
  if (!isOurs(stats)) throw refusal(directory, `belongs to user ${stats.uid}, not to you`, OTHER_USER);
  if (whenOpen === 'tighten') {
    if ((stats.mode & 0o777) !== 0o700) await chmod(directory, 0o700);
  } else if ((stats.mode & 0o022) !== 0) {
    const todo = isOthersToo(directory) ? OTHER_FOLDER : howToClose(directory);
    throw refusal(directory, 'may be written to by other users', todo);
  }
  return true;
}

/** False when the socket is missing. Errors: `home` for a link, another kind of file, or another user's socket. */
export async function checkSocketOwner(place: string): Promise<boolean> {
  if (process.platform === 'win32') return true;
  const stats = await statsOf(place);
  if (stats === null) return false;
  if (stats.isSymbolicLink()) throw refusal(place, 'is a symbolic link, not a socket', REMOVE);
  if (!stats.isSocket()) throw refusal(place, 'is not a socket', REMOVE);
  if (!isOurs(stats)) throw refusal(place, `belongs to user ${stats.uid}, not to you`, REMOVE);
  return true;
}

function isOurs(stats: Stats): boolean {
  return process.platform === 'win32' || stats.uid === process.getuid?.();
}

const REMOVE = 'find out who put it there, then remove it';
const OTHER_USER = 'run Spillway as that user, or set SPILLWAY_HOME to a folder of your own';

function refusal(place: string, what: string, todo: string): SpillwayError {
  return new SpillwayError('home', `${place} ${what}`, todo);
}

async function statsOf(place: string): Promise<Stats | null> {
  try {
    return await lstat(place);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === 'ENOENT' || code === 'ENOTDIR') return null;
    throw new SpillwayError('no_permission', `${place} can't be checked (${code})`, 'check who owns it');
  }
}
