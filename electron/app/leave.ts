/**
 * Ends this process. On exit Node restores each terminal's mode, and aborts with a core dump when the terminal is
 * gone: for instance when its window was closed while a command ran.
 */
import { isatty } from 'node:tty';
import type { SignalEnd } from '../cli/services.ts';

const STREAMS = [0, 1, 2];
const terminals = STREAMS.filter((fd) => isatty(fd));

/** Exits with the status, or by the signal. When a terminal we started with is gone, dies by SIGHUP instead. */
export function leave(status: number, by: SignalEnd | null = null): void {
  if (!terminals.every((fd) => isatty(fd))) die({ signal: 'SIGHUP', withGroup: false });
  else {
    if (by !== null) die(by);
    // Reached after `die` only if the signal is ignored.
    process.exit(status);
  }
}

function die({ signal, withGroup }: { signal: NodeJS.Signals; withGroup: boolean }): void {
  process.removeAllListeners(signal);
  process.kill(withGroup ? 0 : process.pid, signal);
}
