/** Declares a command as its caller sees it, on pipes or on a terminal: what to start, while it runs, how it ended. */
import { constants } from 'node:os';
import type { RecordedStreamName } from '../streams/outcome.ts';
import type { ReadEnd, Taker } from '../streams/read-end.ts';
import { inheritedIgnored } from './inherited.ts';
import { FORWARDED } from './leader-script.ts';
import type { ProcessTree, Survivor } from './process-tree.ts';
import type { StreamPlan } from './stream-plan.ts';

export interface CommandOptions {
  /** From `findCommand`. */
  path: string;
  /** Its argv[0]. */
  name: string;
  args: readonly string[];
  cwd: string;
  env: NodeJS.ProcessEnv;
  /** Milliseconds; null for none. */
  timeout: number | null;
  stdin: 'inherit' | 'ignore';
  /** The command leads a process group, so a signal meant for us alone does not reach it. */
  ownGroup: boolean;
  /** Ending the command also ends processes that left its process tree (Linux only). */
  reap: boolean;
  plan: StreamPlan;
  abort?: AbortSignal | undefined;
}

export type Takers = (stream: RecordedStreamName) => Taker;

export interface CommandEnd extends CommandExit {
  reason: 'exited' | 'timed_out' | 'cancelled';
  /** Streams that background children still hold. Nothing reads them now: close them, read on, or hand them over. */
  open: Partial<Record<RecordedStreamName, ReadEnd>>;
  /** Processes still running after we ended the command. */
  survivors: readonly Survivor[];
}

export interface CommandHandle {
  readonly pid: number;
  /**
   * Resolves with whether a signal that reached us also reached the command, as part of our process group. `early`: the
   * command may not have begun then.
   */
  sawSignal(signal: NodeJS.Signals, early: boolean): Promise<boolean>;
  signal(signal: NodeJS.Signals): void;
  /** Closes our end of a stream, like a reader that exits: the next write to it gets SIGPIPE. */
  hangUp(stream: RecordedStreamName): void;
  /** Ends the command and everything it started. */
  cancel(): void;
  /** Absent on a terminal: closing it ends the remaining processes. */
  readonly tree?: ProcessTree;
  readonly ended: Promise<CommandEnd>;
}

/** A command that is ready to start. */
export interface Prepared {
  /**
   * Starts it. Rejects with the system's error: ENOENT, EACCES, EAGAIN and the like.
   * @param onExit called when the command has exited, before its last output is read; never if its start was given up
   */
  start(take: Takers, onExit: () => void): Promise<CommandHandle>;
}

/**
 * Describes how a process ended. Node has no names for real-time signals (34 to 64), so those also get the shell's
 * status.
 */
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

// Forwards signals that we receive to a command.

/**
 * Calls `told` with each signal until the command ends, and survives it. A signal that was ignored when we
 * started, and that is not forwarded, stays ignored. Returns a function that stops forwarding.
 */
export function forwardSignals(told: (signal: NodeJS.Signals) => unknown): () => void {
  const onSignal = (signal: NodeJS.Signals) => void told(signal);
  for (const signal of FORWARDED) process.on(signal, onSignal);
  const ignored = inheritedIgnored();
  for (const signal of ignored) if (!FORWARDED.includes(signal)) process.on(signal, () => {});
  return () => {
    // Signals that were ignored when we started stay ignored until we exit.
    for (const signal of FORWARDED) if (!ignored.includes(signal)) process.off(signal, onSignal);
  };
}
