/**
 * Makes an interactive bash, zsh or fish mark each typed command (prompt-marks.ts), by a startup file that reads the
 * user's own. Other programs, and shells with options other than `-i`, `-l`, `--login` and fish's `--init-command`, run
 * unchanged. VS Code's own marks are used where ours can't be added.
 */

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { randomHex } from '../../../store/format/random.ts';
import { introducer } from './prompt-marks.ts';
import { bashLoginStart, bashStart } from './start-bash.ts';
import { zshEnvironment } from './start-zsh.ts';

export interface Integration {
  nonce: string;
  args: string[];
  env: NodeJS.ProcessEnv;
  /** Removes the startup file. The shell has read it once the first mark arrives. */
  remove(): void;
}

/** Returns null for a program without an integration, or if no file can be written. */
export function integrate(file: string, args: readonly string[], env: NodeJS.ProcessEnv): Integration | null {
  const shell = shellNamed(basename(file));
  if (!shell || !isPlain(shell, args)) return null;
  const nonce = randomHex(16);
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
const FISH_COMMANDS = new Set(['-C', '--init-command']);

/** fish may get further start commands, as from VS Code. */
function isPlain(shell: Prepare, args: readonly string[]): boolean {
  return args.every(
    (arg, at) =>
      PLAIN.has(arg) || (shell === fish && (FISH_COMMANDS.has(arg) || FISH_COMMANDS.has(args[at - 1] ?? ''))),
  );
}

interface Start {
  args: readonly string[];
  env: NodeJS.ProcessEnv;
  login: boolean;
}
type Prepare = (folder: string, nonce: string, start: Start) => { args: string[]; env: NodeJS.ProcessEnv };

function shellNamed(name: string): Prepare | null {
  if (name === 'bash' || name === 'bash.exe') return bash;
  if (name === 'zsh') return zsh;
  return name === 'fish' ? fish : null;
}

const bash: Prepare = (folder, nonce, { args, env, login }) => {
  const file = join(folder, 'bashrc');
  writeFileSync(file, login ? bashLoginStart(nonce) : bashStart(nonce), { mode: 0o600 });
  if (!login) return { args: ['--rcfile', file, ...args], env };
  // A login shell ignores --rcfile. In posix mode it reads only $ENV; our file then reads the usual ones.
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

const fish: Prepare = (folder, nonce, { args, env }) => {
  const file = join(folder, 'start.fish');
  writeFileSync(file, fishStart(nonce), { mode: 0o600 });
  const quoted = file.replaceAll(/[\\']/g, '\\$&');
  return { args: ['--init-command', `source '${quoted}'`, ...args], env };
};

/** For --init-command, which may be given several times. */
function fishStart(nonce: string): string {
  const start = introducer(nonce).replaceAll('\x1b', '\\e');
  return `if status is-interactive
    set -g __spillway_number 0
    set -g __spillway_status 0
    function __spillway_escape
        set -l lines (string split \\n -- (string sub -l 8192 -- $argv[1] | string collect))
        set lines (string replace -a '\\\\' '\\\\\\\\' -- $lines | string replace -a \\r '\\r' | string replace -a \\e '\\e')
        string join '\\n' -- (string replace -a \\a '\\a' -- $lines | string replace -a \\x18 '\\c' | string replace -a \\x1a '\\s')
    end
    function __spillway_run --on-event fish_preexec
        set -g __spillway_number (math $__spillway_number + 1)
        builtin printf '${start}X;%d;1;%s\\a' $__spillway_number (__spillway_escape $argv[1]) >/dev/tty
    end
    function __spillway_end --on-event fish_postexec
        set -g __spillway_status $status
        builtin printf '${start}E\\a' >/dev/tty
    end
    function __spillway_prompt --on-event fish_prompt
        set -g __spillway_number (math $__spillway_number + 1)
        builtin printf '${start}P;%d;%d;%s\\a' $__spillway_number $__spillway_status (__spillway_escape $PWD) >/dev/tty
    end
end
`;
}
