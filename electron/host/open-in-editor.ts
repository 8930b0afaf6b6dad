/** Opens a file that a line of output names in the person's editor. Only a click in the window asks for it. */
import { spawn } from 'node:child_process';
import { basename, delimiter, dirname, isAbsolute, join, resolve } from 'node:path';
import type { OpenInEditorParams, OpenInEditorResult } from '../../shared/api/api.ts';
import type { Artifact } from '../../shared/artifact.ts';
import { SpillwayError } from '../../shared/errors.ts';
import { pathOfUrl } from '../reader/bytes/path-text.ts';
import { type Disk, isUnanswered } from '../workers/disk.ts';
import { loadConfig } from './settings/config.ts';
import { userFolder } from './settings/home-path.ts';

interface OpenOptions {
  home: string;
  /** Undefined if the artifact no longer exists. */
  artifact: Artifact | undefined;
  disk: Disk;
  env?: NodeJS.ProcessEnv;
}

/** Errors: `not_found` and `not_a_file` for the file, `usage` and `unsupported` for the editor. */
export async function openInEditor(
  { path, longer, line, column }: Omit<OpenInEditorParams, 'artifact_id'>,
  { home, artifact, disk, env = process.env }: OpenOptions,
): Promise<OpenInEditorResult> {
  if (!artifact)
    throw new SpillwayError('not_found', 'This output no longer exists', 'choose another in the list');
  const file = await fileOfLink(path, longer, folderOf(artifact), disk);
  const { editor } = loadConfig(home).settings;
  const place = { file, line, column: column ?? 1 };
  const { program, args } = await editorCommand(editor, place, { env, disk });
  await startProgram(program, args, env, 'check "editor" in config.json');
  return { file, editor: basename(program) };
}

/** Returns the command's working directory; for a watched file, its folder. */
function folderOf({ cwd, kind, streams }: Artifact): string | null {
  const file = streams[0]?.file_path ?? null;
  return cwd ?? (kind === 'file' && file !== null ? dirname(file) : null);
}

/**
 * Starts it without a shell, input or output, in a folder that the output can't choose. Throws `unsupported`, which
 * tells what to do (`todo`).
 */
