/**
 * Finds values whose name is a token's, password's, secret's or key's: `export DB_PASSWORD=…`, `"token": "…"`, `--api-key …`.
 * Many such values are harmless (`tokens: 4512`, `password: string`), so the value decides, too.
 */

import { LF } from '../text/codes.ts';
import { behind, charSet, startOf } from './triggers.ts';

const NAMES =
  /token|secret|passw(?:or)?d|passwort|kennwort|contrase[nñ]a|mot de passe|passphrase|passwd|(?:store|key)pass|\bpwd|_pwd|\bpsk\b|redis(?:cli)?_auth|credential|client-key-data|subscription-key|functions-key|instrumentationkey|api[-_.]?key|access[-_.]?key|private[-_.]?key|auth[-_.]?key|signing[-_.]?key|encryption[-_.]?key|account[-_.]?key|master[-_.]?key|app(?:lication)?[-_.]?key|secret[-_.]?key|(?<=[A-Z0-9]_)(?:KEY|PASS|PWD|AUTH)(?![a-z])|(?<=\b(?:db|my|mysql|pg|ftp|smtp|mail|admin|root|user|user_?name|ssh)?)(?:PASS|PWD|PW)(?==)/gi;

const KEY_NAMES = [
  ...['api', 'access', 'private', 'auth', 'signing', 'encryption', 'account'],
  ...['master', 'app', 'application', 'secret'],
].flatMap((name) => ['', '-', '_', '.'].map((sign) => `${name}${sign}key`));
/** One of them is in each name, in lower case. */
export const SECRET_NAMES = [
  ...['token', 'secret', 'password', 'passwd', 'passphrase', 'credential', 'pwd'],
  ...['passwort', 'kennwort', 'contrase', 'mot de passe'],
  ...['_key', '_pass', '_auth', 'pass=', 'pw=', 'storepass', 'keypass', 'psk'],
  ...['client-key-data', 'subscription-key', 'functions-key', 'instrumentationkey'],
  ...KEY_NAMES,
];

