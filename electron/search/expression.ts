/** Turns a search query into its expression. */
import { type AST, RegExpParser, RegExpSyntaxError, visitRegExpAST } from '@eslint-community/regexpp';
import { argumentOn, type Surface } from '../../shared/arguments/argument.ts';
import { SpillwayError } from '../../shared/errors.ts';
import type { SearchQuery } from '../../shared/search-query.ts';
import { LF } from '../../shared/text/codes.ts';
import {
  conditionsOf,
  fieldReader,
  lineFields,
  linePattern,
  textOfField,
  unitNote,
} from '../../shared/text/fields.ts';
import { LEVEL_WORDS, type Level } from '../../shared/text/level-words.ts';

/** A person's patterns of lines: their named groups are fields. */
export interface FieldGroups {
  groups?: readonly string[];
}

/** An expression that compiles. */
export interface Expression {
  /** Without the leading flags that some dialects allow. */
  source: string;
  /** Flags of the JavaScript expression: some of `i`, `s` and `u`. */
  flags: string;
}

/** Leading flags of other dialects, such as `(?i)`. On one line, `m` changes nothing. */
const LEADING_FLAGS = /^\(\?([a-z]*)(?:-([a-z]+))?\)/;

/**
 * Characters of words: those of `\w`, and letters and digits beyond ASCII by their blocks, since a property escape needs
 * Unicode mode, in which other patterns are valid.
 */
const WORD =
  '[\\w\\u00aa\\u00b5\\u00ba\\u00c0-\\u00d6\\u00d8-\\u00f6\\u00f8-\\u1fff\\u2c00-\\u2dff\\u3040-\\ud7ff\\uf900-\\ufdff]';
const NOT_AFTER_WORD = `(?<!${WORD})`;
const NOT_BEFORE_WORD = `(?!${WORD})`;

/** Longest pattern, in characters; it still compiles at once. */
const MAX_PATTERN_CHARS = 1_100_000;

/**
 * Returns the expression that matching lines match. For a query of levels it finds candidates; `judgeByLevel` decides
 * about each. Throws `usage` for an invalid pattern, with the position of the error. Without a `surface`, it names no
 * argument.
 */
export function expressionOf(query: SearchQuery & FieldGroups, surface?: Surface): Expression {
  if (query.pattern.length > MAX_PATTERN_CHARS) {
    throw new SpillwayError(
      'usage',
      `the pattern has ${query.pattern.length} characters`,
      `give one of at most ${MAX_PATTERN_CHARS}, or search for its parts one after the other`,
    );
  }
  if (query.pattern === '' && query.where !== undefined)
    return { source: fieldCandidates(query.where, query.groups), flags: '' };
  if (query.pattern === '' && query.levels) return { source: levelCandidates(query.levels), flags: 'i' };
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
      `correct it, or search for it as plain text${surface ? ` with ${argumentOn(surface, 'fixed')}` : ''}`,
    );
  }
  return { source: query.word ? `${NOT_AFTER_WORD}(?:${source})${NOT_BEFORE_WORD}` : source, flags };
}

/** From this length on, compiling an expression costs more than running it. */
const LARGE_CHARS = 20_000;
/** V8 takes seconds to compile a large expression for a short text, and a twentieth of that for a long one. */
const LONG_TEXT = '\n'.repeat(1000);

