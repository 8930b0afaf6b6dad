/** How a command ended, and who ended it. */
import { constants } from 'node:os';
import type { Status } from '../../../shared/artifact.ts';
import type { CommandEnd } from '../../recorder/command/run-on-pipes.ts';

export interface Ended extends CommandEnd {
  /** The signal that somebody asked it to end with, when that is what it did. */
  endedAs: NodeJS.Signals | null;
}

/** What a person, or a system that shuts down, ends a command with. Any other signal that ends one is a failure. */
const ENDS: readonly NodeJS.Signals[] = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT'];

/** What a terminal sends to it and to us may reach us later, on another thread; in milliseconds. */
const ON_ITS_WAY = 100;

/** By the signal, or with the status by which programs that clean up first say so. */
export async function endedAs(
  { reason, exitCode, signal }: CommandEnd,
  asked: ReadonlySet<NodeJS.Signals>,
): Promise<NodeJS.Signals | null> {
  if (reason !== 'exited') return null;
  const one = ENDS.find((end) => signal === end || exitCode === 128 + constants.signals[end]);
  if (one === undefined) return null;
  for (let waited = 0; !asked.has(one) && waited < ON_ITS_WAY; waited += 10)
    await new Promise((resolve) => setTimeout(resolve, 10));
  return asked.has(one) ? one : null;
}

export function statusOf({ reason, exitCode, endedAs }: Ended): Status {
  if (reason !== 'exited') return reason;
  if (endedAs !== null) return 'cancelled';
  return exitCode === 0 ? 'succeeded' : 'failed';
}

export function errorOf(
  { command, timeout }: { command: string; timeout?: number | null },
  { reason, signal, endedAs }: Ended,
): string | null {
  const name = JSON.stringify(command);
  if (reason === 'timed_out')
    return `${name} was ended, with all it had started, after its time-out of ${timeout} ms`;
  if (reason === 'cancelled') return `${name} was cancelled, with all it had started`;
  if (endedAs !== null) return `${name} was cancelled by ${endedAs}`;
  return signal === null ? null : `${name} was ended by ${signal}`;
}
