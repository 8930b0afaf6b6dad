/** How much of a stream may come back inline; one byte more, and it spills (CONTRACT 1). */
import { PREVIEW_BYTES } from '../../../shared/setting-rules.ts';
import type { Settings } from '../../../shared/settings.ts';
import { decoderFor, markedEncoding } from '../../reader/bytes/encoding.ts';

export interface InlineBudget {
  /** Most bytes; or `chars`, most characters of text. */
  bytes?: number;
  chars?: number;
  lines: number;
}

/** Returns the budgets of a command's streams. */
export function commandBudgets(settings: Settings): Record<'stdout' | 'stderr' | 'output', InlineBudget> {
  const bytes = PREVIEW_BYTES[settings.previewSize];
  const output = { bytes, lines: settings.maxOutputLines };
  return { stdout: output, stderr: { bytes, lines: settings.maxErrorLines }, output };
}

/** Returns the budget of tool responses and piped input. Characters that the caller names decide alone. */
export function responseBudget(settings: Settings, chars?: number): InlineBudget {
  if (chars !== undefined) return { chars, lines: Number.POSITIVE_INFINITY };
  return { chars: settings.inlineThresholdChars, lines: settings.inlineThresholdLines };
}

/** Returns the most bytes that a stream within the budget can have; they must fit in memory. */
export function mostBytes(budget: InlineBudget): number {
  // No character takes more than four bytes, in UTF-8 or UTF-16.
  return budget.bytes ?? (budget.chars ?? 0) * 4;
}

/**
 * `bytes` hold the whole stream, or anything if the stream is larger than `mostBytes`. Lines count as in CONTRACT 1.
 */
export function isWithin(budget: InlineBudget, bytes: Buffer, totalBytes: number, lines: number): boolean {
  if (totalBytes > mostBytes(budget) || lines > budget.lines) return false;
  if (budget.chars === undefined || totalBytes <= budget.chars) return true;
  return charactersOf(wholeText(bytes)) <= budget.chars;
}

/** The text of a whole stream, with its byte order mark. Without one it is UTF-8, as agents give their strings. */
export function wholeText(bytes: Buffer): string {
  return decoderFor(markedEncoding(bytes)).decode(bytes);
}

function charactersOf(text: string): number {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}
