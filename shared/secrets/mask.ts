/**
 * Masks secrets in text that leaves: each of their UTF-16 code units becomes `*`, so that line numbers, columns and
 * offsets stay true. Used for replies to agents, excerpts, records, copies and `--redact`; stored bytes never change.
 */
import { LF } from '../text/codes.ts';
import {
  endOfLine,
  inColumns,
  isInCell,
  isNamed,
  listedSecrets,
  namedSecrets,
  objectSecrets,
  rowCells,
  SECRET_NAMES,
  SECRET_OBJECTS,
  startOfLine,
  VARIABLE,
} from './named.ts';
import {
  LONG_WORD,
  PUBLIC_RULES,
  SECRET_RULES,
  type SecretRule,
  TOKEN_START,
  TOKEN_STARTS,
} from './rules.ts';
import { behind, charSet, charsOf, type Trigger, Triggers } from './triggers.ts';

/** Regular expressions of JavaScript from `config.json`. */
export interface RedactSettings {
  /** A match is a secret, or what its first group has. */
  patterns: readonly string[];
  /** A secret that one of them matches stays readable. */
  except: readonly string[];
}

export interface SecretSpan {
  from: number;
  to: number;
  /** The name of the rule. */
  rule: string;
  /** It goes on a secret that was begun on an earlier line. */
  isRest?: true;
}

/** Text around that which is masked: a secret may begin before it, end behind it, or be told by a name there. */
export interface TextAround {
  before?: string;
  behind?: string;
}

export interface Masked {
  text: string;
  /** Secrets that were masked. */
  count: number;
}

const MASK = '*';
type MatchedRule = Pick<SecretRule, 'name' | 'entropy'>;
const OWN_RULE: MatchedRule = { name: 'config.json' };

export class Secrets {
  readonly #own: readonly RegExp[];
  readonly #except: readonly RegExp[];
  readonly #settings: RedactSettings;
  readonly #known: readonly string[];

  /** Ignores invalid expressions. The reader of the settings reports them. `known`: secrets, wherever they stand. */
  constructor(settings: RedactSettings = { patterns: [], except: [] }, known: readonly string[] = []) {
    const { patterns, except } = settings;
    this.#settings = settings;
    this.#known = known;
    this.#own = patterns.flatMap((source) => expression(source, 'g'));
    this.#except = except.flatMap((source) => expression(source, ''));
  }

