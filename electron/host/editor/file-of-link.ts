/**
 * Finds the file that a line of output names. A line can name anything, so the editor gets only regular files that
 * exist. It gets an absolute path, which no program takes for an option.
 */
import { realpath, stat } from 'node:fs/promises';
import { isAbsolute, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { SpillwayError } from '../../../shared/errors.ts';

/** Reading there can block, or do more than reading. */
const SYSTEM_FOLDERS = /^\/(?:proc|sys|dev)(?:\/|$)/;
/** Editors open it as a workspace, which may bring settings and tasks. */
const WORKSPACE = /\.code-workspace$/i;
const CONTROL = /[\u0000-\u001f\u007f]/;

/**
 * @param folder the base of relative paths; null if unknown
 * @returns the real path. Errors: `not_found`, `not_a_file`.
 */
export async function fileOfLink(path: string, folder: string | null): Promise<string> {
  const named = path.startsWith('file://') ? pathOfUrl(path) : path;
  if (CONTROL.test(named) || isNetworkPath(named)) throw notOpened(path);
  if (!isAbsolute(named) && folder === null) {
    throw new SpillwayError(
      'not_found',
      `The folder of ${JSON.stringify(path)} is not known`,
      'the capture does not say where its command ran',
    );
  }
  const wanted = resolve(folder ?? '/', named);
  const real = await realpath(wanted).catch(() => {
    throw new SpillwayError(
      'not_found',
      `There is no file ${wanted}`,
      'it may have been moved or removed since',
    );
  });
  const stats = await stat(real).catch(() => null);
  if (!stats?.isFile() || isNetworkPath(real) || SYSTEM_FOLDERS.test(real) || WORKSPACE.test(real))
    throw notOpened(real);
  return real;
}

function pathOfUrl(url: string): string {
  try {
    const parsed = new URL(url);
    if (parsed.host === '') return fileURLToPath(parsed);
  } catch {
    // It is not a file URL of this machine.
  }
  throw notOpened(url);
}

/** Windows would send the user's name and password hash to that machine. */
function isNetworkPath(path: string): boolean {
  return /^[\\/]{2}/.test(path);
}

function notOpened(path: string): SpillwayError {
  return new SpillwayError(
    'not_a_file',
    `${JSON.stringify(path)} cannot be opened in an editor`,
    'choose a regular file on this machine',
  );
}
