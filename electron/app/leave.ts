/**
 * Ends this process, with its standard streams closed: Node leaves a closed one alone. It would set each terminal as it was
 * when Node started. That would undo what the command has set, and spoil the terminal for the job that has it by now. Where
 * the terminal is gone, Node would dump core. And it would ask each file what it is, and so wait for a share that hangs.
 */
import { closeSync } from 'node:fs';
import { isatty } from 'node:tty';
import type { SignalEnd } from '../cli/services.ts';
import { isOnFarDisk } from '../reader/disks/mounts.ts';

const STREAMS = [0, 1, 2];
const terminals = STREAMS.filter((fd) => isatty(fd));

/** Exits with the status, or by the signal. When a terminal we started with is gone, dies by SIGHUP instead. */
export function leave(status: number, by: SignalEnd | null = null): void {
  const end = terminals.every((fd) => isatty(fd)) ? by : { signal: 'SIGHUP' as const, withGroup: false };
  // Last: other handlers may still need the terminal.
  process.on('exit', () => {
    closeTerminals();
    for (const fd of STREAMS.filter(isOnFarDisk)) closeFile(fd);
  });
  if (end !== null) die(end);
  // Reached after `die` only if the signal is ignored.
  process.exit(status);
}

function die({ signal, withGroup }: SignalEnd): void {
  closeTerminals();
  process.removeAllListeners(signal);
  process.kill(withGroup ? 0 : process.pid, signal);
}

function closeTerminals(): void {
  for (const fd of terminals.splice(0)) closeSync(fd);
}

function closeFile(fd: number): void {
  try {
    closeSync(fd);
  } catch {
    // The share says that it kept less than was written; the exit status is settled.
  }
}