  /** Masks these texts, too. */
  with(known: readonly string[]): Secrets {
    return new Secrets(this.#settings, [...this.#known, ...known]);
  }

  /** Values that stand behind a secret's name in the text, except words. */
  told(text: string): string[] {
    return valuesOf(text, this.find(text));
  }

  mask(text: string, around?: TextAround): Masked {
    const spans = this.find(text, around);
    return { text: maskSpans(text, spans), count: spans.filter(({ isRest }) => !isRest).length };
  }

  /** Returns the secrets in order; none overlap. */
  find(given: string, { before = '', behind = '' }: TextAround = {}): SecretSpan[] {
    const text = before + given + behind;
    if (text.length < 3) return [];
    const found = (text.includes('\u001b') ? this.#findInStyled(text) : this.#find(text)).filter(
      ({ from, to }) => !this.#except.some((one) => one.test(text.slice(from, to))),
    );
    if (text.length === given.length) return found;
    const [start, end] = [before.length, before.length + given.length];
    const inside = found.filter(({ from, to }) => to > start && from < end);
    return inside.map(({ rule, isRest, ...span }, i) => ({
      from: Math.max(span.from, start) - start,
      to: Math.min(span.to, end) - start,
      rule,
      ...(isRest && i > 0 ? { isRest } : {}),
    }));
  }

  #find(text: string): SecretSpan[] {
    const places = placesIn(text);
    const spans = places.has(KEYS) ? privateKeys(text) : [];
    for (const [from, to] of places.get(TABLES)?.ranges ?? [])
      for (const span of inColumns(text, from, to)) spans.push({ ...span, rule: 'named' });
    for (const [finder, { ranges }] of places)
      for (const [from, to] of ranges) finder.find(text, from, to, spans);
    for (const pattern of this.#own) match(text, pattern, OWN_RULE, spans);
    const real = spans.filter(({ from, to }) => !isPlaceholder(text, from, to));
    for (const value of [...this.#known, ...valuesOf(text, real)])
      for (let at = text.indexOf(value); at >= 0; at = text.indexOf(value, at + value.length))
        real.push({ from: at, to: at + value.length, rule: 'known' });
    const merged = merge(real);
    const ends = places.get(WRAPPED);
    return ends ? merge([...merged, ...wrapped(text, ends.ranges, merged)]) : merged;
  }

  /** Looks through escape sequences: a coloured token is one, too. */
  #findInStyled(text: string): SecretSpan[] {
    const plain: string[] = [];
    /** Where each piece begins in the plain text, and how much further on it is in the styled one. */
    const pieces: { at: number; shift: number }[] = [];
    let at = 0;
    let length = 0;
    const keep = (to: number) => {
      if (to <= at) return;
      plain.push(text.slice(at, to));
      pieces.push({ at: length, shift: at - length });
      length += to - at;
    };
    const inside: SecretSpan[] = [];
    for (const { index, 0: sequence } of text.matchAll(ESCAPE_SEQUENCE)) {
      keep(index);
      at = index + sequence.length;
      // A title or a link is text.
      if (sequence[1] !== ']') continue;
      for (const span of this.#find(sequence))
        inside.push({ ...span, from: span.from + index, to: span.to + index });
    }
    keep(text.length);
    let i = 0;
    const placeOf = (index: number) => {
      while (i + 1 < pieces.length && pieces[i + 1]!.at <= index) i += 1;
      return index + pieces[i]!.shift;
    };
    const styled = this.#find(plain.join('')).map((span) => {
      const from = placeOf(span.from);
      return { ...span, from, to: placeOf(span.to - 1) + 1 };
    });
    return merge([...styled, ...inside]);
  }
}

/** Values of a text that are looked for in all of it. */
const MOST_VALUES = 64;
const LEAST_VALUE_CHARS = 8;

function valuesOf(text: string, spans: readonly SecretSpan[]): string[] {
  const values = new Set<string>();
  for (const { from, to, rule, isRest } of spans) {
    if (values.size >= MOST_VALUES) break;
    if (rule !== 'named' || isRest || to - from < LEAST_VALUE_CHARS) continue;
    const value = text.slice(from, to);
    if (/\d/.test(value) && /[A-Za-z]/.test(value) && !value.includes('\n')) values.add(value);
  }
  return [...values];
}

/** A rule, or another way to find secrets. */
interface Finder {
  rule?: SecretRule;
  keywords: readonly string[];
  trigger: Omit<Trigger, 'text'>;
  /** The lines around a keyword in which secrets may be. */
  reach: NonNullable<SecretRule['reach']>;
  /** Adds spans that begin between `from` and `to`. */
  find(text: string, from: number, to: number, spans: SecretSpan[]): void;
}

function finderOf(rule: SecretRule): Finder {
  const { keywords, starts, check, reach = 'near' } = rule;
  return {
    ...{ rule, keywords, trigger: { starts, check, exact: starts !== undefined } },
    reach,
    find: (text, from, to, spans) => match(text.slice(from, to), patternOf(rule), rule, spans, from),
  };
}

function finder(
  keywords: readonly string[],
  trigger: Finder['trigger'],
  find: (text: string) => readonly SecretSpan[] = () => [],
  reach: Finder['reach'] = 'near',
): Finder {
  return {
    ...{ keywords, trigger, reach },
    find(text, from, to, spans) {
      for (const span of find(text.slice(from, to)))
        spans.push({ ...span, from: span.from + from, to: span.to + from });
    },
  };
}

const IN_TOKEN = charSet(/[\w.+/=-]/);
const AFTER_NAME = charSet(/[\s\\"']/);
const GIVES = charSet(/[:=]/);

const isGiven = (chars: Uint8Array, _: number, end: number) =>
  GIVES[chars[behind(chars, end, AFTER_NAME)]!] === 1;

const NAMED: Finder = {
  ...{ keywords: SECRET_NAMES, trigger: { check: isNamed }, reach: 'line' },
  find(text, from, to, spans) {
    for (const span of namedSecrets(text, from, to)) spans.push({ ...span, rule: 'named' });
  },
};

const objects = (text: string) => objectSecrets(text).map((span) => ({ ...span, rule: 'kubernetes' }));
const listed = (text: string) => listedSecrets(text).map((span) => ({ ...span, rule: 'named' }));

// The class looks for these in the whole text.
const KEYS = finder(['PRIVATE KEY', 'PuTTY', 'Private-Lines'], { exact: true });
const WRAPPED = finder(
  TOKEN_STARTS,
  { exact: true, starts: true, check: (chars, _, end) => chars[behind(chars, end, IN_TOKEN)] === LF },
  undefined,
  'line',
);

const TABLES = finder(
  ['password', 'passwd', 'pwd', 'token', 'secret', 'api_key', 'apikey'],
  { check: isInCell },
  undefined,
  'line',
);

const FINDERS: readonly Finder[] = [
  ...[...SECRET_RULES, ...PUBLIC_RULES].map(finderOf),
  NAMED,
  finder(['cookie'], { check: isGiven }, cookies),
  finder(SECRET_OBJECTS, { exact: true }, objects, 'far'),
  finder(['value'], { check: isGiven }, listed),
  finder(['variable "'], {}, listed),
  ...[KEYS, WRAPPED, TABLES],
];

const ORDER: ReadonlyMap<Finder, number> = new Map(FINDERS.map((one, i) => [one, i]));

/** Parts of a text in which a finder may find something. */
interface Places {
  ranges: [from: number, to: number][];
  /** End of the last line with a keyword. */
  lineEnd: number;
}

let triggers: Triggers<Finder> | undefined;
/** In a shorter text, looking for each keyword is faster than making the triggers. */
const SHORT_CHARS = 1024;

/** Returns the finders that must look at the text, in their order. */
function placesIn(text: string): Map<Finder, Places> {
  if (text.length < SHORT_CHARS) {
    const lower = text.toLowerCase();
    const words = text.match(LONG_WORD)?.join(' ') ?? '';
    const whole: Places = { ranges: [[0, text.length]], lineEnd: text.length };
    const isIn = ({ keywords, trigger, rule }: Finder) => {
      const where = !trigger.exact ? lower : rule ? words : text;
      return keywords.some((keyword) => where.includes(keyword));
    };
    return new Map(FINDERS.filter(isIn).map((one) => [one, whole]));
  }
  if (triggers === undefined) {
    triggers = new Triggers();
    for (const one of FINDERS)
      for (const keyword of one.keywords) triggers.add(one, { ...one.trigger, text: keyword });
  }
  const places = new Map<Finder, Places>();
  triggers.find(charsOf(text), (one, at, end) => {
    const known = places.get(one);
    if (known && at < known.lineEnd) return;
    const lineEnd = endOfLine(text, end);
    const [from, to] = reached(text, at, lineEnd, one.reach);
    const last = known?.ranges.at(-1);
    if (known === undefined) places.set(one, { ranges: [[from, to]], lineEnd });
    else if (from <= last![1]) last![1] = to;
    else known.ranges.push([from, to]);
    if (known) known.lineEnd = lineEnd;
  });
  if (places.size < 2) return places;
  return new Map([...places].sort(([a], [b]) => ORDER.get(a)! - ORDER.get(b)!));
}

/** Lines, not counting blank ones, with what a rule matches before and behind its keyword's line. */
const LINES_BEFORE = 2;
const LINES_BEHIND = 3;
const FAR_CHARS = 16 * 1024;

function reached(text: string, at: number, lineEnd: number, reach: Finder['reach']): [number, number] {
  if (reach === 'far')
    return [startOfLine(text, Math.max(0, at - FAR_CHARS)), endOfLine(text, at + FAR_CHARS)];
  let from = startOfLine(text, at);
  let to = lineEnd;
  if (reach === 'line') return [from, to];
  const isBlank = (index: number) => text.charCodeAt(index) <= 32;
  for (let lines = 0; lines < LINES_BEFORE && from > 0; lines += 1) {
    from -= 1;
    while (from > 0 && isBlank(from)) from -= 1;
    from = startOfLine(text, from);
  }
  for (let lines = 0; lines < LINES_BEHIND && to < text.length; lines += 1) {
    while (to < text.length && isBlank(to)) to += 1;
    to = endOfLine(text, to);
  }
  return [from, to];
}

/** The secrets that are masked in records and the files beside them, independent of settings. */
export const usualSecrets = new Secrets();

/** Most commands have none of these, nor a long word. */
const MAY_BE_SECRET =
  /\*{4}|token|secret|pass|key|auth|pwd|cookie|credential|curl|mask|:\/\/|["'\s][-/](?:[apwubPU]|rp)|[\w.-]{15}/i;

/** The command as a record has it, to compare an agent's own words with. */
export function recordedCommand(command: string): string {
  return MAY_BE_SECRET.test(command) ? usualSecrets.mask(command).text : command;
}

let made: { key: string; secrets: Secrets } | undefined;

/** Returns the same object for equal settings, which are read again for each request. */
export function secretsOf({ patterns, except }: RedactSettings): Secrets {
  const key = JSON.stringify([patterns, except]);
  if (made?.key !== key) made = { key, secrets: new Secrets({ patterns, except }) };
  return made.secrets;
}

const ESCAPE_SEQUENCE = /\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)|[@-Z\\-_])/g;

/** Replaces the spans by the mask; leaves line ends and escape sequences in them. */
export function maskSpans(text: string, spans: readonly SecretSpan[]): string {
  if (spans.length === 0) return text;
  const parts: string[] = [];
  let at = 0;
  for (const { from, to } of spans) {
    parts.push(text.slice(at, from));
    const secret = text.slice(from, to);
    let done = 0;
    if (secret.includes('\u001b')) {
      for (const { index, 0: sequence } of secret.matchAll(ESCAPE_SEQUENCE)) {
        parts.push(stars(secret.slice(done, index)), sequence);
        done = index + sequence.length;
      }
    }
    parts.push(stars(secret.slice(done)));
    at = to;
  }
  parts.push(text.slice(at));
  return parts.join('');
}

function stars(text: string): string {
  return text.replace(/[^\n\r]+/g, (run) => MASK.repeat(run.length));
}

const compiled = new Map<SecretRule, RegExp>();

/** Compiled when a text has its keyword: most never have one. */
function patternOf(rule: SecretRule): RegExp {
  const known = compiled.get(rule);
  if (known !== undefined) return known;
  const pattern = new RegExp(rule.pattern, rule.anyCase ? 'gi' : 'g');
  compiled.set(rule, pattern);
  return pattern;
}

function expression(source: string, flags: string): RegExp[] {
  try {
    return [new RegExp(source, flags)];
  } catch {
    return [];
  }
}

/** `at` is where the text begins in that of the spans. */
function match(text: string, pattern: RegExp, rule: MatchedRule, spans: SecretSpan[], at = 0): void {
  const isOwn = rule === OWN_RULE;
  pattern.lastIndex = 0;
  for (let found = pattern.exec(text); found; found = pattern.exec(text)) {
    if (pattern.lastIndex === found.index) {
      pattern.lastIndex += 1;
      continue;
    }
    const own = isOwn ? found[1] : undefined;
    let from =
      own === undefined
        ? found.index + (isOwn ? 0 : (found[1]?.length ?? 0))
        : text.indexOf(own, found.index);
    let to = own === undefined ? pattern.lastIndex : from + own.length;
    if (!isOwn && isQuoted(text, from, to)) [from, to] = [from + 1, to - 1];
    if (rule.entropy === undefined || entropyOf(text.slice(from, to)) > rule.entropy)
      spans.push({ from: at + from, to: at + to, rule: rule.name });
  }
}

function isQuoted(text: string, from: number, to: number): boolean {
  return to - from > 2 && (text[from] === '"' || text[from] === "'") && text[to - 1] === text[from];
}

/** Shannon's, in bits for each character. */
function entropyOf(text: string): number {
  const counts = new Map<string, number>();
  for (const character of text) counts.set(character, (counts.get(character) ?? 0) + 1);
  const shares = [...counts.values()].map((count) => count / text.length);
  return -shares.reduce((sum, share) => sum + share * Math.log2(share), 0);
}

const NO_SECRET = new RegExp(
  String.raw`^(?:[*\u2022]+|${VARIABLE}|%[a-zA-Z(%{].*|<.*|\{.*|\[.*|\.{2,}|[xX]+|null|none|undefined|[Bb]asic|[Bb]earer|[Tt]oken|.*EXAMPLE(?:KEY)?)$`,
);

/** Something that stands for a secret: a mask, a variable, a template, a documentation's example. */
function isPlaceholder(text: string, from: number, to: number): boolean {
  return to - from < 512 && NO_SECRET.test(text.slice(from, to));
}

/** Joins spans that overlap. A key in several parts counts once. */
function merge(spans: readonly SecretSpan[]): SecretSpan[] {
  const merged: SecretSpan[] = [];
  for (const span of spans.toSorted((a, b) => a.from - b.from || b.to - a.to)) {
    const last = merged.at(-1);
    if (last && span.from < last.to) last.to = Math.max(last.to, span.to);
    else merged.push({ ...span });
  }
  return merged;
}

const COOKIES = /\b(?:set-)?cookie(?:\\?["'])?\s*[:=]\s*(?:\\?["'])?/gi;
/** A name with its value, or a word in their place. */
const COOKIE = /([\w.$!#%&'*+^`|~-]{1,128}=)?([^;\s"'\\,]{1,4096})(?:;[ \t]*)?/y;
/** A shorter value is a flag or a language. */
const LEAST_COOKIE_CHARS = 4;
const COOKIE_ATTRIBUTE = /^(?:expires|max-age|domain|path|samesite|priority)=$/i;

function cookies(text: string): SecretSpan[] {
  const spans: SecretSpan[] = [];
  COOKIES.lastIndex = 0;
  while (COOKIES.exec(text)) {
    COOKIE.lastIndex = COOKIES.lastIndex;
    for (let one = COOKIE.exec(text); one; one = COOKIE.exec(text)) {
      const [, name, value = ''] = one;
      if (name === undefined && !one[0].includes(';')) break;
      if (name === undefined || COOKIE_ATTRIBUTE.test(name) || value.length < LEAST_COOKIE_CHARS) continue;
      const from = one.index + name.length;
      spans.push({ from, to: from + value.length, rule: 'cookie' });
    }
  }
  return spans;
}

// Private keys: a line that begins one, lines of base64, a line that ends it. Each line may have a prefix (a time, a
// number), and in JSON a key is one line with `\n` in it.

const KEY_BEGIN =
  /-{4,5} ?BEGIN (?:[A-Z0-9]+ ){0,3}PRIVATE KEY(?: BLOCK)? ?-{4,5}|PuTTY-User-Key-File|^Private-Lines: \d+/gm;
const KEY_END = /-{4,5} ?END (?:[A-Z0-9]+ ){0,3}PRIVATE KEY(?: BLOCK)? ?-{4,5}|^Private-MAC: /gm;
/** A key of 16,384 bits has 200 lines. */
const MOST_KEY_LINES = 220;
const KEY_RUN = /(?<!\\)[A-Za-z0-9+/]{16,}={0,3}|(?<!\\)=?[A-Za-z0-9+/]+={0,3}(?=[\s"'\\]*$)/g;
const KEY_HEADER =
  /(?:Proc-Type|DEK-Info|Version|Comment|Hash|Charset|Encryption|Public-Lines|Private-Lines|Subject):|^\W*$/;
const LINE_IN_KEY = /[A-Za-z0-9+/]{16,}={0,3}[\s"'\\]*$/;

/** A line whose meaning the line before may give: a value, a word alone, the end of a token. */
const MAY_GO_ON =
  /^\s*(?:- +)?["']?value["']?\s*[:=]|^[ \t]+(?:- +)?["']?[^\s"']{3,}["']?,?\s*$|^(?!\d{4}-\d\d)(?=[\w.+/=-]*[A-Za-z])(?=[\w.+/=-]*\d)[\w.+/=-]{4,}/i;
/** As in an object of Kubernetes, whose kind may be lines before or behind. */
const IN_OBJECT = /^[ \t]+"?[\w.-]+"?: "?[A-Za-z0-9+/]{8,}={0,2}"?,?\s*$/;
/** As `env` prints variables: one alone is told by those around it. */
const VARIABLE_LINE = /^(?:export |declare -x )?(?:[A-Z_][A-Z0-9_]*|npm_\w+)=|\s[A-Z_][A-Z0-9_]*=/;
const MOST_BEFORE_LINES = 20;
const MOST_BEHIND_LINES = 3;

/**
 * Returns how many lines around these may tell that there is a secret in them, and whether a table's header may.
 */
export function linesAround(text: string): { before: number; behind: number; header: boolean } {
  const row = text.slice(0, endOfLine(text, 0));
  const first = FIRST_IN_KEY.exec(text)?.[1] ?? row;
  const last = text.slice(text.lastIndexOf('\n') + 1);
  const run = /[A-Za-z0-9+/]{16,}={0,2}\s*$/.exec(first)?.[0];
  // A private key has no line that is hexadecimal; hashes are.
  const inKey = run !== undefined && !/^[0-9a-f]+\s*$/i.test(run);
  return {
    before: inKey
      ? MOST_KEY_LINES
      : [MAY_GO_ON, IN_OBJECT].some((one) => one.test(first) || one.test(row))
        ? MOST_BEFORE_LINES
        : Number(VARIABLE_LINE.test(row)),
    behind: IN_OBJECT.test(last)
      ? MOST_BEFORE_LINES
      : TOKEN_START.test(last)
        ? MOST_BEHIND_LINES
        : Number(VARIABLE_LINE.test(last)),
    header: rowCells(row) > 0,
  };
}

/** The first line behind the headers and blank lines with which the text of a key may begin. */
const FIRST_IN_KEY = /^(?:(?:[A-Z][\w-]{2,20}: [^\n]*|[ \t\r]*)\n){1,6}([^\n]*)/;

function privateKeys(text: string): SecretSpan[] {
  const spans: SecretSpan[] = [];
  const begins = [...text.matchAll(KEY_BEGIN)].map((one) => one.index + one[0].length);
  const ends = [...text.matchAll(KEY_END)].map((one) => one.index);
  // The text begins inside a key, as its end says.
  if (ends.length > 0 && (begins.length === 0 || begins[0]! > ends[0]!)) {
    const from = startOfKey(text, ends[0]!);
    keyBody(text, from, ends[0]!, spans, true);
  }
  for (const [i, begin] of begins.entries()) {
    const end = ends.find((one) => one >= begin);
    const next = begins[i + 1] ?? text.length;
    const isEnded = end !== undefined && end <= next;
    keyBody(text, begin, isEnded ? end : next, spans, isEnded);
  }
  return spans;
}

/** Where the lines of a key begin that end at `end`. */
function startOfKey(text: string, end: number): number {
  let from = text.lastIndexOf('\n', end) + 1;
  for (let lines = 0; from > 0 && lines < MOST_KEY_LINES; lines += 1) {
    const before = text.lastIndexOf('\n', from - 2) + 1;
    if (!LINE_IN_KEY.test(text.slice(before, from - 1)))
      return before === 0 && from > 1 ? firstRun(text, from) : from;
    from = before;
  }
  return from;
}

/** The first line may be cut in its middle. */
function firstRun(text: string, from: number): number {
  return /^[A-Za-z0-9+/]+={0,3}\s*$/.test(text.slice(0, from - 1)) ? 0 : from;
}

/** Adds the base64 of the key; where its end is not in the text, as long as lines look like it. */
function keyBody(text: string, begin: number, end: number, spans: SecretSpan[], isEnded: boolean): void {
  let at = begin;
  let last: SecretSpan | null = null;
  for (let lines = 0; at < end && lines <= MOST_KEY_LINES; lines += 1) {
    const newline = text.indexOf('\n', at);
    const lineEnd = newline < 0 || newline > end ? end : newline;
    const line = text.slice(at, lineEnd);
    const isHeader = KEY_HEADER.test(line);
    const isCut = lineEnd >= text.length && /^[A-Za-z0-9+/]+={0,3}\s*$/.test(line);
    if (!isEnded && lines > 0 && !isHeader && !isCut && !LINE_IN_KEY.test(line)) return;
    for (const run of isHeader ? [] : line.matchAll(KEY_RUN)) {
      const span: SecretSpan = {
        from: at + run.index,
        to: at + run.index + run[0].length,
        rule: 'private-key',
      };
      if (last !== null) span.isRest = true;
      spans.push(span);
      last = span;
    }
    at = lineEnd + 1;
  }
}

/** Most lines that one token is wrapped over. */
const MOST_WRAPPED_LINES = 40;
const WRAPPED_REST = /[\w.+/=-]+/y;
/** A line of fewer characters was not wrapped for its length. */
const LEAST_WRAPPED_CHARS = 20;

/** Returns the beginning of a token with which a line ends; null if there is none. */
function tokenStartAt(text: string, start: number, end: number): string | null {
  let from = end;
  while (from > start && IN_TOKEN[text.charCodeAt(from - 1)] === 1) from -= 1;
  return TOKEN_START.exec(text.slice(from, end))?.[0] ?? null;
}

/** Returns the rule of a token with which the text begins. */
function beginning(text: string): SecretRule | undefined {
  for (const { rule } of placesIn(text).keys()) {
    if (rule === undefined) continue;
    const pattern = patternOf(rule);
    pattern.lastIndex = 0;
    if (pattern.exec(text)?.index === 0) return rule;
  }
  return undefined;
}

function lineEnds(text: string, [from, to]: readonly [number, number]): number[] {
  const ends: number[] = [];
  for (let at = text.indexOf('\n', from); at >= 0 && at <= to; at = text.indexOf('\n', at + 1)) ends.push(at);
  return ends;
}

/** Finds tokens that were wrapped at the width of a terminal: what is on the next line belongs to them. */
function wrapped(text: string, lines: Places['ranges'], known: readonly SecretSpan[]): SecretSpan[] {
  const spans: SecretSpan[] = [];
  for (const newline of lines.flatMap((range) => lineEnds(text, range))) {
    const start = text.lastIndexOf('\n', newline - 1) + 1;
    if (newline - start < LEAST_WRAPPED_CHARS) continue;
    const found = tokenStartAt(text, start, newline);
    if (found === null) continue;
    const from = newline - found.length;
    if (known.some((span) => span.from <= from && span.to > from)) continue;
    const width = newline - start;
    let joined = found;
    let at = newline + 1;
    const pieces: [number, number][] = [[from, newline]];
    for (let lines = 0; lines < MOST_WRAPPED_LINES && at < text.length; lines += 1) {
      WRAPPED_REST.lastIndex = at;
      const rest = WRAPPED_REST.exec(text)?.[0];
      if (rest === undefined) break;
      joined += rest;
      pieces.push([at, at + rest.length]);
      if (rest.length < width || text[at + rest.length] !== '\n') break;
      at += rest.length + 1;
    }
    if (pieces.length < 2) continue;
    const rule = beginning(joined);
    for (const [i, [a, b]] of rule ? pieces.entries() : [])
      spans.push({ from: a, to: b, rule: rule!.name, ...(i > 0 ? { isRest: true as const } : {}) });
  }
  return spans;
}
