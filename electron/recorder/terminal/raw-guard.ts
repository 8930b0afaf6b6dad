/**
 * Restores a person's terminal when this process is killed with SIGKILL while the terminal is in raw mode. A small
 * shell does it: it reads from us which mode we set, and acts when we are gone. It leaves a mode alone that another
 * program, such as the person's shell, has set since.
 */
import { spawn, spawnSync } from 'node:child_process';
import type { Writable } from 'node:stream';

const SCRIPT = `
trap '' HUP INT QUIT TERM TSTP TTIN TTOU
mine=
while read -r word; do mine=$word; done <&3
if [ -n "$mine" ] && [ "$(stty -g)" = "$mine" ]; then stty "$1"; fi`;

export interface RawGuard {
  /** Call after we changed or restored the terminal's mode. */
  changed(isRaw: boolean): void;
}

/** Call it before raw mode. Never throws: where the guard cannot start, nobody restores the terminal. */
export function guardRawMode(): RawGuard {
  const none = { changed: () => {} };
  const found = modeNow();
  if (process.platform === 'win32' || found === null) return none;
  try {
    const guard = spawn('/bin/sh', ['-c', SCRIPT, 'sh', found], {
      stdio: ['inherit', 'ignore', 'ignore', 'pipe'],
    });
    const told = guard.stdio[3] as Writable & { unref(): void };
    for (const part of [guard, told]) part.on('error', () => {});
    guard.unref();
    told.unref();
    return { changed: (isRaw) => void told.write(`${isRaw ? (modeNow() ?? '') : ''}\n`) };
  } catch {
    return none;
  }
}

/** As `stty` takes it again; null where the system does not tell. */
function modeNow(): string | null {
  const { status, stdout } = spawnSync('stty', ['-g'], {
    stdio: ['inherit', 'pipe', 'ignore'],
    encoding: 'latin1',
  });
  return status === 0 ? stdout.trim() : null;
}
