/** Declares a command as its caller sees it, on pipes or on a terminal: what to start, while it runs, how it ended. */

import { fstatSync, readFileSync, readlinkSync, type Stats } from 'node:fs';
import { constants } from 'node:os';
import { isatty } from 'node:tty';
import type { RecordedStreamName } from '../streams/outcome.ts';
import type { ReadEnd, Taker } from '../streams/read-end.ts';
import { inheritedIgnored, whatWeInherited } from './inherited.ts';
import { FORWARDED } from './leader-script.ts';
import type { ProcessTree, Survivor } from './process-tree.ts';

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
export function forwardSignals(listener: (signal: NodeJS.Signals) => unknown): () => void {
  const onSignal = (signal: NodeJS.Signals) => void listener(signal);
  for (const signal of FORWARDED) process.on(signal, onSignal);
  const ignored = inheritedIgnored();
  for (const signal of ignored) if (!FORWARDED.includes(signal)) process.on(signal, () => {});
  return () => {
    // Signals that were ignored when we started stay ignored until we exit.
    for (const signal of FORWARDED) if (!ignored.includes(signal)) process.off(signal, onSignal);
  };
}

/**
 * How a person's command gets its standard streams, so that each is what it would be without us: a terminal stays one,
 * and what is one place (`2>&1`) stays one, whose order is kept.
 */
export interface StreamPlan {
  /**
   * The command gets a terminal of its own, joined to the person's, as its stdin and its first stream. With one stream
   * that is all three.
   */
  terminal: boolean;
  /** The recorded streams. `output` alone takes stdout and stderr in their order. */
  streams: readonly RecordedStreamName[];
  /**
   * Streams that lead to a person's screen, with our descriptor of it. The command gets a terminal that only shows: it
   * reads keys where it would without us.
   */
  screens: Partial<Record<RecordedStreamName, 1 | 2>>;
}

export const TWO_PIPES: StreamPlan = { terminal: false, streams: ['stdout', 'stderr'], screens: {} };
export const ONE_TERMINAL: StreamPlan = { terminal: true, streams: ['output'], screens: {} };

/** For the streams that this process was given. */
export function planStreams(): StreamPlan {
  const streams: RecordedStreamName[] = isMergedOutput() ? ['output'] : ['stdout', 'stderr'];
  const [first = 'output', second] = streams;
  // In a pipeline, keys may be meant for another of its programs: then the person's terminal is left to them.
  const terminal = isSameTerminal(0, 1);
  const screens: StreamPlan['screens'] = {};
  if (!terminal && isatty(1)) screens[first] = 1;
  if (second && isatty(2)) screens[second] = 2;
  return { terminal, streams, screens };
}

/** Where both lead to one place, readers see the order of writes to both. */
function isMergedOutput(): boolean {
  const shared = whatWeInherited()?.shared;
  if (shared?.get(2) === 1 || isSameTerminal(1, 2)) return true;
  try {
    const link = readlinkSync('/proc/self/fd/1');
    if (link !== readlinkSync('/proc/self/fd/2')) return false;
    if (/^(pipe|socket):/.test(link) || fstatSync(1).isFIFO()) return true;
    const [one, other] = [1, 2].map((fd) => readFileSync(`/proc/self/fdinfo/${fd}`, 'latin1'));
    // Each of two openings of a file has its own place in it, unless both append.
    return shared ? isAppending(one!) && isAppending(other!) && fstatSync(1).isFile() : one === other;
  } catch {
    return false;
  }
}

function isAppending(info: string): boolean {
  const flags = /^flags:\s*([0-7]+)/m.exec(info)?.[1] ?? '0';
  return (Number.parseInt(flags, 8) & 0o2000) !== 0;
}

function isSameTerminal(one: number, other: number): boolean {
  if (!isatty(one) || !isatty(other)) return false;
  const [first, second] = [fstatSync(one), fstatSync(other)];
  return first.rdev === second.rdev || isControlling(first) || isControlling(second);
}

/** `/dev/tty`, which stands for the terminal of our session. */
function isControlling({ rdev }: Stats): boolean {
  return process.platform === 'linux' && rdev === 0x500;
}
