import type { Cause } from '../../../shared/artifact.ts';
import type { RunHead } from '../../../shared/recording.ts';
import { clipText } from '../../../shared/text/clip.ts';
import { formatCount } from '../../../shared/text/format.ts';

/**
 * Returns the last line printed after a failed command: how it ended, the line that explains it, and how to see
 * more. `whole`: everything it printed was kept.
 */
export function whyItFailed(head: RunHead, signal: string | null, whole: boolean): string {
  const { artifact_id, exit_code, timed_out, cause } = head;
  const ended = timed_out ? 'timed out' : signal === null ? `exit ${exit_code}` : signal;
  const line = cause
    ? `line ${formatCount(cause.line_number)}${ofStream(cause, head)}: ${clipText(cause.text.trim(), CAUSE_CHARS).text}; `
    : '';
  return `${ended}; ${line}${whole ? 'more' : 'what was kept'}: spillway inspect ${artifact_id} --mode failure`;
}

/** Each stream has its own line numbers, so name the stream if there are two. */
function ofStream({ stream }: Cause, { stdout, stderr }: RunHead): string {
  const isOneOfTwo = (stdout?.total_lines ?? 0) > 0 && (stderr?.total_lines ?? 0) > 0;
  return stream === 'stderr' || isOneOfTwo ? ` of ${stream}` : '';
}

/** Longest cause shown in a terminal's line, in characters. */
const CAUSE_CHARS = 160;

/** Returns the last line printed after a long output: the artifact that holds it, and whether that is complete. */
export function whereItIs(artifactId: string, whole: boolean): string {
  return `${whole ? 'all of it' : 'what was kept'} is ${artifactId}: spillway inspect ${artifactId}`;
}
