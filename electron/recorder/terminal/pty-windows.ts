/** A program on Windows' pseudo-console, through node-pty's public interface. */

import type { CommandExit } from '../command/exit.ts';
import { loadNodePty } from './load-pty.ts';
import type { Pty, PtyOptions, PtySize } from './pty-options.ts';

export function openWindowsPty({ file, args, cwd, env, size, onData }: PtyOptions): Pty {
  const pty = loadNodePty().spawn(file, [...args], {
    cwd,
    env,
    cols: Math.max(1, size.columns),
    rows: Math.max(1, size.rows),
  });
  let open = true;
  // The console gives text in UTF-8, and the package whole characters of it.
  pty.onData((text) => onData(Buffer.from(text)));
  const exited = new Promise<CommandExit>((resolve) => {
    pty.onExit(({ exitCode }) => {
      open = false;
      resolve({ exitCode, signal: null });
    });
  });
  return {
    pid: pty.pid,
    path: null,
    master: null,
    exited,
    write: (bytes) => {
      if (open) pty.write(typeof bytes === 'string' ? bytes : Buffer.from(bytes).toString());
      return null;
    },
    resize: ({ columns, rows }: PtySize) => {
      if (open) pty.resize(Math.max(1, columns), Math.max(1, rows));
    },
    pause: () => pty.pause(),
    resume: () => pty.resume(),
    kill: () => {
      if (open) pty.kill();
    },
  };
}
