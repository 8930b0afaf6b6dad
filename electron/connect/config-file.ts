/**
 * Reads and replaces a client's configuration file. Replacing is atomic, follows symbolic links and keeps the owner and
 * the mode.
 */
import {
  accessSync,
  constants,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  statSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { SpillwayError } from '../../shared/errors.ts';
import { replaceFile } from '../store/format/small-file.ts';

/** Returns the text; null if the file does not exist. Throws `usage` when it can't be read as text. */
export function readConfig(path: string): string | null {
  try {
    const bytes = readFileSync(path);
    const text = bytes.toString('utf8');
    if (!Buffer.from(text).equals(bytes))
      throw new SpillwayError(
        'usage',
        `${path} is not UTF-8 text`,
        'save it as UTF-8, then connect again; nothing was changed',
      );
    return text;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') {
      const link = brokenLink(path);
      if (link === null) return null;
      const broken = `${link} is a link to ${readlinkSync(link)}, which does not exist`;
      throw new SpillwayError('usage', broken, 'make that, or remove the link; nothing was changed');
    }
    throw error instanceof SpillwayError ? error : unusable(path, 'read', error);
  }
}

/**
 * Throws `usage` for a read-only file, because a rename would replace even such a file. Root may write to it if anybody
 * may.
 */
export function checkWritable(path: string): void {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats === undefined) return;
  try {
    accessSync(path, constants.W_OK);
    if ((stats.mode & 0o222) !== 0) return;
  } catch {
    // Refused below.
  }
  throw new SpillwayError(
    'usage',
    `${path} is read-only; nothing was changed`,
    'make it writable, or add by hand what `spillway connect --print` shows',
  );
}

/**
 * Replaces the text `before` by `after`; null means that the file does not exist. Throws `usage`, and changes
 * nothing, when the file no longer holds `before` or can't be written.
 */
export function replaceConfig(path: string, before: string | null, after: string | null): void {
  if (readConfig(path) !== before)
    throw new SpillwayError('usage', `${path} has just been changed by another program`, 'try again');
  try {
    if (after === null) {
      rmSync(path, { force: true });
      return;
    }
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    write(existsSync(path) || isLink(path) ? realpathSync(path) : path, after);
  } catch (error) {
    throw unusable(path, 'written', error);
  }
}

/** Returns the path, or the folder above it, that is a link to nothing; null if none is. */
function brokenLink(path: string): string | null {
  if (existsSync(path)) return null;
  const above = dirname(path);
  return isLink(path) ? path : above === path ? null : brokenLink(above);
}

export function isLink(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() ?? false;
}

/** Writes to the target of a symbolic link, so a linked dotfile stays a link. Keeps the file's owner and mode. */
function write(path: string, text: string): void {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats === undefined) {
    replaceFile(path, text);
    return;
  }
  const mode = stats.mode & 0o777;
  try {
    replaceFile(path, text, mode, stats);
  } catch (error) {
    // A group that the user is not in cannot be kept.
    const isOwn = stats.uid === process.geteuid?.();
    if ((error as NodeJS.ErrnoException).code !== 'EPERM' || !isOwn) throw error;
    replaceFile(path, text, mode);
  }
}

function unusable(path: string, how: string, error: unknown): SpillwayError {
  const { code, message } = error as NodeJS.ErrnoException;
  return new SpillwayError(
    'usage',
    `${path} cannot be ${how} (${code ?? message})`,
    'check its permissions; `spillway connect --print` shows what to add by hand',
  );
}
