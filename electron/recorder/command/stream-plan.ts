/**
 * How a person's command gets its standard streams, so that each is what it would be without us: a terminal stays one,
 * and what is one place (`2>&1`) stays one, whose order is kept.
 */
import { fstatSync, readFileSync, readlinkSync, type Stats } from 'node:fs';
import { isatty } from 'node:tty';
import type { RecordedStreamName } from '../streams/outcome.ts';
import { whatWeInherited } from './inherited.ts';

export interface StreamPlan {
  /**
   * The command gets a terminal of its own, joined to the person's, as its stdin and its first stream. With one stream
   * that is all three.
   */
  terminal: boolean;
  /** What is recorded: `output` alone takes stdout and stderr, in their order. */
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