export function startProgram(
  program: string,
  args: string[],
  env: NodeJS.ProcessEnv,
  todo: string,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { cwd: userFolder(), detached: true, env, stdio: 'ignore' });
    child.once('error', (error: NodeJS.ErrnoException) =>
      reject(new SpillwayError('unsupported', `${program} could not be started (${error.code})`, todo)),
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
 * @param longer other readings of the path: the first that is there is meant
 * @param folder the base of relative paths; null if unknown
 * @returns the real path. Errors: `not_found`, `not_a_file`, `no_permission`.
 */
export async function fileOfLink(
  path: string,
  longer: readonly string[],
  folder: string | null,
  disk: Disk,
): Promise<string> {
  for (const reading of longer) {
    const found = await fileAt(reading, folder, disk).catch((error: unknown) => {
      if (isUnanswered(error)) throw error;
      return null;
    });
    if (found !== null) return found;
  }
  return fileAt(path, folder, disk).catch((error: unknown) => {
    // The shortest reading may be a piece of a path with blanks: name the one that is a path for sure.
    const whole = longer.find((reading) => isAbsolute(reading));
    throw whole !== undefined && error instanceof SpillwayError && error.code === 'not_found'
      ? missing(whole, 'ENOENT')
      : error;
  });
}

async function fileAt(path: string, folder: string | null, disk: Disk): Promise<string> {
  const named = pathOfUrl(path) ?? path;
  if (CONTROL.test(named) || isNetworkPath(named) || named.startsWith('file://')) throw notOpened(path);
  if (!isAbsolute(named) && folder === null) {
    throw new SpillwayError(
      'not_found',
      `The folder of ${JSON.stringify(path)} is not known`,
      'the capture does not say where its command ran',
    );
  }
  const wanted = resolve(folder ?? '/', named);
  const { real, stats } = await disk.place(wanted).catch((error: NodeJS.ErrnoException) => {
    if (isUnanswered(error)) throw error;
    throw missing(wanted, error.code);
  });
  if (!stats.isFile() || isNetworkPath(real) || SYSTEM_FOLDERS.test(real) || WORKSPACE.test(real))
    throw notOpened(real);
  return real;
}

function missing(path: string, code: string | undefined): SpillwayError {
  if (code === 'ENOENT' || code === 'ENOTDIR')
    return new SpillwayError(
      'not_found',
      `There is no file ${path}`,
      'it may have been moved or removed since',
    );
  const what = `${path} could not be looked at (${code})`;
  return new SpillwayError('no_permission', what, 'open it as a user who may read its folder');
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

// Builds the command that opens a file in the person's editor: from the setting `editor`, or an installed editor.

interface Place {
  /** Absolute. */
  file: string;
  line: number;
  column: number;
}

interface Machine {
  env: NodeJS.ProcessEnv;
  disk: Disk;
}

interface EditorCommand {
  /** The program's file, absolute. */
  program: string;
  args: string[];
}

/** Editors with a window of their own, in order of preference. */
const EDITORS: readonly string[] = [
  'code -g {file}:{line}:{column}',
  'cursor -g {file}:{line}:{column}',
  'windsurf -g {file}:{line}:{column}',
  'codium -g {file}:{line}:{column}',
  'code-insiders -g {file}:{line}:{column}',
  'zed {file}:{line}:{column}',
  'subl {file}:{line}:{column}',
  'idea --line {line} --column {column} {file}',
  'webstorm --line {line} --column {column} {file}',
  'pycharm --line {line} --column {column} {file}',
  'goland --line {line} --column {column} {file}',
  'rustrover --line {line} --column {column} {file}',
  'clion --line {line} --column {column} {file}',
  'kate --line {line} --column {column} {file}',
  'gedit +{line}:{column} {file}',
  'gnome-text-editor {file}',
  'mate --line {line}:{column} {file}',
  'gvim +{line} {file}',
  'notepad++ -n{line} -c{column} {file}',
];

/**
 * @param setting null for the first editor found; $VISUAL and $EDITOR come first
 * @throws `usage` for an unusable setting, `unsupported` if no editor is found
 */
export async function editorCommand(
  setting: string | null,
  place: Place,
  { env, disk }: Machine,
): Promise<EditorCommand> {
  if (setting !== null) return chosenEditor(setting, place, { env, disk });
  const wanted = [env.VISUAL, env.EDITOR].map((value) => basename((value ?? '').split(' ')[0] ?? ''));
  const isWanted = (template: string) => wanted.includes(splitTemplate(template)![0]!);
  for (const template of [...EDITORS.filter(isWanted), ...EDITORS]) {
    const [name, ...args] = splitTemplate(template)!;
    const program = await findProgram(name!, { env, disk });
    if (program) return { program, args: args.map((word) => filled(word, place)) };
  }
  throw new SpillwayError(
    'unsupported',
    'No editor was found',
    'set "editor" in config.json, such as "code -g {file}:{line}:{column}"',
  );
}

async function chosenEditor(setting: string, place: Place, machine: Machine): Promise<EditorCommand> {
  const [name, ...args] = splitTemplate(setting) ?? [];
  if (name === undefined || !args.some((word) => word.includes('{file}'))) {
    throw new SpillwayError(
      'usage',
      'The setting "editor" is not a command with {file}',
      'write it such as "code -g {file}:{line}:{column}"',
    );
  }
  const isThere = isAbsolute(name) && (await machine.disk.isProgram(name));
  const program = isThere ? name : await findProgram(name, machine);
  if (!program)
    throw new SpillwayError(
      'unsupported',
      `The editor ${name} was not found`,
      'check "editor" in config.json',
    );
  return { program, args: args.map((word) => filled(word, place)) };
}

/** Replaces all placeholders in one pass, so that braces in a file's name stay. */
function filled(word: string, place: Place): string {
  return word.replace(/\{(file|line|column)\}/g, (_, name: keyof Place) => String(place[name]));
}

/** Splits at blanks outside quotes. No other character is special. Returns null if a quote is not closed. */
export function splitTemplate(template: string): string[] | null {
  const words: string[] = [];
  let rest = template.trim();
  while (rest !== '') {
    const [word] = /^(?:[^\s"']|"[^"]*"|'[^']*')+/.exec(rest) ?? [];
    if (word === undefined) return null;
    words.push(word.replace(/"([^"]*)"|'([^']*)'/g, (_, double, single) => double ?? single));
    rest = rest.slice(word.length);
    if (rest !== '' && !/^\s/.test(rest)) return null;
    rest = rest.trimStart();
  }
  return words;
}

/** Searches only absolute folders of the PATH, as a relative one depends on the working directory. */
export async function findProgram(name: string, { env, disk }: Machine): Promise<string | null> {
  if (/[\\/]/.test(name)) return null;
  const names = process.platform === 'win32' && !/\.exe$/i.test(name) ? [`${name}.exe`] : [name];
  for (const folder of (env.PATH ?? '').split(delimiter)) {
    if (!isAbsolute(folder)) continue;
    for (const path of names.map((each) => join(folder, each))) if (await disk.isProgram(path)) return path;
  }
  return null;
}
