/** Which lines of a command's output its agent's own shell tool passed on to the model. */
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Lines } from '../../../shared/activity.ts';
import type { Artifact } from '../../../shared/artifact.ts';
import type { ShellHabits } from '../../agents/agent.ts';
import { shellHabitsOf } from '../../agents/agents.ts';

/**
 * Returns lines of the combined stream; null if it is not known. `lineAt`: the line that the byte at an offset is in.
 * A line that passed only in part is not counted.
 */
export async function passedLines(
  home: string,
  artifact: Artifact,
  lineAt: (offset: number) => Promise<number | null>,
): Promise<Lines[] | null> {
  const { agent, streams, exit_code } = artifact;
  const habits = agent === null ? null : shellHabitsOf(agent.name);
  if (habits === null || !passedAsItCame(home, artifact)) return null;
  const bytes = streams.reduce((all, one) => all + one.total_bytes, 0);
  const lines = streams.reduce((all, one) => all + (one.total_lines ?? Number.NaN), 0);
  if (!(lines > 0)) return null;
  const used: ShellHabits = exit_code === 0 ? habits : (habits.failed ?? habits);
  const { whole, head, tail, kept = bytes, lines: most = lines } = used;
  if (bytes <= whole && lines <= most) return [[1, lines]];
  const end = Math.min(bytes, kept);
  const headEnd = head === 0 ? 1 : await lineAt(Math.min(head, end));
  const last = end === bytes ? lines + 1 : await lineAt(end);
  // The byte before the tail is in the line before.
  const before = tail === 0 ? lines : end <= tail ? 0 : await lineAt(end - tail - 1);
  if (headEnd === null || last === null || before === null) return null;
  // The text's end counts as a line of its own.
  const from = lines <= most ? before + 1 : Math.max(before + 1, lines - most + 2);
  const ranges: Lines[] = [];
  if (headEnd > 1) ranges.push([1, headEnd - 1]);
  if (from < last) ranges.push([from, last - 1]);
  return ranges;
}

/** With `--record=preview`, the agent may have got an excerpt. It is not known how it was connected when an older command ran. */
function passedAsItCame(home: string, { agent, started_at }: Artifact): boolean {
  try {
    const path = join(home, 'connect', `${agent!.name}.json`);
    const { record } = JSON.parse(readFileSync(path, 'utf8')) as { record?: unknown };
    return record === 'record' && statSync(path).mtimeMs <= Date.parse(started_at ?? '');
  } catch {
    return false;
  }
}
