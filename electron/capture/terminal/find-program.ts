/** Which file a shell would run for a name, and what it would end with when there is none. */
import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, join, resolve } from 'node:path';

export type FoundProgram =
  | { file: string }
  /** `status` is what a shell ends with: 127 not found, 126 found but not to be run. */
  | { file: null; status: 126 | 127; problem: string };

/** `name` with a slash is a path, relative to `cwd`; else it is looked for along PATH. */
export function findProgram(name: string, cwd: string, env: NodeJS.ProcessEnv): FoundProgram {
  const quoted = JSON.stringify(name);
  if (name === '') return { file: null, status: 127, problem: 'the name of the program is empty' };
  const isPath = name.includes('/') || (process.platform === 'win32' && name.includes('\\'));
  const places = isPath ? [resolve(cwd, name)] : searchPath(env).map((folder) => resolve(cwd, folder, name));
  const states = places.flatMap(withExtensions(env)).map((file) => ({ file, state: stateOf(file) }));
  const good = states.find(({ state }) => state === 'runs');
  if (good) return { file: good.file };
  const there = states.find(({ state }) => state !== 'missing');
  if (there?.state === 'folder') return { file: null, status: 126, problem: `${quoted} is a folder` };
  if (there) return { file: null, status: 126, problem: `${quoted} may not be executed` };
  return { file: null, status: 127, problem: `there is no program ${quoted}` };
}

function searchPath(env: NodeJS.ProcessEnv): string[] {
  const path = env.PATH ?? env.Path ?? '/usr/local/bin:/usr/bin:/bin';
  // An empty entry is the working directory.
  return path.split(delimiter).map((folder) => folder || '.');
}

function withExtensions(env: NodeJS.ProcessEnv): (file: string) => string[] {
  if (process.platform !== 'win32') return (file) => [file];
  const extensions = (env.PATHEXT ?? '.COM;.EXE;.BAT;.CMD').split(';');
  return (file) => [file, ...extensions.map((extension) => join(`${file}${extension}`))];
}

function stateOf(file: string): 'runs' | 'folder' | 'forbidden' | 'missing' {
  try {
    if (statSync(file).isDirectory()) return 'folder';
    accessSync(file, constants.X_OK);
    return 'runs';
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EACCES' ? 'forbidden' : 'missing';
  }
}
