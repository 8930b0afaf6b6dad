/**
 * A terminal that shows what a command prints, on the person's screen, where stdin or stdout leads elsewhere
 * (`make | less`, `echo x | cmd`). The command stays a job of the person's terminal, and reads its keys there: another
 * program of the pipeline may want them, so we don't, unless the command sets this terminal to get keys (screen-modes.ts).
 */
import { spawn } from 'node:child_process';
import { closeSync } from 'node:fs';
import type { ReadEnd, Taker } from '../streams/read-end.ts';
import { loadNativePty } from './load-pty.ts';
import { openTerminal } from './pty.ts';
import { readPtyMaster } from './pty-master.ts';
import { ScreenModes } from './screen-modes.ts';
import { screenOn, sizeOf } from './user-terminal.ts';

export interface Screen {
  /** The command's side. */
  readonly slave: number;
  /** Our side. Children inherit both by mistake. */
  readonly master: number;
  /** Path of the command's side. */
  readonly path: string;
  /** Resolves when it is set like the person's terminal. */
  readonly ready: Promise<void>;
  /** `tells`: it tells when its modes change, between what is read (TIOCPKT). */
  read(take: Taker, tells: boolean): ReadEnd;
  /** Call it once the command has started, so that our side notices its end. */
  closeSlave(): void;
}

/** Opens one like the terminal on our descriptor `fd`. Throws SpillwayError `unsupported`, or the system's error. */
export function openScreen(fd: 1 | 2): Screen {
  const { master, slave, path } = openTerminal(sizeOf(fd));
  const stream = screenOn(fd);
  const onResize = () => {
    const now = sizeOf(fd);
    try {
      loadNativePty().resize(master, now.columns, now.rows);
      // Its job may have been told by the person's terminal before this one had the size.
      process.kill(0, 'SIGWINCH');
    } catch {
      // It has been closed.
    }
  };
  stream.on('resize', onResize);
  return {
    ...{ slave, master, path },
    ready: setLike(slave, fd),
    read(take, tells) {
      const modes = tells ? new ScreenModes({ fd, path, type: (keys) => void end.master.write(keys) }) : null;
      const end = readPtyMaster(master, take, modes?.changed);
      void end.ended.then(() => {
        stream.off('resize', onResize);
        modes?.end();
      });
      return end;
    },
    closeSlave: () => closeSync(slave),
  };
}

/**
 * What it prints is processed once, by the person's terminal; and what is typed, too (EXTPROC): then the system tells
 * when its modes change.
 */
function setLike(slave: number, fd: number): Promise<void> {
  return new Promise((resolve) => {
    const script = 'set -- $(stty -g <&3); stty $1 -opost; stty extproc';
    const child = spawn('/bin/sh', ['-c', script], { stdio: [slave, 'ignore', 'ignore', fd] });
    child.once('error', () => resolve());
    child.once('exit', () => resolve());
  });
}
