/** Compiles a search query to the expression it stands for. */
import { SpillwayError } from '../../shared/errors.ts';
import type { SearchQuery } from '../../shared/search-query.ts';
import { syntaxErrorAt } from './syntax-error.ts';

/** A query whose expression is known to compile. */
export interface Expression {
  /** Without the flags that some dialects write in front of it. */
  source: string;
  /** Flags of the JavaScript expression: some of `i`, `s` and `u`. */
  flags: string;
}

/** Flags other dialects write in front of an expression, as `(?i)`. `m` changes nothing on one line. */
const LEADING_FLAGS = /^\(\?([a-z]*)(?:-([a-z]+))?\)/;

/** Longest pattern taken, in characters: an expression of this length still compiles at once. */
export const MAX_PATTERN_CHARS = 1_100_000;

/** Throws `usage` for an invalid pattern, with the position of the error. */
export function expressionOf(query: SearchQuery): Expression {
  if (query.pattern.length > MAX_PATTERN_CHARS) {
    throw new SpillwayError(
      'usage',
      `the pattern has ${query.pattern.length} characters`,
      `give one of at most ${MAX_PATTERN_CHARS}, or search for its parts one after the other`,
    );
  }
  let ignoreCase = !query.case_sensitive;
  let dotAll = false;
  let source = query.pattern;
  const leading = query.fixed ? null : LEADING_FLAGS.exec(source);
  if (leading) {
    const [whole, on = '', off = ''] = leading;
    for (const flag of on + off) {
      if ('ism'.includes(flag)) continue;
      throw invalid(query.pattern, `the flag ${flag} is not known`, 'i, s and m are');
    }
    source = source.slice(whole.length);
    if (on.includes('i')) ignoreCase = true;
    if (off.includes('i')) ignoreCase = false;
    dotAll = on.includes('s') && !off.includes('s');
  }
  if (query.fixed) source = escapeExpression(source);
  const flags = `${ignoreCase ? 'i' : ''}${dotAll ? 's' : ''}${needsUnicode(source) ? 'u' : ''}`;
  try {
    new RegExp(source, flags);
  } catch (error) {
    const at = syntaxErrorAt(source, flags.includes('u'));
    const where = at === null ? '' : ` at character ${query.pattern.length - source.length + at + 1}`;
    throw invalid(
      query.pattern,
      `${reason(error)}${where}`,
      'mend it, or search for it as plain text with fixed',
    );
  }
  return { source, flags };
}

/** From this length on, an expression costs more to compile than to run. */
const LARGE = 20_000;
/** V8 takes seconds to compile a large expression for a short text, and 20 times less for a long one. */
const LONG_TEXT = '\n'.repeat(1000);

/** Compiles and runs the expression once: only then does V8 find it too large. Throws `usage` if it does. */
export function compiled(source: string, flags: string): RegExp {
  const expression = new RegExp(source, flags);
  if (source.length < LARGE) return expression;
  try {
    expression.test(LONG_TEXT);
    expression.lastIndex = 0;
    return expression;
  } catch {
    throw new SpillwayError(
      'usage',
      `the pattern has ${source.length} characters, which is too large for the engine`,
      'search for its parts one after the other',
    );
  }
}

/** The text as an expression that matches nothing else. */
export function escapeExpression(text: string): string {
  return text
    .replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')
    .replaceAll('\n', '\\n')
    .replaceAll('\r', '\\r');
}

/** Property escapes, code points and characters beyond 16 bits mean what they should only in Unicode mode. */
function needsUnicode(source: string): boolean {
  return /\\[pP]\{|\\u\{|[\ud800-\udbff][\udc00-\udfff]/.test(source);
}

function invalid(pattern: string, why: string, todo: string): SpillwayError {
  const shown = pattern.length > 200 ? `${pattern.slice(0, 200)}…` : pattern;
  return new SpillwayError('usage', `${JSON.stringify(shown)} is not a valid pattern, ${why}`, todo);
}

function reason(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  // V8 repeats the whole expression; what is wrong comes last.
  return message.slice(message.lastIndexOf(': ') + 2).toLowerCase();
}
