/** Opens a file that a line of output names in the person's editor. Only a click in the window asks for it. */
import { spawn } from 'node:child_process';
import { basename, dirname, isAbsolute, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { OpenInEditorParams, OpenInEditorResult } from '../../../shared/api/editor.ts';
import type { Artifact } from '../../../shared/artifact.ts';
import { SpillwayError } from '../../../shared/errors.ts';
import { type Disk, isUnanswered } from '../../workers/disk.ts';
import { loadConfig } from '../settings/config.ts';
import { userFolder } from '../settings/home-path.ts';
import { editorCommand } from './editor-command.ts';

interface OpenOptions {
  home: string;
  /** Undefined if the artifact no longer exists. */
  artifact: Artifact | undefined;
  disk: Disk;
  env?: NodeJS.ProcessEnv;
}

/** Errors: `not_found` and `not_a_file` for the file, `usage` and `unsupported` for the editor. */
export async function openInEditor(
  { path, line, column }: Omit<OpenInEditorParams, 'artifact_id'>,
  { home, artifact, disk, env = process.env }: OpenOptions,
): Promise<OpenInEditorResult> {
  if (!artifact)
    throw new SpillwayError('not_found', 'This output no longer exists', 'choose another in the list');
  const file = await fileOfLink(path, folderOf(artifact), disk);
  const { editor } = loadConfig(home).settings;
  const place = { file, line, column: column ?? 1 };
  const { program, args } = await editorCommand(editor, place, { env, disk });
  await start(program, args, env);
  return { file, editor: basename(program) };
}

/** Returns the command's working directory; for a watched file, its folder. */
function folderOf({ cwd, kind, streams }: Artifact): string | null {
  const file = streams[0]?.file_path ?? null;
  return cwd ?? (kind === 'file' && file !== null ? dirname(file) : null);
}

/** Starts it without a shell, input or output, in a folder that the output can't choose. */
function start(program: string, args: string[], env: NodeJS.ProcessEnv): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { cwd: userFolder(), detached: true, env, stdio: 'ignore' });
    child.once('error', (error: NodeJS.ErrnoException) =>
      reject(
        new SpillwayError(
          'unsupported',
          `${program} could not be started (${error.code})`,
          'check "editor" in config.json',
        ),
      ),
    );
    child.once('spawn', () => {
      child.unref();
      resolve();
    });
  });
}

/** Reading there can block, or do more than reading. */
const SYSTEM_FOLDERS = /^\/(?:proc|sys|dev)(?:\/|$)/;
/** Editors open it as a workspace, which may bring settings and tasks. */
const WORKSPACE = /\.code-workspace$/i;
const CONTROL = /[\u0000-\u001f\u007f]/;

/**
 * Finds the file that a line of output names. A line can name anything, so the editor gets only regular files that
 * exist, by an absolute path, which no program takes for an option.
 *
 * @param folder the base of relative paths; null if unknown
 * @returns the real path. Errors: `not_found`, `not_a_file`.
 */
export async function fileOfLink(path: string, folder: string | null, disk: Disk): Promise<string> {
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
  const { real, stats } = await disk.place(wanted).catch((error: unknown) => {
    if (isUnanswered(error)) throw error;
    throw new SpillwayError(
      'not_found',
      `There is no file ${wanted}`,
      'it may have been moved or removed since',
    );
  });
  if (!stats.isFile() || isNetworkPath(real) || SYSTEM_FOLDERS.test(real) || WORKSPACE.test(real))
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