/** Compiles the expression and runs it once: only then does V8 find it too large. Throws `usage` if it does. */
export function compiled(source: string, flags: string): RegExp {
  const expression = new RegExp(source, flags);
  if (source.length < LARGE_CHARS) return expression;
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

/** Escapes the text, so that the expression matches nothing else. */
function escapeExpression(text: string): string {
  return text
    .replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')
    .replaceAll('\n', '\\n')
    .replaceAll('\r', '\\r');
}

/** Returns true for property escapes, code points and characters above U+FFFF, which need Unicode mode. */
function needsUnicode(source: string): boolean {
  return /\\[pP]\{|\\u\{|[\ud800-\udbff][\udc00-\udfff]/.test(source);
}

function invalid(pattern: string, why: string, todo: string): SpillwayError {
  const shown = pattern.length > 200 ? `${pattern.slice(0, 200)}…` : pattern;
  return new SpillwayError('usage', `${JSON.stringify(shown)} is not a valid pattern, ${why}`, todo);
}

function reason(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  // V8's message repeats the whole expression and gives the reason last.
  return message.slice(message.lastIndexOf(': ') + 2).toLowerCase();
}

/** Returns the offset at which a pattern becomes invalid; null if the parser accepts it. */
function syntaxErrorAt(source: string, unicode: boolean): number | null {
  try {
    new RegExpParser({ ecmaVersion: 2024 }).parsePattern(source, undefined, undefined, { unicode });
    return null;
  } catch (error) {
    return error instanceof RegExpSyntaxError ? error.index : null;
  }
}

/**
 * An expression, to be matched without regard to case, that finds at least all lines of these levels: their words,
 * numbers of level fields, names of errors, and the beginnings that levels.ts knows.
 */
function levelCandidates(levels: readonly Level[]): string {
  const words = [...LEVEL_WORDS].filter(([, level]) => levels.includes(level)).map(([word]) => word);
  const least = words.filter((word) => !words.some((other) => other !== word && word.includes(other)));
  return [...least, ...(levels.includes('error') ? ERROR_WORDS : []), ...BEGINNINGS].join('|');
}

/** An expression that finds at least all lines that meet the conditions: they name each field, or can be any. */
function fieldCandidates(where: string, groups: readonly string[] = []): string {
  const patterns = groups.map(linePattern);
  const named = conditionsOf(where).flatMap(({ field }) => textOfField(field, patterns) ?? []);
  return named.length === 0 ? '(?:)' : escapeExpression(named[0]!);
}

const ERROR_WORDS = ['exception', 'traceback', 'segmentation', 'dumped', '^not ok ', '\\*\\*\\*'];
const BEGINNINGS = [
  '(?:level|lvl|severity)\\w*\\W*\\d',
  'priority\\W*\\d',
  '^[FEWIDV][\\d/ :]',
  '^<\\d+>',
  '^\\d\\d[-./:\\d][-\\d/:.,+TZ \\t]*(?:[FEWIDV](?:[!\\s]|$)|[A-Z]{2}\\()',
  '\\[[FEWIDV]\\]',
  '^\\{"@?t":',
];

// Parses an expression to its syntax tree.

/** Longer expressions are not analysed: V8 runs them as they are. */
const MAX_ANALYSED_CHARS = 20_000;

/** Deepest tree: walking it recurses once for each level, and a thread has a small stack. */
const MAX_DEPTH = 300;

/** Returns null for syntax that only the engine knows, or if analysing would take long. */
export function parseExpression({ source, flags }: Expression): AST.Pattern | null {
  if (source.length > MAX_ANALYSED_CHARS || depthOf(source) > MAX_DEPTH) return null;
  try {
    return new RegExpParser({ ecmaVersion: 2024 }).parsePattern(source, undefined, undefined, {
      unicode: flags.includes('u'),
    });
  } catch {
    return null;
  }
}

function depthOf(source: string): number {
  let depth = 0;
  let most = 0;
  for (const [token] of source.matchAll(ESCAPE_OR_CLASS_OR_BRACKET)) {
    if (token === '(') depth += 1;
    else if (token === ')') depth -= 1;
    most = Math.max(most, depth);
  }
  return most;
}

const ESCAPE_OR_CLASS_OR_BRACKET = /\\.|\[(?:\\.|[^\]\\])*\]|[()]/gs;

// Warns about syntax of other dialects, which JavaScript silently reads as plain letters.

/** The JavaScript equivalent of each. */
const INSTEAD: Readonly<Record<string, string>> = {
  '\\A': '^',
  '\\Z': '$',
  '\\z': '$',
  '\\h': '[ \\t]',
  '\\e': '\\x1b',
  '\\a': '\\x07',
  '[:alpha:]': 'a-zA-Z',
  '[:digit:]': '\\d',
  '[:alnum:]': 'a-zA-Z0-9',
  '[:upper:]': 'A-Z',
  '[:lower:]': 'a-z',
  '[:space:]': '\\s',
  '[:blank:]': ' \\t',
  '[:xdigit:]': '0-9a-fA-F',
  '[:punct:]': '!-\\/:-@\\[-`{-~',
  '[:word:]': '\\w',
};

/** Escapes of grep's basic expressions. In JavaScript they mean the character itself, which may be intended. */
const BASIC: Readonly<Record<string, string>> = { '\\|': '|', '\\<': '\\b', '\\>': '\\b' };

/** Slashes around the whole pattern, as in JavaScript and Perl programs, or just a path. */
const DELIMITED = /^\/.+\/[dgimsuvyx]*$/s;

/** JavaScript's words have the letters of ASCII alone. */
const BOUNDARY_AT_LETTER = /\\b(?=(\p{L}))\P{ASCII}|(?=(\p{L}))\P{ASCII}\\b/u;
const AT_START = '(?<![\\p{L}\\p{N}_])';
const AT_END = '(?![\\p{L}\\p{N}_])';

const LINE_BY_LINE = 'a pattern is matched against one line at a time, so a newline in it matches nothing';

const POSIX_CLASS = /\[:\^?[a-z]+:\]/g;

/**
 * Returns a sentence; null if nothing is wrong. `isFruitless`: no line matched. Then also names syntax that is usually
 * meant as JavaScript reads it. Throws `usage` for an invalid pattern.
 */
export function dialectNote(query: SearchQuery, isFruitless: boolean): string | null {
  if (query.fixed) return isFruitless && query.pattern.includes('\n') ? LINE_BY_LINE : null;
  const tree = parseExpression(expressionOf(query));
  if (!tree) return null;
  const odd = new Set<string>();
  let hasNewline = false;
  visitRegExpAST(tree, {
    onCharacterEnter({ raw, value }) {
      // JavaScript reads this escape as the letter itself.
      if (/^\\[A-Za-z]$/.test(raw) && raw.charCodeAt(1) === value) odd.add(raw);
      if (isFruitless && Object.hasOwn(BASIC, raw)) odd.add(raw);
      if (value === LF) hasNewline = true;
    },
    onCharacterClassEnter({ raw, end }) {
      // JavaScript ends the class at the first bracket, so include the one after it.
      for (const [name] of `${raw}${tree.raw.charAt(end - tree.start)}`.matchAll(POSIX_CLASS)) odd.add(name);
    },
  });
  const hints = [...odd].slice(0, 3).map(meaningOf);
  const letter = BOUNDARY_AT_LETTER.exec(tree.raw);
  if (letter)
    hints.push(`\\b takes ${letter[1] ?? letter[2]} for no letter (write ${letter[1] ? AT_START : AT_END})`);
  if (isFruitless && DELIMITED.test(query.pattern))
    hints.push('slashes around a pattern stand for themselves (leave them out, and flags after them)');
  if (hints.length > 0) return `patterns are JavaScript's, in which ${hints.join(', ')}`;
  return isFruitless && hasNewline ? LINE_BY_LINE : null;
}

const FIELD_VALUE = /^\s*([\w.@-]+)\s*[=:]\s*("?)([^"\s\\()[\]|*+?]+)\2\s*$/;

/**
 * Offers the field where a search for `service=billing` found nothing, and the text has it as a key of JSON, as it is
 * shown. Null for other searches. `head`: the text's beginning.
 */
export function fieldNote({ pattern, invert, case_sensitive }: SearchQuery, head: string): string | null {
  const [, key, , value] = FIELD_VALUE.exec(pattern) ?? [];
  if (key === undefined || invert) return null;
  const written = new RegExp(`"(${escapeExpression(key)})"\\s*:`, case_sensitive ? '' : 'i').exec(head)?.[1];
  if (written === undefined) return null;
  const field = `"${escapeExpression(written)}"\\s*:\\s*"?${escapeExpression(value!)}(?!\\w)`;
  return `no line is written so, but JSON here has the field ${written}: search for it with ${field}`;
}

/** Names fields of a search's conditions that no line of `head`, the text's beginning, has; null if there is none. */
export function absentFieldNote(
  { where, pattern, fixed, groups = [] }: SearchQuery & FieldGroups,
  head: string,
): string | null {
  if (where === undefined) return null;
  const hasOwnFields = !fixed && /\(\?<\w+>/.test(pattern);
  const lines = head.split('\n').slice(0, HEAD_LINES);
  const isAbsent = (field: string) => {
    const read = fieldReader(field, groups.map(linePattern));
    return !lines.some((line) => read(line) !== null);
  };
  const absent = hasOwnFields
    ? []
    : [...new Set(conditionsOf(where).map(({ field }) => field))].filter(isAbsent);
  if (absent.length === 0) return null;
  const named = [
    ...new Set(
      [
        ...groups.flatMap((one) => lines.flatMap((line) => lineFields(line, null, one))),
        ...lines.flatMap((line) => lineFields(line)),
      ].map(({ name }) => name),
    ),
  ];
  const meant = named.filter((name) => absent.some((one) => name.endsWith(`.${one}`)));
  const others =
    meant.length > 0
      ? `there is ${meant.slice(0, NAMED_FIELDS).join(', ')}`
      : named.length === 0
        ? 'fields are those of JSON, of name=value, and of web servers’ logs'
        : `fields there: ${named.slice(0, NAMED_FIELDS).join(', ')}`;
  return `the text begins with no line that has the field ${absent.join(' or ')} (${others})`;
}

/** Names the unit that plain numbers were taken for. Null if they, or their fields, name one. */
export function assumedUnitNote(
  { where, groups = [] }: SearchQuery & FieldGroups,
  head: string,
): string | null {
  if (where === undefined) return null;
  return unitNote(conditionsOf(where), head.split('\n').slice(0, HEAD_LINES), groups.map(linePattern));
}

const HEAD_LINES = 500;
const NAMED_FIELDS = 12;

function meaningOf(odd: string): string {
  const instead = BASIC[odd] ?? INSTEAD[odd.replace('[:^', '[:')];
  const own = /^\\\w/.test(odd) ? `the letter ${odd[1]}` : `the character ${odd[1]}`;
  const meaning = odd.startsWith('\\') ? own : 'its letters, one by one';
  return `${odd} stands for ${meaning}${instead && !odd.startsWith('[:^') ? ` (write ${instead})` : ''}`;
}
