/**
 * Ends this process. At exit, Node would set each terminal as it was when Node started. That would undo what the command
 * has set and spoil the terminal for the job that has it by now. Where the terminal is gone, Node would dump core.
 */
import { closeSync } from 'node:fs';
import { isatty } from 'node:tty';
import type { SignalEnd } from '../cli/services.ts';

const STREAMS = [0, 1, 2];
const terminals = STREAMS.filter((fd) => isatty(fd));

/** Exits with the status, or by the signal. When a terminal we started with is gone, dies by SIGHUP instead. */
export function leave(status: number, by: SignalEnd | null = null): void {
  const end = terminals.every((fd) => isatty(fd)) ? by : { signal: 'SIGHUP' as const, withGroup: false };
  // Last: other handlers may still need the terminal.
  process.on('exit', closeTerminals);
  if (end !== null) die(end);
  // Reached after `die` only if the signal is ignored.
  process.exit(status);
}

function die({ signal, withGroup }: SignalEnd): void {
  closeTerminals();
  process.removeAllListeners(signal);
  process.kill(withGroup ? 0 : process.pid, signal);
}

/** Node leaves a closed one alone. */
function closeTerminals(): void {
  for (const fd of terminals.splice(0)) closeSync(fd);
}
