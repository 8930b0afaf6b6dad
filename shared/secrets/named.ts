/**
 * Finds values whose name is a token's, password's, secret's or key's: `export DB_PASSWORD=…`, `"token": "…"`, `--api-key …`.
 * Many such values are harmless (`tokens: 4512`, `password: string`), so the value decides, too.
 */

import { charSet } from './triggers.ts';

const NAMES =
  /token|secret|passw(?:or)?d|passphrase|passwd|\bpwd|_pwd|credential|api[-_.]?key|access[-_.]?key|private[-_.]?key|auth[-_.]?key|signing[-_.]?key|encryption[-_.]?key|account[-_.]?key|master[-_.]?key|app(?:lication)?[-_.]?key|secret[-_.]?key|(?<=[A-Z0-9]_)(?:KEY|PASS|PWD|AUTH)(?![a-z])|(?<=\b(?:db|my|mysql|pg|ftp|smtp|mail|admin|root|user|user_?name|ssh)?)(?:PASS|PWD|PW)(?==)/gi;

const KEY_NAMES = [
  ...['api', 'access', 'private', 'auth', 'signing', 'encryption', 'account'],
  ...['master', 'app', 'application', 'secret'],
].flatMap((name) => ['', '-', '_', '.'].map((sign) => `${name}${sign}key`));
/** One of them is in each name, in lower case. */
export const SECRET_NAMES = [
  ...['token', 'secret', 'password', 'passwd', 'passphrase', 'credential', 'pwd'],
  ...['_key', '_pass', '_auth', 'pass=', 'pw='],
  ...KEY_NAMES,
];

