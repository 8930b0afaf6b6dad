import type { Cause } from '../../../shared/artifact.ts';
import type { RunHead } from '../../../shared/recording.ts';
import { formatCount } from '../../../shared/text/format.ts';
import type { RunResult } from '../../host/recording/run-request.ts';

/**
 * Returns the last line printed after a command with long output: how it ended unless it succeeded, the line that
 * explains a failure, what changed since it last passed, and where the output is. `whole`: all of the output was kept.
 */
export function howItEnded(
  { head, signal, whole }: Pick<RunResult, 'head' | 'signal' | 'whole'>,
  artifactId: string,
  changes: string | null = null,
): string {
  const { success, exit_code, timed_out, cause } = head;
  if (success) return whereItIs(artifactId, whole);
  const ended = timed_out ? 'timed out' : signal === null ? `exit ${exit_code}` : signal;
  const since = changes === null ? '' : `${changes}; `;
  if (cause === null) return `${ended}; ${since}${whereItIs(artifactId, whole)}`;
  const line = `line ${formatCount(cause.line_number)}${ofStream(cause, head)}`;
  const text = cause.text.trim();
  const rest = whole ? 'more' : 'what was kept';
  const isBinary = cause.stream !== 'combined' && head[cause.stream]?.content_type === 'binary';
  return `${ended}; ${line}: ${text}; ${since}${rest}: spillway inspect ${artifactId} --mode failure${isBinary ? ' --as-text' : ''}`;
}

/** Each stream has its own line numbers, so name the stream if there are two. */
function ofStream({ stream }: Cause, { stdout, stderr }: RunHead): string {
  const isOneOfTwo = (stdout?.total_lines ?? 0) > 0 && (stderr?.total_lines ?? 0) > 0;
  return stream === 'stderr' || isOneOfTwo ? ` of ${stream}` : '';
}

/** Returns the last line printed after a long output: the artifact that holds it, and whether that is complete. */
export function whereItIs(artifactId: string, whole: boolean): string {
  return `${whole ? 'all of it' : 'what was kept'} is ${artifactId}: spillway inspect ${artifactId}`;
}
