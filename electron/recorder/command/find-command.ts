/** Finds the program that a shell would run for a name, or says why there is none, before anything is started. */
import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { delimiter, extname, isAbsolute, resolve } from 'node:path';
import { nearest } from '../../../shared/text/nearest.ts';

type FoundProgram =
  | { ok: true; path: string }
  /** `status`: 127 for an unknown command, 126 for one that is not executable. `what` and `todo` are sentences. */
  | { ok: false; status: 126 | 127; what: string; todo: string };

/** A name with a separator is a path relative to `cwd`; any other is searched in PATH. */
export function findCommand(command: string, cwd: string, env: NodeJS.ProcessEnv): FoundProgram {
  const enters = folderToEnter(cwd);
  const folder = enters === undefined ? null : folderProblem(enters);
  if (folder !== null) return folder;
  // Keep a relative path relative: the working directory may have been deleted, and a script sees the path as $0.
  const from = (path: string) => (enters === undefined ? path : resolve(enters, path));
  const name = JSON.stringify(command);
  if (command === '' || command.includes('\0'))
    return { ok: false, status: 127, what: `${name} is not a command`, todo: 'give one after --' };
  const isPath = command.includes('/') || (process.platform === 'win32' && command.includes('\\'));
  const places = isPath
    ? [isAbsolute(command) ? command : from(command)]
    : searchPath(env).map((place) => `${isAbsolute(place) ? place : from(place)}/${command}`);
  let refused: string | null = null;
  for (const place of places.flatMap((path) => withExtensions(path, env))) {
    const state = stateOf(place, isPath);
    if (state === 'runs') return { ok: true, path: place };
    if (state === 'refused') refused ??= place;
  }
  if (refused !== null) {
    return {
      ok: false,
      status: 126,
      what: `${JSON.stringify(refused)} may not be run`,
      todo: isFolder(refused) ? 'it is a folder: name a program in it' : `allow it: chmod +x ${refused}`,
    };
  }
  return {
    ok: false,
    status: 127,
    what: `there is no command ${name}`,
    todo: hint(command, isPath, (name) => isThere(name, env)),
  };
}

function folderProblem(cwd: string): FoundProgram | null {
  if (isFolder(cwd)) return null;
  const what = existsSync(cwd)
    ? `${JSON.stringify(cwd)} is not a folder`
    : `the folder ${JSON.stringify(cwd)} is not there`;
  return { ok: false, status: 127, what, todo: 'give another as its cwd' };
}

function searchPath(env: NodeJS.ProcessEnv): string[] {
  const path = env.PATH ?? env.Path ?? '/usr/bin:/bin';
  return path.split(delimiter).map((place) => place || '.');
}

function withExtensions(path: string, env: NodeJS.ProcessEnv): string[] {
  if (process.platform !== 'win32' || extname(path) !== '') return [path];
  return (env.PATHEXT ?? '.EXE;.CMD;.BAT;.COM').split(';').map((extension) => path + extension);
}

function stateOf(path: string, isNamed: boolean): 'runs' | 'refused' | 'none' {
  try {
    // Skip a folder in PATH, as a shell does.
    if (!statSync(path).isFile()) return isNamed ? 'refused' : 'none';
    accessSync(path, constants.X_OK);
    return 'runs';
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EACCES') return 'refused';
    // A circle of links, a name that is too long: the start says why.
    return isNamed && code !== 'ENOENT' ? 'runs' : 'none';
  }
}

export function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}

/** Only what is there is suggested. */
function isThere(name: string, env: NodeJS.ProcessEnv): boolean {
  const paths = searchPath(env).map((place) => `${place}/${name}`);
  return paths.flatMap((path) => withExtensions(path, env)).some((path) => stateOf(path, false) === 'runs');
}

/** Suggests a likely mistake: a whole command line given as one word, or a shell builtin. */
function hint(command: string, isPath: boolean, isInstalled: (name: string) => boolean): string {
  if (/\s/.test(command.trim()))
    return `give its words apart, or to the shell: sh -c ${JSON.stringify(command)}`;
  if (isPath) return 'check the path';
  if (BUILTINS.includes(command)) return `the shell has it: sh -c '${command} …'`;
  const near = nearest(command, COMMON).find(isInstalled);
  return `${near ? `did you mean ${near}? ` : ''}check its name and PATH`;
}

const BUILTINS = ['cd', 'source', 'alias', 'export', 'set', 'ulimit', 'exec', 'eval', 'type'];
const COMMON = ['npm', 'npx', 'node', 'git', 'make', 'cargo', 'python', 'python3', 'docker', 'bash', 'yarn'];

/** Returns its path, or $PWD if the system call fails. */
export function currentFolder(): string {
  try {
    return process.cwd();
  } catch {
    return process.env.PWD ?? '/';
  }
}

/** Returns a child's `cwd`: undefined for our own directory. */
export function folderToEnter(cwd: string): string | undefined {
  return cwd === currentFolder() ? undefined : cwd;
}
