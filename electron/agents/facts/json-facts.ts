/** Reads facts of a command from the JSON that an agent keeps beside its output, whatever the agent calls them. */

import { isoTime } from '../../store/format/times.ts';
import { field, text, timeMs } from './calls.ts';
import type { FileDescription } from './described.ts';
import { processExists } from './fact-files.ts';
import { outcome } from './frame.ts';

const RUNNING = new Set(['running', 'pending', 'active', 'in_progress', 'started']);
const STOPPED = new Set(['killed', 'cancelled', 'canceled', 'stopped', 'aborted', 'terminated']);

/** Returns the facts found; none for a value that is not an object. */
export function factsOf(value: unknown): FileDescription {
  const first = (...names: string[]) =>
    names.map((name) => field(value, name)).find((found) => found != null);
  const command = text(first('command', 'cmd', 'commandLine'));
  const cwd = text(first('cwd', 'directory', 'workingDirectory', 'workdir'));
  const started = timeMs(first('startedAt', 'started_at', 'startTime', 'start_time', 'createdAt'));
  const ended = timeMs(first('endedAt', 'ended_at', 'endTime', 'end_time', 'completedAt', 'finishedAt'));
  const exit = first('exitCode', 'exit_code');
  const pid = first('pid', 'processId');
  const truncated = first('truncated', 'outputTruncated');
  const word = text(first('status', 'state'))?.toLowerCase() ?? '';
  return {
    ...(command === null ? {} : { command }),
    ...(cwd === null ? {} : { cwd, project: cwd }),
    ...(started === null ? {} : { started_at: isoTime(started) }),
    ...(ended === null ? {} : { ended_at: isoTime(ended) }),
    ...(started === null || ended === null ? {} : { duration_ms: Math.max(0, ended - started) }),
    ...(typeof pid === 'number' && Number.isInteger(pid) ? { pid } : {}),
    ...(Number.isInteger(exit) ? outcome(exit as number) : statusOf(word, pid)),
    ...(typeof truncated === 'boolean' ? { truncated } : {}),
    ...(STOPPED.has(word) ? { status: 'cancelled' as const } : {}),
    ...(word === 'timed_out' || word === 'timeout' ? { status: 'timed_out' as const } : {}),
  };
}

function statusOf(word: string, pid: unknown): FileDescription {
  if (word === 'failed' || word === 'error') return { status: 'failed' };
  if (word === '' && typeof pid === 'number' && processExists(pid)) return { status: 'running' };
  if (!RUNNING.has(word)) return {};
  // An agent that was killed never says that its command ended.
  return { status: typeof pid === 'number' && !processExists(pid) ? 'interrupted' : 'running' };
}
