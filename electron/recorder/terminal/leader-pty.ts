/**
 * A pseudo-terminal for a program that takes control of it itself (see leader-script.ts). So the program can get more
 * descriptors than the standard three, which node-pty does not allow.
 */
import { spawn } from 'node:child_process';
import { closeSync } from 'node:fs';
import type { CommandExit } from '../command/exit.ts';
import { atTheirNumbers } from '../command/given-descriptors.ts';
import { loadNativePty } from './load-pty.ts';
import { atLeastOne, orUnsupported, UnixPty } from './pty.ts';
import type { Pty, PtyOptions } from './pty-options.ts';

interface LeaderPtyOptions extends Omit<PtyOptions, 'args'> {
  /** `ours`: our own descriptors, which it inherits and must close. */
  args(ours: readonly number[]): readonly string[];
  /** Above 2. They keep their numbers. */
  descriptors: readonly number[];
}

/** Starts the program as the leader of a session without a terminal. Throws the errors of `openPty` and of starting. */
export async function openLeaderPty(options: LeaderPtyOptions): Promise<Pty> {
  const { file, args, cwd, env, size, onData, descriptors } = options;
  const { columns, rows } = atLeastOne(size);
  const { master, slave, pty } = orUnsupported(() => loadNativePty().open(columns, rows));
  try {
    const child = spawn(file, args([master, slave]), {
      ...{ cwd, env, detached: true },
      stdio: [slave, slave, slave, ...atTheirNumbers(descriptors)],
    });
    const exited = new Promise<CommandExit>((resolve) =>
      child.once('exit', (exitCode, signal) => resolve({ exitCode, signal })),
    );
    await new Promise<void>((resolve, reject) => {
      child.once('spawn', resolve);
      child.once('error', reject);
    });
    return new UnixPty({ pid: child.pid!, fd: master, path: pty, exited }, onData);
  } catch (error) {
    closeSync(master);
    throw error;
  } finally {
    // Holding this end open prevents a hang-up.
    closeSync(slave);
  }
}
