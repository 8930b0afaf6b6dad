/**
 * Restores a person's terminal if SIGKILL ends this process while the terminal is in raw mode. A small shell reads from
 * a pipe which mode we set, and acts when the pipe closes. It keeps a mode that another program, such as the person's
 * shell, has set since.
 */
import { spawn, spawnSync } from 'node:child_process';
import type { Writable } from 'node:stream';

const SCRIPT = `
trap '' HUP INT QUIT TERM TSTP TTIN TTOU
mine=
while read -r word; do mine=$word; done <&3
if [ -n "$mine" ] && [ "$(stty -g)" = "$mine" ]; then stty "$1"; fi`;

interface RawGuard {
  /** Call after we changed or restored the terminal's mode. */
  changed(isRaw: boolean): void;
}

/** Call before raw mode. Never throws: if the guard cannot start, nothing restores the terminal. */
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

/** In the form that `stty` reads; null if the system does not say. */
function modeNow(): string | null {
  const { status, stdout } = spawnSync('stty', ['-g'], {
    stdio: ['inherit', 'pipe', 'ignore'],
    encoding: 'latin1',
  });
  return status === 0 ? stdout.trim() : null;
}
