/** Shows an output's file in the system's file manager. Only a click in the window asks for it. */
import { dirname } from 'node:path';
import type { Artifact } from '../../shared/artifact.ts';
import { SpillwayError } from '../../shared/errors.ts';
import type { Disk } from '../workers/disk.ts';
import { findProgram, startProgram } from './open-in-editor.ts';

interface Machine {
  disk: Disk;
  env?: NodeJS.ProcessEnv;
  platform?: NodeJS.Platform;
}

/**
 * Returns the file's path. macOS and Windows select the file; Linux opens its folder. Throws `not_found`,
 * `no_permission`, and without a desktop `unsupported`.
 */
export async function showInFolder(
  artifact: Artifact | undefined,
  { disk, env = process.env, platform = process.platform }: Machine,
): Promise<{ file: string }> {
  const file = artifact?.streams[0]?.file_path ?? null;
  if (file === null)
    throw new SpillwayError('not_found', 'This output has no file', 'choose another in the list');
  const { real } = await disk.place(file).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT' && error.code !== 'ENOTDIR')
      throw new SpillwayError('no_permission', `${file} could not be looked at (${error.code})`, 'try again');
    throw new SpillwayError('not_found', `${file} no longer exists`, 'it was moved or removed');
  });
  const [name, ...args] = command(real, platform);
  const program = hasDesktop(env, platform) ? await findProgram(name, { env, disk }) : null;
  if (program === null)
    throw new SpillwayError('unsupported', 'There is no file manager here', `the file is ${file}`);
  await startProgram(program, args, env, `the file is ${file}`);
  return { file };
}

function command(file: string, platform: NodeJS.Platform): [string, ...string[]] {
  if (platform === 'darwin') return ['open', '-R', file];
  if (platform === 'win32') return ['explorer', `/select,${file}`];
  // Selecting the file takes D-Bus, which not all desktops answer.
  return ['xdg-open', dirname(file)];
}

/** Without a display, `xdg-open` may start a browser of the terminal. */
function hasDesktop({ DISPLAY, WAYLAND_DISPLAY }: NodeJS.ProcessEnv, platform: NodeJS.Platform): boolean {
  return platform === 'darwin' || platform === 'win32' || Boolean(DISPLAY || WAYLAND_DISPLAY);
}
