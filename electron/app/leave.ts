/**
 * Ends this process. At its exit Node restores the mode of its terminals, and aborts where that fails: with a core dump
 * for each window that is closed while something runs in it.
 */
import { isatty } from 'node:tty';
import type { SignalEnd } from '../cli/services.ts';

const STREAMS = [0, 1, 2];
const terminals = STREAMS.filter((fd) => isatty(fd));

/** With the status, or by the signal; by that of a hang-up where a terminal that was there has gone. */
export function leave(status: number, by: SignalEnd | null = null): void {
  if (!terminals.every((fd) => isatty(fd))) die({ signal: 'SIGHUP', withGroup: false });
  else {
    if (by !== null) die(by);
    // Not reached but where the signal is ignored.
    process.exit(status);
  }
}

function die({ signal, withGroup }: { signal: NodeJS.Signals; withGroup: boolean }): void {
  for (const stream of [process.stdout, process.stderr]) makeWaiting(stream);
  process.removeAllListeners(signal);
  process.kill(withGroup ? 0 : process.pid, signal);
}

/**
 * A pipe whose writers do not wait stays so for all who have it, such as a script that handles the signal and goes on. Node
 * sets that back when it exits, not when it dies.
 */
function makeWaiting(stream: object): void {
  const { _handle: handle } = stream as { _handle?: { setBlocking?(on: boolean): void } | null };
  handle?.setBlocking?.(true);
}
