/** Opens a file that a line of output names in the person's editor. Only a click in the window asks for it. */
import { spawn } from 'node:child_process';
import { basename, dirname } from 'node:path';
import type { OpenInEditorParams, OpenInEditorResult } from '../../../shared/api/editor.ts';
import type { Artifact } from '../../../shared/artifact.ts';
import { SpillwayError } from '../../../shared/errors.ts';
import { loadConfig } from '../settings/config.ts';
import { userFolder } from '../settings/user-folder.ts';
import { editorCommand } from './editor-command.ts';
import { fileOfLink } from './file-of-link.ts';

interface OpenOptions {
  home: string;
  /** Undefined if the artifact no longer exists. */
  artifact: Artifact | undefined;
  env?: NodeJS.ProcessEnv;
}

/** Errors: `not_found` and `not_a_file` for the file, `usage` and `unsupported` for the editor. */
export async function openInEditor(
  { path, line, column }: Omit<OpenInEditorParams, 'artifact_id'>,
  { home, artifact, env = process.env }: OpenOptions,
): Promise<OpenInEditorResult> {
  if (!artifact)
    throw new SpillwayError('not_found', 'This output no longer exists', 'choose another in the list');
  const file = await fileOfLink(path, folderOf(artifact));
  const { editor } = loadConfig(home).settings;
  const { program, args } = editorCommand(editor, { file, line, column: column ?? 1 }, env);
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
