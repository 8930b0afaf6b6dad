/** Steps through the lines that explain a failure. */
import type { FailureView } from '../../shared/views.ts';

export function explainingLines({ cause, parts }: Pick<FailureView, 'cause' | 'parts'>): number[] {
  const lines = parts.flatMap(({ line }) => line ?? []);
  if (cause) lines.push(cause.line_number);
  return [...new Set(lines)].sort((a, b) => a - b);
}

/** Inserts a line, keeping the order. */
export function withLine(lines: readonly number[], line: number | null): readonly number[] {
  if (line === null || lines.includes(line)) return lines;
  return [...lines, line].sort((a, b) => a - b);
}

/** Returns the next line below or above `from`, wrapping around; null if there is none. */
export function stepFrom(lines: readonly number[], from: number, direction: 1 | -1): number | null {
  const next = direction === 1 ? lines.find((line) => line > from) : lines.findLast((line) => line < from);
  return next ?? lines.at(direction === 1 ? 0 : -1) ?? null;
}
