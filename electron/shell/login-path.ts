/** The PATH of the person's login shell: an app that is started from an icon has the system's short one. */
import { execFile } from 'node:child_process';
import { userInfo } from 'node:os';
import { delimiter } from 'node:path';

const WAIT_MS = 5000;
/** Stands before and after the path, as a shell's start may print anything. */
const MARK = '__spillway_path__';

/** Started from a terminal, the app has that terminal's PATH. Windows gives every program the whole one. */
export function lacksLoginPath(env: NodeJS.ProcessEnv, platform: string = process.platform): boolean {
  return platform !== 'win32' && !env.TERM && !env.SPILLWAY_ASKS_SHELL;
}

/** Resolves with the PATH of a login shell, and what the app has besides; with the app's own where none answers. */
export function loginPath(env: NodeJS.ProcessEnv, shell = env.SHELL || userInfo().shell): Promise<string> {
  const own = env.PATH ?? '';
  if (!shell) return Promise.resolve(own);
  // Not "$PATH", which fish writes with spaces.
  const script = `echo ${MARK}; /usr/bin/env printenv PATH; echo ${MARK}`;
  const options = {
    env: { ...env, SPILLWAY_ASKS_SHELL: '1' },
    timeout: WAIT_MS,
    killSignal: 'SIGKILL' as const,
  };
  return new Promise((resolve) => {
    const child = execFile(shell, ['-i', '-l', '-c', script], options, (_error, stdout) => {
      const [, said = ''] = stdout.split(MARK);
      resolve(
        [...new Set([...said.trim().split(delimiter), ...own.split(delimiter)])]
          .filter(Boolean)
          .join(delimiter),
      );
    });
    // A start-up file that asks something reads the end.
    child.stdin?.end();
  });
}