const IN_NAME = charSet(/[\w.é-]/);
const BEFORE_SIGN = charSet(/[\\"'`\] \t]/);
const SIGN = charSet(/[=:>,|]/);
const BLANK = charSet(/[ \t]/);
const MINUS = 45;
const OPENS_ELEMENT = charSet(/[<:]/);
/** The last letters of `ENV`, `set`, `setx` and `config`. */
const ENDS_SETTER = charSet(/[VtxgTXG]/);
const QUOTE = charSet(/["'\\]/);

/** Whether a value may be behind the name that the keyword is part of. */
export function isNamed(chars: Uint8Array, at: number, end: number): boolean {
  const nameEnd = behind(chars, end, IN_NAME);
  const isBlank = BLANK[chars[nameEnd]!] === 1;
  if (chars[end - 1] === EQUALS || (isBlank && isBeforeBlank(chars, at))) return true;
  const to = behind(chars, nameEnd, BEFORE_SIGN);
  // `password 'x'`, and `DB_PASSWORD   x` in a table.
  if (isBlank && (QUOTE[chars[to - 1]!] === 1 || to - end > 1)) return true;
  return SIGN[chars[to]!] === 1;
}

const EQUALS = 61;

function beginsLine(chars: Uint8Array, at: number): boolean {
  const from = startOf(chars, at, BLANK);
  return from === 0 || chars[from - 1] === LF;
}

/** An option, an element, the first word of a line, or what a command or a Dockerfile sets. */
function isBeforeBlank(chars: Uint8Array, at: number): boolean {
  const from = startOf(chars, at, IN_NAME);
  return (
    chars[from] === MINUS ||
    OPENS_ELEMENT[chars[from - 1]!] === 1 ||
    beginsLine(chars, from) ||
    (BLANK[chars[from - 1]!] === 1 && ENDS_SETTER[chars[from - 2]!] === 1)
  );
}

/** The name says that the value is about a secret, but none. */
const NO_SECRET_NAME =
  /^(?:iz|is[ei])|^s?[-_.]?(?:files?|path|dir|folder|ur[li]s?|uri|names?|types?|ids?|arn|counts?|len(?:gth)?|size|ttl|expir\w*|version|hash_?alg\w*|algorithm|provider|manager|refs?|endpoint|policy|fields?|header|limits?|usage|index|kind|format|prefix|suffix|class|budget|mode|env|var|source|store|status|state|rotation|scopes?|issuer|audience|per|used|left|total|rate|cost|cache|window|stream|parser|request|service|filter|error|exception|required|enabled|valid\w*|exists|set|max|min|alias|encrypt(?:ion|ed)|less|strength|hint|label|placeholder|prompt|reset|changed?|visible|form|text|stdin)(?![a-z])/i;
const NO_SECRET_BEFORE =
  /(?:public|cache|cached|sort|primary|foreign|partition|host|row|max|(?<!ad)min|num|total|input|output|prompt|completion|context|new|unexpected|next|prev|csrf_?name|keyboard|publishable|restore|object|s3)[-_. ]?$/i;

/** Quotes are escaped in JSON within JSON. */
const SEPARATOR =
  /\\{0,7}["'`]?\]?[ \t]{0,40}(=>|:=|=(?!=)|:(?!:)|(?:[ \t][^<>\n]{1,200})?>(?=[^<>\s]+<\/)|>\s{1,80}(?=[^<>\s]{1,4096}\s{1,80}<\/)|,[ \t]*(?=["'])|\|(?= ))[ \t]{0,40}(?:\\\r?\n[ \t]{0,40})?(?:(?:Some|Just|Secret\w*|Sensitive\w*|Password)\((?=["'`]))?(\\{0,7}["'`])?/y;
/** A line may end with a backslash in between. */
const AFTER_NAME = /[ \t]{1,60}(?:\\\r?\n[ \t]{0,60})?(\\{0,7}["'`])?(?=[^-\s])/y;
const BARE_VALUE = /[^\s"'`\\,;&|<>()[\]{}]{1,4096}/y;
/** The only word on the rest of its line, or in the last cell. */
const LAST_WORD = /[^\s"'`\\]{1,4096}(?<![,;:{}[\]()])(?=[ \t]*(?:\|+[ \t]*)?\r?(?:\n|$))/y;

/** A variable of a shell or a template's place. A password may begin with `$`, too. */
export const VARIABLE = String.raw`\$+(?!apr1\$|argon2)(?:[{(].*|[A-Za-z_]\w*(?:[^\w!?%&*+^~#@].*)?|[\d*@#?!-])?`;
/** Matches placeholders: values in the place of a secret. */
const PLACEHOLDER = new RegExp(
  String.raw`^(?:[*\u2022\u2588]+.*|x+|\.{2,}.*|[-_#?]+|<.*|\[.*|\{.*|${VARIABLE}|%.*|@.*|:.*|\(.*|![a-z/:!]*|0x[\da-f]{1,16}|null|nil|none|undefined|true|false|yes|no|on|off|n\/a|unset|empty|default|required|optional|redacted|masked|hidden|filtered|secret|password|passwd|token|change[-_]?me|placeholder|(?:your|my|some|the|an?|our)[-_].*|.*example.*|str(?:ing)?|text|bool(?:ean)?|int(?:eger)?|number|float|any|object|bytes?|void|self|this|auto|test|invalid|missing|expired|incorrect|wrong|valid|unknown|stdin|prompt|amd64|arm64|armhf|i386|noarch|x86_64)$`,
  'i',
);
/** Words that texts have in the place of a password. */
const SAID =
  /^(?:accepted|arguments?|authenticated|bcrypt|blank|changed|confirmed|correct|created|deleted|denied|different|disabled|doesn|enabled|encrypted|enter(?:ed)?|error|fail(?:ed|ure)?|field|file|flags?|format|from|generated?|given|hash(?:ed)?|hint|ignored|input|instead|kennwort|label|leaked|length|manual|match(?:es)?|mismatch|must|never|not|ok|options?|pass(?:ed)?|plain(?:text)?|policy|protected|random|rejected|removed|reset|restored?|same|saved|sensitive|short|should|skipped|sn?ame|stored|strong|success|supplied|updated|value|varchar|vault|verified|weak|when|will|with(?:out)?)$/i;
/** An expression, a path or an address: code and configuration name where the secret is. */
const REFERENCE =
  /^(?:[A-Za-z_$][\w$]*(?:(?:\.|::|->|\?\.)[A-Za-z_$][\w$]*)+|(?:[a-z]\w*\.){2,}[\w$.]+#[\w$.#:-]+|\.{0,2}\/(?:[\w.-]+\/)+[\w.-]*|~\/.*|[A-Za-z]:\\.*|(?:https?|file|ssm|arn|vault|op|secretsmanager|env|projects):?\/?.*[/:].*|process\.env.*|os\.environ.*|&.*)$/;
/** As objects of a cluster are named. */
const OBJECT_NAME = /^(?=.*(?:token|secret|credential))[a-z][a-z0-9]*(?:[-_.][a-z0-9]+)+$/;

interface Span {
  from: number;
  to: number;
}

/** Finds names between `from` and `to`. Their values may be on the lines behind. */
export function namedSecrets(text: string, from = 0, to = text.length): Span[] {
  const found: Span[] = [];
  const names = from === 0 && to === text.length ? text : text.slice(from, to);
  NAMES.lastIndex = 0;
  // A line may have thousands of names: its ends are looked for once.
  let line = startOfLine(text, from);
  let lineEnd = endOfLine(text, from);
  for (let name = NAMES.exec(names); name; name = NAMES.exec(names)) {
    const at = from + name.index;
    if (at > lineEnd) [line, lineEnd] = [startOfLine(text, at), endOfLine(text, at)];
    const spans = secretsAt(text, at, from + NAMES.lastIndex, line);
    found.push(...spans);
    if (spans.length > 0) NAMES.lastIndex = Math.max(NAMES.lastIndex, spans.at(-1)!.to - from);
    if (NAMES.lastIndex >= names.length) break;
  }
  return found;
}

const MOST_NAME_CHARS = 64;
/** Words that set the name behind them: `ENV NAME value`. */
const SETTER = /(?:\bENV|\bsetx?|\bconfig(?:ure)?)[ \t]+["']?(?:[^\s:]*:)?$/i;
const MOST_SETTER_CHARS = 80;
/** The variables of shells for it. */
const WORKING_FOLDER = /^(?:OLD)?PWD$/i;

/** `line`: where the name's line begins. */
function secretsAt(text: string, at: number, keywordEnd: number, line: number): Span[] {
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
    NO_SECRET_BEFORE.test(text.slice(start, at)) ||
    // The user of a URL.
    text.startsWith('://', start - 3)
  )
    return [];
  SEPARATOR.lastIndex = end;
  let separated = SEPARATOR.exec(text);
  let from = SEPARATOR.lastIndex;
  const place: Place = {
    ...{ name, keyword, sign: separated?.[1] ?? '=', quoted: false, isLast: false, wasSpaced: false },
    isOption: text[start] === '-',
    isFirst: FIRST_IN_LINE.test(text.slice(line, start)),
  };
  if (separated === null) {
    AFTER_NAME.lastIndex = end;
    separated = AFTER_NAME.exec(text);
    if (separated === null) return [];
    from = AFTER_NAME.lastIndex;
    const isSet = place.isOption || SETTER.test(text.slice(Math.max(line, start - MOST_SETTER_CHARS), start));
    const isQuoted = separated[1] !== undefined && /pass/i.test(keyword);
    const isAlone = /^passw(?:or)?d$/i.test(name);
    const mayBeCell = name === name.toUpperCase() || (rest === '' && (isAlone || separated[0].length > 1));
    place.isRow = !isSet && !isQuoted && place.isFirst && mayBeCell;
    if (!isSet && !isQuoted && !place.isRow) return [];
  } else if (text.startsWith('--', start)) place.sign = '=';
  else if (text[end] === '=' && isVariable(text, start, line))
    place.variable = { quote: /["']/.test(text[start - 1] ?? '') ? text[start - 1]! : null };
  // Fields of a line of CSV.
  else if (place.sign === ',') return [];
  // A cell beside one with a name.
  if (place.sign === '|' && !/^[A-Z][A-Z0-9_]*$/.test(name)) place.isRow = true;
  const quote = separated.at(-1);
  place.wasSpaced = /\s/.test(separated[0]);
  if (quote === undefined && place.sign === ':' && text[from] === '[') return inList(text, from + 1, place);
  if (quote === undefined && place.sign === ':' && place.isFirst) {
    const below = onLinesBelow(text, line, from, place);
    if (below !== null) return below;
  }
  const value = valueAt(text, from, quote, place);
  if (value === null) return [];
  const { to } = value;
  // As plans of changes have it.
  CHANGED.lastIndex = to;
  const changed = CHANGED.exec(text);
  const next = changed && valueAt(text, CHANGED.lastIndex, changed[1]!, place);
  return next ? [value, next] : [value];
}

/** Names of variables of the environment, as programs that print it have them. */
const ENVIRONMENT_NAME = /(?:[A-Z_][A-Z0-9_]*|npm_\w+)=/y;
/** A kernel's options look like one. */
const OPTION_NAME = /CONFIG_/y;

/** Whether the name at `start` is one of several lines of variables, as `env` prints them. */
function isVariable(text: string, start: number, line: number): boolean {
  const column = start - line;
  const before = text.slice(line, start);
  const isAt = (at: number) => {
    ENVIRONMENT_NAME.lastIndex = at;
    return ENVIRONMENT_NAME.test(text);
  };
  OPTION_NAME.lastIndex = start;
  if (!isAt(start) || OPTION_NAME.test(text) || !(FIRST_IN_LINE.test(before) || /\s$/.test(before)))
    return false;
  const next = text.indexOf('\n', start) + 1;
  return (next > 0 && isAt(next + column)) || (line > 0 && isAt(startOfLine(text, line - 1) + column));
}

const FIRST_IN_LINE = /^[ \t+~>$|-]*(?:export[ \t]+|set[ \t]+|declare[ \t]+-\w+[ \t]+)?["']?$/;
const CHANGED = /(?:\\{0,7}["'`])?[ \t]+[-=]>[ \t]+(\\{0,7}["'`])/y;

/** How a value is given. */
interface Place {
  name: string;
  keyword: string;
  /** Stands between a name and its value. */
  sign: string;
  quoted: boolean;
  wasSpaced: boolean;
  isOption: boolean;
  /** The name begins its line; the value is the rest of it. */
  isFirst: boolean;
  isLast: boolean;
  /** It is one of several variables of the environment. `quote`: around name and value. */
  variable?: { quote: string | null };
  /** Name and value are columns of a table. */
  isRow?: boolean;
  isItem?: boolean;
}

/** Returns the value at `from` if it is a secret. */
function valueAt(text: string, from: number, quote: string | undefined, place: Place): Span | null {
  const quoted = quote !== undefined;
  LAST_WORD.lastIndex = from;
  const isLast = !quoted && place.isFirst && LAST_WORD.test(text);
  if (place.isRow && !isLast) return null;
  const isWhole =
    isLast &&
    isPassword(place) &&
    (place.sign === ':' || place.name === place.name.toUpperCase()) &&
    !CODE.test(text.slice(from, LAST_WORD.lastIndex));
  const to = quoted
    ? quotedEnd(text, from, quote)
    : place.variable
      ? variableEnd(text, from, place.variable.quote)
      : isWhole
        ? LAST_WORD.lastIndex
        : bareEnd(text, from, isPassword(place) && place.sign === '=' && place.isFirst);
  if (to <= from) return null;
  const value = text.slice(from, to);
  if (WORKING_FOLDER.test(place.name) && value.startsWith('/')) return null;
  // A value that is called or indexed is code.
  if (!quoted && (text[to] === '(' || text[to] === '[')) return null;
  return isSecret(value, { ...place, quoted, isLast }) ? { from, to } : null;
}

function variableEnd(text: string, from: number, quote: string | null): number {
  if (quote !== null) return quotedEnd(text, from, quote);
  return from + text.slice(from, endOfLine(text, from)).trimEnd().length;
}

const CODE = /^[\w.$]+[([<]/;

/** In lists, secrets are mostly names. */
const isPassword = ({ keyword, isItem = false }: Place) =>
  (isItem ? /pass|kennwort|contrase|pw|psk/i : /pass|kennwort|contrase|secret|pw|psk|redis/i).test(keyword);

const LIST_ITEM = /[\s,]{0,80}(\\{0,7}["'`])/y;
const MOST_ITEMS = 100;

/** Returns the secrets of a list, behind its bracket. */
function inList(text: string, begin: number, place: Place): Span[] {
  const found: Span[] = [];
  let from = begin;
  for (let i = 0; i < MOST_ITEMS; i += 1) {
    LIST_ITEM.lastIndex = from;
    const quote = LIST_ITEM.exec(text)?.[1];
    if (quote === undefined) break;
    const at = LIST_ITEM.lastIndex;
    const value = valueAt(text, at, quote, { ...place, isItem: true });
    if (value) found.push(value);
    from = (value?.to ?? quotedEnd(text, at, quote)) + quote.length;
  }
  return found;
}

/** Nothing is behind the name, or a mark that lines follow. */
const BLOCK_BEGINS = /(?:[|>][-+\d]{0,2})?[ \t]*\r?\n/y;
const BLOCK_LINE = /([ \t]*)(- +)?(\\{0,7}["'`])?(?=\S)/y;
const MOST_BLOCK_LINES = 20;

/** Returns the secrets on the lines that belong to a name, further in than it; null if its value is beside it. */
function onLinesBelow(text: string, line: number, from: number, place: Place): Span[] | null {
  BLOCK_BEGINS.lastIndex = from;
  if (!BLOCK_BEGINS.test(text)) return null;
  const found: Span[] = [];
  const indent = /^[ \t]*(?:- +)?/.exec(text.slice(line, from))![0].length;
  let at = BLOCK_BEGINS.lastIndex;
  for (let lines = 0; lines < MOST_BLOCK_LINES && at > 0; lines += 1) {
    BLOCK_LINE.lastIndex = at;
    const [, blanks, item, quote] = BLOCK_LINE.exec(text) ?? [];
    if (blanks === undefined || blanks.length < indent + (item ? 0 : 1)) break;
    const value = valueAt(text, BLOCK_LINE.lastIndex, quote, { ...place, isItem: item !== undefined });
    // Other names, or a sentence.
    if (value === null) break;
    found.push(value);
    at = text.indexOf('\n', value.to) + 1;
  }
  return found;
}

/** More of a password behind a comma in it; no other field, nor a list's next item. */
const BEHIND_COMMA = /,[^\s"'`,;&|<>()[\]{}=:]{1,64}(?=[ \t\r]*(?:\n|$))/y;

function bareEnd(text: string, from: number, mayHaveComma: boolean): number {
  BARE_VALUE.lastIndex = from;
  if (!BARE_VALUE.test(text)) return from;
  BEHIND_COMMA.lastIndex = BARE_VALUE.lastIndex;
  if (mayHaveComma && BEHIND_COMMA.test(text)) return BEHIND_COMMA.lastIndex;
  // A sentence goes on.
  return text[BARE_VALUE.lastIndex - 1] === '.' ? BARE_VALUE.lastIndex - 1 : BARE_VALUE.lastIndex;
}

const MOST_VALUE_CHARS = 4096;

/** Without an end on its line, a quote ends with the line. */
function quotedEnd(text: string, from: number, quote: string): number {
  const line = text.indexOf('\n', from);
  const last = Math.min(line < 0 ? text.length : line, from + MOST_VALUE_CHARS);
  for (let end = text.indexOf(quote, from); end >= 0 && end <= last; end = text.indexOf(quote, end + 1))
    if (text[end - 1] !== '\\') return end;
  return last;
}

/** Words, as in a message, a form or a type. */
const WORDS = /^[A-Za-z]+(?:[-_ .:/][A-Za-z]+)*[.!?:…]*$/;

/** A path, an address or a reference to one. */
const ELSEWHERE = /^(?:\.{0,2}\/|~\/|[A-Za-z]:\\|[a-z][a-z0-9+.-]*:\/\/|arn:)/;

/** Whether the value of a variable with a secret's name is a secret: all is, but what stands for one. */
function isSecretVariable(value: string, { name, keyword }: Place): boolean {
  if (value.length < 2 || PLACEHOLDER.test(value) || ELSEWHERE.test(value)) return false;
  // A count, as in `MAX_TOKENS=4096`.
  return !/^[\d.]*$/.test(value) || (value.length >= 4 && name.endsWith(keyword));
}

function isSecret(value: string, place: Place): boolean {
  if (place.variable) return isSecretVariable(value, place);
  const { name, keyword, sign, quoted, wasSpaced, isOption, isLast, isRow } = place;
  if (value.length < 3 || PLACEHOLDER.test(value)) return false;
  if (REFERENCE.test(value) && !/[0-9a-f]{32}\./.test(value)) return false;
  const lower = value.toLowerCase();
  if (lower === name.toLowerCase()) return false;
  const mayBeShort = isPassword(place);
  const isUpper = name === name.toUpperCase();
  const isEnvironment = isUpper && sign === '=' && !wasSpaced;
  const isAssigned = sign === '=' && !wasSpaced;
  const hasDigit = /\d/.test(value);
  const hasLetter = /[A-Za-z]/.test(value);
  if (isRow) return hasDigit && hasLetter && value.length >= 6 && !VERSION.test(value);
  if (!hasLetter) {
    // Counts, times and sizes.
    if (/^[\d.,:%+-]*$/.test(value))
      return (
        mayBeShort &&
        value.length >= (isEnvironment || quoted ? 4 : isAssigned ? 6 : Number.POSITIVE_INFINITY)
      );
    return mayBeShort && value.length >= 4;
  }
  // Quoted, a passphrase may have blanks; a sentence has no digit among its words.
  if (/\s/.test(value))
    return (
      mayBeShort && value.length <= 80 && (isEnvironment || (quoted && (hasDigit || isPassphrase(value))))
    );
  if (!/pass/i.test(keyword) && OBJECT_NAME.test(value)) return false;
  if (!hasDigit && WORDS.test(value)) {
    if (/passw|secret|token|credential|login|user/i.test(value) || value.length < 4) return false;
    if (isMixed(value)) return true;
    if (!mayBeShort) return false;
    if (isEnvironment) return true;
    if (isAssigned && value.length >= 6 && (/^[a-z]/.test(value) || /[a-z][A-Z].*[a-z][A-Z]/.test(value)))
      return true;
    // A single word counts in places that hold values only.
    const isGiven =
      isOption ||
      (quoted && sign[0] !== ',') ||
      (isLast && sign === ':' && (isUpper || /^[a-z]/.test(value)));
    return (
      isGiven &&
      name !== 'pass' &&
      /pass|pw|psk/i.test(keyword) &&
      /^[A-Za-z]*[a-z](?:-[a-z]+)*$/.test(value) &&
      !SAID.test(value)
    );
  }
  if (/^(?:KEY|PASS|PWD|AUTH)$/i.test(keyword) && !mayBeShort)
    return isEnvironment && value.length >= 12 && hasDigit && distinct(value) >= 8;
  if (mayBeShort) return value.length >= 4;
  // A parser's token: `ident_123`.
  if (/^[a-z]+[-_]\d{1,4}$/.test(value)) return false;
  return value.length >= 8 && hasDigit && distinct(value) >= 6;
}

/** Words of letters alone, none of which a sentence needs. */
const PASSPHRASE = /^[a-z]{3,12}(?:[ -][a-z]{3,12}){3,7}$/;
const IN_SENTENCE =
  /\b(?:the|and|for|you|your|our|this|that|must|can|was|are|has|have|not|please|use|used|with|from|when|new|old|may|should|will|does|type|least|characters?|password|any|one|all|per|invalid|incorrect|wrong|expired|required|(?:mis)?match|changed|updated|failed|reset)\b/;

const isPassphrase = (value: string): boolean => PASSPHRASE.test(value) && !IN_SENTENCE.test(value);

const VERSION = /^v?\d+(?:\.\d+)+/;

/** Letters as no word mixes them. */
function isMixed(value: string): boolean {
  if (!/[a-z]/.test(value)) return false;
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

// Names and values that are apart: fields of one object, and columns.

/** Objects of Kubernetes whose values are secrets, whatever their names: in YAML, and in JSON, perhaps within JSON. */
export const SECRET_OBJECTS = [
  'kind: Secret',
  '"kind": "Secret"',
  '"kind":"Secret"',
  '\\"kind\\":\\"Secret\\"',
];
const YAML_KIND = /^([ \t]*(?:- )?)kind: Secret[ \t\r]*$/gm;
const YAML_LINE = /^([ \t]*(?:- )?)([^\n]*)$/;
const YAML_VALUE = /^([\w.-]+:[ \t]*|(?![\w.-]+:\s))(?![|>][-+\d]*\s*$)(\S.*?)[ \t\r]*$/;
const JSON_Q = String.raw`\\{0,3}"`;
const JSON_VALUES = String.raw`\s*:\s*\{([^{}]*)\}`;
const JSON_KIND = String.raw`${JSON_Q}kind${JSON_Q}\s*:\s*${JSON_Q}Secret${JSON_Q}`;
/** A field of the object that may stand between its kind and its data. */
const JSON_FIELD = String.raw`\s*,\s*${JSON_Q}(?:metadata${JSON_Q}\s*:\s*\{(?:[^{}]|\{[^{}]*\})*\}|(?:apiVersion|immutable|type)${JSON_Q}[^,{}]*)`;
/** Where fields are sorted, `data` stands before the kind, and `stringData` behind it. */
const JSON_OBJECT = new RegExp(
  String.raw`${JSON_Q}data${JSON_Q}${JSON_VALUES}\s*,\s*(?:${JSON_Q}immutable${JSON_Q}[^,]*,\s*)?${JSON_KIND}` +
    String.raw`|${JSON_KIND}(?:${JSON_FIELD}){0,4}\s*,\s*${JSON_Q}(?:stringData|data)${JSON_Q}${JSON_VALUES}`,
  'g',
);
const JSON_VALUE = new RegExp(String.raw`:\s*${JSON_Q}([^"\\]+)`, 'g');

export function objectSecrets(text: string): Span[] {
  const found: Span[] = [];
  let end = 0;
  // One object has one kind.
  for (const { index, 1: indent } of text.matchAll(YAML_KIND))
    if (index >= end) end = yamlValues(text, index, indent!.length, end, found);
  for (const { index, 0: all, 1: before, 2: behind } of text.matchAll(JSON_OBJECT)) {
    const values = before ?? behind!;
    const start = index + (before === undefined ? all.length - values.length - 1 : all.indexOf(values));
    for (const { index: at, 0: value, 1: secret } of values.matchAll(JSON_VALUE)) {
      const to = start + at + value.length;
      found.push({ from: to - secret!.length, to });
    }
  }
  return found;
}

/**
 * Adds what stands below `data` and `stringData` of the object that has a line at `at` with so much before its first
 * name. It begins at `least` or behind. Returns where it ends.
 */
function yamlValues(text: string, at: number, indent: number, least: number, found: Span[]): number {
  let begin = at;
  while (begin > least) {
    const before = text.lastIndexOf('\n', begin - 2) + 1;
    const [, blanks, rest] = YAML_LINE.exec(text.slice(before, begin - 1))!;
    if (text.startsWith('- ', begin + indent - 2) || rest === '---' || blanks!.length < indent) break;
    begin = before;
  }
  let isData = false;
  let line = begin;
  for (; line < text.length; line = endOfLine(text, line) + 1) {
    const [, blanks, rest] = YAML_LINE.exec(text.slice(line, endOfLine(text, line)))!;
    const isNext = line > at && blanks!.endsWith('- ') && blanks!.length <= indent;
    if (rest === '---' || isNext || (rest !== '' && blanks!.length < indent)) break;
    if (blanks!.length === indent) isData = /^(?:data|stringData):\s*$/.test(rest!);
    const field = isData && blanks!.length > indent ? YAML_VALUE.exec(rest!) : null;
    if (field === null) continue;
    const from = line + blanks!.length + field[1]!.length;
    found.push({ from, to: from + field[2]!.length });
  }
  return line;
}

/** A variable as lists of an environment have it: its name and its value are fields of one object. */
const LISTED =
  /(?:\b(?:name|key)\\?["']?\s{0,4}[:=]\s{0,4}\\?["']?([\w.-]{3,64})\\?["']?[\s,]{1,40}|["']([\w.-]{3,64})\\?["']\s{0,4}:?\s{0,4}\{[^{}]{0,300}?)\\?["']?\b(?:value|default)\\?["']?\s{0,20}[:=][ \t]{0,4}\\?["']?([^\s"'\\,}]{3,4096})/gi;

export function listedSecrets(text: string): Span[] {
  return [...text.matchAll(LISTED)].flatMap(({ index, 0: all, 1: name, 2: member, 3: value }) => {
    if (namedSecrets(`${name ?? member}="${value}"`).length === 0) return [];
    const to = index + all.length;
    return [{ from: to - value!.length, to }];
  });
}

const DELIMITER = charSet(/[,;|\t]/);
const AROUND_CELL = charSet(/["' \r]/);
const IN_CELL = IN_NAME.map((inName, char) => inName | AROUND_CELL[char]!);

/** Whether the keyword is in a cell of a table's header. */
export function isInCell(chars: Uint8Array, at: number, end: number): boolean {
  const from = startOf(chars, at, IN_CELL) - 1;
  const to = behind(chars, behind(chars, end, IN_NAME), AROUND_CELL);
  const [begins, ends] = [from < 0 || chars[from] === LF, chars[to] === LF || chars[to] === undefined];
  const [follows, goesOn] = [DELIMITER[chars[from]!] === 1, DELIMITER[chars[to]!] === 1];
  return (follows && (goesOn || ends)) || (begins && goesOn) || (begins && isAligned(chars, at, end));
}

/** With several blanks beside it, as in tables without delimiters. */
function isAligned(chars: Uint8Array, at: number, end: number): boolean {
  const to = behind(chars, end, IN_NAME);
  const isApart = (one: number) => BLANK[chars[one]!] === 1 && BLANK[chars[one + 1]!] === 1;
  return isApart(to) || isApart(startOf(chars, at, IN_NAME) - 2);
}

/** A cell may be quoted, with delimiters in it. */
const CELL = /[ \r]*(?:"((?:[^"\n]|"")*)"[ \t]*(?=[,;|\t\r\n]|$)|([^,;|\t\n]*))/y;
const HEADER_CELL = /^[A-Za-z_][\w.-]{0,40}$/;
const TABLE_RULE = /^[-+|=: \t]+$/;

interface Cell {
  from: number;
  value: string;
}

/** Returns the cells of the line that begins at `start`; empty cells at its ends do not count. */
function cellsOf(text: string, start: number, end: number): Cell[] {
  const cells: Cell[] = [];
  for (let at = start; at <= end; at = CELL.lastIndex + 1) {
    CELL.lastIndex = at;
    const cell = CELL.exec(text);
    if (cell === null || CELL.lastIndex > end) break;
    const given = cell[1] ?? cell[2]!;
    const value = given.trim();
    cells.push({ from: text.indexOf(value, at), value });
  }
  const isEmpty = (cell: Cell | undefined) => cell?.value === '';
  if (isEmpty(cells[0]) && isEmpty(cells.at(-1))) return cells.slice(1, -1);
  return cells;
}

/** The columns of a table; `starts`: where they begin, if only blanks are between them. */
interface Columns {
  names: string[];
  starts?: number[];
}

const ALIGNED_NAME = /[A-Z][A-Z0-9_.()%/-]*(?: [A-Z0-9_.()%/-]+)*/g;
const ALIGNED_HEADER = new RegExp(
  `^(?:(?:${ALIGNED_NAME.source}(?: {2,}|[ \\t\\r]*$)){2,}|(?:[a-z][a-z0-9_]*(?: {2,}|[ \\t\\r]*$)){2,})$`,
);

/** Returns the columns, if the line is a table's header with a secret's name in it. */
function secretColumns(text: string, start: number, end: number): Columns | null {
  const line = text.slice(start, Math.min(end, start + MOST_HEADER_CHARS));
  let columns: Columns;
  if (ALIGNED_HEADER.test(line)) {
    const cells = [...line.matchAll(/^[a-z]/.test(line) ? /\w+/g : ALIGNED_NAME)];
    columns = { names: cells.map(([name]) => name), starts: cells.map(({ index }) => index) };
  } else {
    // An indented list is code.
    if (/^[ \t]/.test(line) && !line.includes('|')) return null;
    columns = { names: cellsOf(line, 0, line.length).map(({ value }) => value) };
    if (columns.names.length < 2 || !columns.names.every((name) => HEADER_CELL.test(name))) return null;
  }
  const isSecretName = (name: string) => namedSecrets(`${name}="Zx9kQ7vLmWp2"`).length > 0;
  return columns.names.some(isSecretName) ? columns : null;
}

const MOST_HEADER_CHARS = 2000;

/** Returns the cells of the row; null if the line is none of the table. */
function rowOf(text: string, at: number, end: number, { names, starts }: Columns): Cell[] | null {
  if (isTableRule(text.slice(at, end))) return [];
  if (starts === undefined) {
    const cells = cellsOf(text, at, end);
    return cells.length === names.length || cells.length === 0 ? cells : null;
  }
  const line = text.slice(at, end);
  if (starts.some((start) => start > 0 && start < line.length && line[start - 1] !== ' ')) return null;
  return starts.map((start, i) => {
    const value = line.slice(start, starts[i + 1]).trim();
    // A word or a count is none.
    return {
      from: at + start,
      value: (/\d/.test(value) && /[A-Za-z]/.test(value)) || isMixed(value) ? value : '',
    };
  });
}

export const isTableRule = (line: string): boolean => TABLE_RULE.test(line);

/** Returns the secrets in the rows behind the headers that begin between `from` and `to`. */
export function inColumns(text: string, from: number, to: number): Span[] {
  const found: Span[] = [];
  eachRow(text, from, to, (cells, { names }) => {
    for (const [i, { from: start, value }] of cells.entries())
      if (namedSecrets(`${names[i]}="${value.replaceAll('"', "'")}"`).length > 0)
        found.push({ from: start, to: start + value.length });
  });
  return found;
}

/** Returns the header of the table that goes on behind these lines; else an empty text. */
export function headerIn(lines: string): string {
  if (!SECRET_HEADER.test(lines)) return '';
  const at = eachRow(lines, 0, lines.length, () => {});
  return at === null ? '' : `${lines.slice(at, endOfLine(lines, at))}\n`;
}

const SECRET_HEADER = /pass|pwd|token|secret|key/i;

/** A line is no header below a row with as many cells. */
function isBelowRow(text: string, at: number, { names, starts }: Columns): boolean {
  if (starts !== undefined || at === 0) return false;
  const above = text.slice(startOfLine(text, at - 1), at - 1);
  return !isTableRule(above) && cellsOf(above, 0, above.length).length === names.length;
}

/** Calls `each` for rows of tables whose headers begin from `from` to `to`. Returns the last one's, if it is open. */
function eachRow(
  text: string,
  from: number,
  to: number,
  each: (cells: Cell[], columns: Columns) => void,
): number | null {
  let columns: Columns | null = null;
  let header = from;
  for (let at = from; at < text.length && (columns !== null || at <= to); ) {
    const end = endOfLine(text, at);
    const cells = columns && rowOf(text, at, end, columns);
    if (cells === null) {
      columns = at <= to ? secretColumns(text, at, end) : null;
      if (columns && isBelowRow(text, at, columns)) columns = null;
      header = at;
    } else each(cells, columns!);
    at = end + 1;
  }
  return columns === null ? null : header;
}

/** How many cells the line has, if it may be a row of a table: 1 in a table without delimiters, 0 if it is none. */
export function rowCells(line: string): number {
  if (/^\s*[{[<]/.test(line)) return 0;
  if (isTableRule(line)) return 1;
  const { length } = cellsOf(line, 0, line.length);
  return length > 1 ? length : /\S {2,}\S/.test(line) ? 1 : 0;
}

export const startOfLine = (text: string, at: number): number => text.lastIndexOf('\n', at - 1) + 1;

export function endOfLine(text: string, at: number): number {
  const end = text.indexOf('\n', at);
  return end < 0 ? text.length : end;
}
