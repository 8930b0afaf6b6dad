/** Finds folders of captures that cannot be written to: commands recorded there run unrecorded, without a message. */
import { readdirSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CAPTURES_FOLDER } from '../../../shared/artifact-names.ts';

interface Unwritable {
  folder: string;
  /** The system's error code, such as `EACCES`. */
  code: string;
}

/** Sessions that are tried, newest first. */
const TRIED_SESSIONS = 100;

/** Makes a file in `captures` and in the newest session folders, and removes it. */
export function unwritableFolders(home: string): Unwritable[] {
  const captures = join(home, CAPTURES_FOLDER);
  return [captures, ...sessionFolders(captures)].flatMap((folder) => {
    const code = writeError(folder);
    return code === null ? [] : { folder, code };
  });
}

function sessionFolders(captures: string): string[] {
  try {
    return readdirSync(captures, { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => join(captures, name))
      .map((folder) => ({ folder, changed: statSync(folder).mtimeMs }))
      .sort((a, b) => b.changed - a.changed)
      .slice(0, TRIED_SESSIONS)
      .map(({ folder }) => folder);
  } catch {
    return [];
  }
}

function writeError(folder: string): string | null {
  try {
    const { atime, mtime } = statSync(folder);
    const file = join(folder, `.doctor-${process.pid}.tmp`);
    writeFileSync(file, 'x', { flag: 'wx', mode: 0o600 });
    rmSync(file);
    // The time of a session folder says when something was last recorded.
    utimesSync(folder, atime, mtime);
    return null;
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? 'unknown error';
    // It is made when it is needed, or was just removed.
    return code === 'ENOENT' ? null : code;
  }
}