const IN_NAME = charSet(/[\w.-]/);
const BEFORE_SIGN = charSet(/[\\"'`\] \t]/);
const SIGN = charSet(/[=:>,|]/);
const BLANK = charSet(/[ \t]/);
const MINUS = 45;
const OPENS_ELEMENT = charSet(/[<:]/);
const LAST_OF_ENV = 86;

/** Whether a value may be behind the name that the keyword is part of. */
export function isNamed(chars: Uint8Array, at: number, end: number): boolean {
  let to = end;
  while (IN_NAME[chars[to]!] === 1) to += 1;
  if (chars[end - 1] === EQUALS || (BLANK[chars[to]!] === 1 && isBeforeBlank(chars, at))) return true;
  while (BEFORE_SIGN[chars[to]!] === 1) to += 1;
  return SIGN[chars[to]!] === 1;
}

const EQUALS = 61;

/** An option, an element, or what a Dockerfile sets. */
function isBeforeBlank(chars: Uint8Array, at: number): boolean {
  let from = at;
  while (IN_NAME[chars[from - 1]!] === 1) from -= 1;
  return (
    (chars[from] === MINUS && chars[from + 1] === MINUS) ||
    OPENS_ELEMENT[chars[from - 1]!] === 1 ||
    (BLANK[chars[from - 1]!] === 1 && chars[from - 2] === LAST_OF_ENV)
  );
}

/** The name says that the value is about a secret, but none. */
const NO_SECRET_NAME =
  /^(?:iz|is[ei])|^s?[-_.]?(?:files?|path|dir|folder|ur[li]s?|uri|names?|types?|ids?|arn|counts?|len(?:gth)?|size|ttl|expir\w*|version|hash_?alg\w*|algorithm|provider|manager|refs?|endpoint|policy|fields?|header|limits?|usage|index|kind|format|prefix|suffix|class|budget|mode|env|var|source|store|status|state|rotation|scopes?|issuer|audience|per|used|left|total|rate|cost|cache|window|stream|parser|request|service|filter|error|exception|required|enabled|valid\w*|exists|set|max|min|alias)(?![a-z])/i;
const NO_SECRET_BEFORE =
  /(?:public|cache|cached|sort|primary|foreign|partition|host|row|max|min|num|total|input|output|prompt|completion|context|new|unexpected|next|prev|csrf_?name|keyboard|publishable|restore|object|s3)[-_. ]?$/i;

const SEPARATOR =
  /\\?["'`]?\]?[ \t]{0,8}(=>|:=|=(?!=)|:(?!:)|(?:[ \t][^<>\n]{1,200})?>(?=[^<>\s]+<\/)|,[ \t]+(?=["'])|\|(?= ))[ \t]{0,8}(\\?["'`])?/y;
const AFTER_OPTION = /[ \t]{1,4}(\\?["'`])?(?=[^-\s])/y;
const BARE_VALUE = /[^\s"'`\\,;&|<>()[\]{}]{1,4096}/y;

/** Matches placeholders: values in the place of a secret. */
const PLACEHOLDER =
  /^(?:[*•█]+.*|x+|\.{2,}.*|[-_#?]+|<.*|\[.*|\{.*|\$.*|%.*|@.*|:.*|\(.*|!.*|null|nil|none|undefined|true|false|yes|no|on|off|n\/a|unset|empty|default|required|optional|redacted|masked|hidden|filtered|secret|password|passwd|token|change[-_]?me|placeholder|(?:your|my|some|the|an?|our)[-_].*|.*example.*|str(?:ing)?|text|bool(?:ean)?|int(?:eger)?|number|float|any|object|bytes?|void|self|this|auto|test|invalid|missing|expired|incorrect|wrong|valid|unknown|stdin|prompt|amd64|arm64|armhf|i386|noarch|x86_64)$/i;
/** An expression, a path or an address: code and configuration name where the secret is. */
const REFERENCE =
  /^(?:[A-Za-z_$][\w$]*(?:(?:\.|::|->|\?\.)[A-Za-z_$][\w$]*)+|(?:[a-z]\w*\.){2,}[\w$.]+#[\w$.#:-]+|\.{0,2}\/(?:[\w.-]+\/)+[\w.-]*|~\/.*|[A-Za-z]:\\.*|(?:https?|file|ssm|arn|vault|op|secretsmanager|env|projects):?\/?.*[/:].*|process\.env.*|os\.environ.*|&.*)$/;

interface Span {
  from: number;
  to: number;
}

export function namedSecrets(text: string): Span[] {
  const found: Span[] = [];
  NAMES.lastIndex = 0;
  for (let name = NAMES.exec(text); name; name = NAMES.exec(text)) {
    const span = secretAt(text, name.index, NAMES.lastIndex);
    if (span === null) continue;
    found.push(span);
    NAMES.lastIndex = Math.max(NAMES.lastIndex, span.to);
  }
  return found;
}

const MOST_NAME_CHARS = 64;
/** In a Dockerfile, a blank may be between a name and its value. */
const DOCKER = 'ENV ';
/** The variables of shells for it. */
const WORKING_FOLDER = /^(?:OLD)?PWD$/;

function secretAt(text: string, at: number, keywordEnd: number): Span | null {
  let start = at;
  while (start > 0 && at - start < MOST_NAME_CHARS && isNameChar(text.charCodeAt(start - 1))) start -= 1;
  let end = keywordEnd;
  while (end < text.length && end - keywordEnd < MOST_NAME_CHARS && isNameChar(text.charCodeAt(end)))
    end += 1;
  const name = text.slice(start, end);
  const keyword = text.slice(at, keywordEnd);
  const rest = text.slice(keywordEnd, end);
  if (
    NO_SECRET_NAME.test(rest) ||
    /\.|^[-_]?\d+[-_]/.test(rest) ||
    NO_SECRET_BEFORE.test(text.slice(start, at))
  )
    return null;
  SEPARATOR.lastIndex = end;
  let separated = SEPARATOR.exec(text);
  let quote = separated?.[2];
  let from = SEPARATOR.lastIndex;
  const isOption = text.startsWith('--', start);
  if (separated === null) {
    if (!isOption && !text.startsWith(DOCKER, start - DOCKER.length)) return null;
    AFTER_OPTION.lastIndex = end;
    separated = AFTER_OPTION.exec(text);
    if (separated === null) return null;
    quote = separated[1];
    from = AFTER_OPTION.lastIndex;
  }
  const sign = isOption || separated[1] === undefined ? '=' : separated[1];
  // A cell beside one with the name of a variable.
  if (sign === '|' && !/^[A-Z][A-Z0-9_]*$/.test(name)) return null;
  const to = quote === undefined ? bareEnd(text, from) : quotedEnd(text, from, quote);
  if (to <= from) return null;
  const value = text.slice(from, to);
  if (WORKING_FOLDER.test(name) && value.startsWith('/')) return null;
  // A value that is called or indexed is code.
  if (quote === undefined && (text[to] === '(' || text[to] === '[')) return null;
  return isSecret(value, name, keyword, {
    quoted: quote !== undefined,
    sign,
    wasSpaced: /\s/.test(separated[0]),
  })
    ? { from, to }
    : null;
}

function bareEnd(text: string, from: number): number {
  BARE_VALUE.lastIndex = from;
  if (!BARE_VALUE.test(text)) return from;
  // A sentence goes on.
  return text[BARE_VALUE.lastIndex - 1] === '.' ? BARE_VALUE.lastIndex - 1 : BARE_VALUE.lastIndex;
}

const MOST_VALUE_CHARS = 4096;

/** Without an end on its line, a quote ends with the line. */
function quotedEnd(text: string, from: number, quote: string): number {
  const line = text.indexOf('\n', from);
  const last = Math.min(line < 0 ? text.length : line, from + MOST_VALUE_CHARS);
  for (let end = text.indexOf(quote, from); end >= 0 && end <= last; end = text.indexOf(quote, end + 1)) {
    if (quote.length > 1 || text[end - 1] !== '\\') return end;
  }
  return last;
}

interface Place {
  quoted: boolean;
  sign: string;
  wasSpaced: boolean;
}

function isSecret(value: string, name: string, keyword: string, { quoted, sign, wasSpaced }: Place): boolean {
  if (value.length < 3 || PLACEHOLDER.test(value) || REFERENCE.test(value)) return false;
  const lower = value.toLowerCase();
  if (lower === name.toLowerCase()) return false;
  const isPassword = /pass|secret|pw/i.test(keyword);
  const isEnvironment = name === name.toUpperCase() && sign === '=' && !wasSpaced;
  const isAssigned = sign === '=' && !wasSpaced;
  const hasDigit = /\d/.test(value);
  const hasLetter = /[A-Za-z]/.test(value);
  if (!hasLetter) {
    // Counts, times and sizes.
    if (/^[\d.,:%+-]*$/.test(value))
      return (
        isPassword &&
        value.length >= (isEnvironment || quoted ? 4 : isAssigned ? 6 : Number.POSITIVE_INFINITY)
      );
    return isPassword && value.length >= 4;
  }
  // Quoted, a passphrase may have blanks; a sentence has no digit among its words.
  if (/\s/.test(value)) return isPassword && value.length <= 80 && (isEnvironment || (quoted && hasDigit));
  // Words, as in a message, a form or a type.
  if (!hasDigit && /^[A-Za-z]+(?:[-_ .:/][A-Za-z]+)*[.!?:…]*$/.test(value)) {
    if (/passw|secret|token|credential|login|user/i.test(value) || value.length < 4) return false;
    if (isPassword)
      return (
        isEnvironment ||
        (isAssigned && value.length >= 6 && (/^[a-z]/.test(value) || /[a-z][A-Z].*[a-z][A-Z]/.test(value))) ||
        isMixed(value)
      );
    return isMixed(value);
  }
  if (/^(?:KEY|PASS|PWD|AUTH)$/i.test(keyword) && !isPassword)
    return isEnvironment && value.length >= 12 && hasDigit && distinct(value) >= 8;
  if (isPassword) return value.length >= 4;
  return value.length >= 8 && hasDigit && distinct(value) >= 6;
}

/** Letters as no word mixes them. */
function isMixed(value: string): boolean {
  const changes = value.match(/[a-z][A-Z]|[A-Z][a-z]{0,1}[A-Z]/g)?.length ?? 0;
  return value.length >= 20 ? changes >= 5 : value.length >= 12 && changes >= value.length / 4;
}

function distinct(value: string): number {
  return new Set(value.slice(0, 64)).size;
}

/** Letters, digits, `_`, `-` and `.`. */
function isNameChar(code: number): boolean {
  return (
    (code >= 48 && code <= 57) ||
    (code >= 65 && code <= 90) ||
    (code >= 97 && code <= 122) ||
    code === 95 ||
    code === 45 ||
    code === 46
  );
}
