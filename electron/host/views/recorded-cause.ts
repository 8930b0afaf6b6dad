/** Finds the line that a finished artifact's record names as the cause, in a view of the whole artifact. */
import type { Artifact, StreamName } from '../../../shared/artifact.ts';
import type { ExplainingPart } from '../../reader/failure/cut.ts';

export interface CauseInView {
  line_number: number;
  text: string;
}

/**
 * The recorder saw both streams apart, which tells more than one of them or both put together. Returns null where the
 * record names no line of `stream`, or one that the view does not show. Of several lines with the text, the last one
 * is the step that failed.
 */
export function recordedCause(
  { status, cause }: Pick<Artifact, 'status' | 'cause'>,
  stream: StreamName,
  parts: readonly Pick<ExplainingPart, 'start_line' | 'content'>[],
): CauseInView | null {
  if (status === 'running' || cause === null) return null;
  if (stream !== 'combined' && stream !== cause.stream) return null;
  for (const { start_line, content } of parts.toReversed()) {
    const at = content.split('\n').lastIndexOf(cause.text);
    if (at >= 0) return { line_number: start_line + at, text: cause.text };
  }
  return null;
}
