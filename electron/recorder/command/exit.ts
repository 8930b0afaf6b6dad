/**
 * Describes how a process ended. Node has no names for real-time signals (34 to 64), so those also get the shell's
 * status.
 */
import { constants } from 'node:os';

export interface CommandExit {
  /** Null if a signal ended it, but 128 + n for a real-time signal n. */
  exitCode: number | null;
  /** `SIGTERM`, or `SIGRTMIN+3`. */
  signal: string | null;
}

/** The lowest real-time signal (glibc). */
const SIGRTMIN = 34;

/** Returns the exit that a death by this signal number is reported as. */
export function killedBy(number: number): CommandExit {
  const signal = signalName(number);
  if (signal !== null) return { exitCode: null, signal };
  return { exitCode: 128 + number, signal: number < SIGRTMIN ? null : `SIGRTMIN+${number - SIGRTMIN}` };
}

/** Returns null for a number that Node has no name for. */
export function signalName(number: number): NodeJS.Signals | null {
  const found = Object.entries(constants.signals).find(([, value]) => value === number);
  return (found?.[0] as NodeJS.Signals | undefined) ?? null;
}

/** Returns the exit status as a shell gives it: 128 + n for signal n. */
export function shellStatus({ exitCode, signal }: CommandExit): number {
  if (exitCode !== null) return exitCode;
  return signal === null ? 1 : 128 + (constants.signals[signal as NodeJS.Signals] ?? 0);
}

/** Returns an error like Node's own, with a `code` such as ENOENT. */
export function startError(code: string): NodeJS.ErrnoException {
  return Object.assign(new Error(`it could not be started (${code})`), { code });
}
