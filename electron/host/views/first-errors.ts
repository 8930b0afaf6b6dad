/**
 * Replaces, among the first errors of a text, fields such as `"level": "error",` of indented JSON by the message beside
 * them. A field without one is left out: it says nothing that the levels' counts don't.
 */
import type { SummaryView } from '../../../shared/views.ts';
import { fieldOfLine, messageBeside } from '../../reader/summary/json/json-messages.ts';
import { shortError } from '../../reader/summary/tally.ts';
import type { Generation } from '../documents/generation.ts';
import type { CountingContext } from './context.ts';

type ErrorLine = SummaryView['first_errors'][number];

/** Lines before and after a level that may hold its message. */
const REACH_LINES = 50;
const MAX_CHARS = 1 << 20;
/** Characters of each line to look at. */
const LINE_CHARS = 2000;

/** Returns the errors that are told by more than a level field. */
export function withoutLevelFields(errors: readonly ErrorLine[]): ErrorLine[] {
  return errors.filter(({ text }) => !isLevelField(text));
}

/** Line numbers are those of stored lines. The generation is indexed. */
export async function withMessages(
  errors: readonly ErrorLine[],
  generation: Generation,
  { pool, signal }: Pick<CountingContext, 'pool' | 'signal'>,
): Promise<ErrorLine[]> {
  if (!errors.some(({ text }) => isLevelField(text))) return [...errors];
  const found = new Map<number, ErrorLine>();
  for (const error of errors) {
    const told = isLevelField(error.text) ? await messageOf(error.line_number) : error;
    if (told) found.set(told.line_number, told);
  }
  return [...found.values()].sort((a, b) => a.line_number - b.line_number);

  async function messageOf(level: number): Promise<ErrorLine | null> {
    const first = Math.max(1, level - REACH_LINES);
    const count = Math.min(generation.lines, level + REACH_LINES) - first + 1;
    const lines = Array.from({ length: count }, (_, index) => first + index);
    const request = { lines, maxChars: MAX_CHARS };
    const read = await pool.run('plainLines', { ...generation.text(), request }, { signal });
    if (read.length <= level - first) return null;
    const texts = read.map(({ text }) => text.slice(0, LINE_CHARS));
    const at = messageBeside(texts, level - first);
    return at === null ? null : { line_number: first + at, text: shortError(texts[at]!) };
  }
}

function isLevelField(text: string): boolean {
  return fieldOfLine(text)?.isLevel === true;
}
