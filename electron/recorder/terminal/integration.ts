/**
 * Makes an interactive bash or zsh mark each typed command (marks.ts), by a startup file of ours that reads the
 * user's own. Other programs, and shells with more options than `-i`, `-l` or `--login`, run unchanged.
 */
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { bashLoginStart, bashStart } from './integration-bash.ts';
import { zshEnvironment } from './integration-zsh.ts';

export interface Integration {
  nonce: string;
  args: string[];
  env: NodeJS.ProcessEnv;
  /** Removes the startup file; once the first mark has come, the shell has read it. */
  remove(): void;
}

/** Null when the program is not one that can be integrated, or no file can be written. */
export function integrate(file: string, args: readonly string[], env: NodeJS.ProcessEnv): Integration | null {
  const shell = shellNamed(basename(file));
  if (!shell || !args.every((arg) => PLAIN.has(arg))) return null;
  const nonce = randomBytes(16).toString('hex');
  let folder: string;
  try {
    folder = mkdtempSync(join(tmpdir(), 'spillway-shell-'));
  } catch {
    return null;
  }
  const remove = () => rmSync(folder, { recursive: true, force: true });
  try {
    const login = args.some((arg) => arg === '--login' || arg.includes('l'));
    return { nonce, remove, ...shell(folder, nonce, { args, env, login }) };
  } catch {
    remove();
    return null;
  }
}

const PLAIN = new Set(['-i', '-l', '-il', '-li', '--login']);

interface Start {
  args: readonly string[];
  env: NodeJS.ProcessEnv;
  login: boolean;
}
type Prepare = (folder: string, nonce: string, start: Start) => { args: string[]; env: NodeJS.ProcessEnv };

function shellNamed(name: string): Prepare | null {
  if (name === 'bash' || name === 'bash.exe') return bash;
  return name === 'zsh' ? zsh : null;
}

const bash: Prepare = (folder, nonce, { args, env, login }) => {
  const file = join(folder, 'bashrc');
  writeFileSync(file, login ? bashLoginStart(nonce) : bashStart(nonce), { mode: 0o600 });
  if (!login) return { args: ['--rcfile', file, ...args], env };
  // A login shell reads no --rcfile. In posix mode it reads $ENV instead of everything else, which ours makes up for.
  const before = env.ENV === undefined ? {} : { SPILLWAY_SHELL_ENV: env.ENV };
  return {
    args: ['--posix', ...args.filter((arg) => arg !== '-i'), '-i'],
    env: { ...env, ...before, ENV: file },
  };
};

const zsh: Prepare = (folder, nonce, { args, env }) => {
  writeFileSync(join(folder, '.zshenv'), zshEnvironment(nonce), { mode: 0o600 });
  const before = env.ZDOTDIR === undefined ? {} : { SPILLWAY_SHELL_ENV: env.ZDOTDIR };
  return { args: [...args], env: { ...env, ...before, ZDOTDIR: folder } };
};
