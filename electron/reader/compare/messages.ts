/**
 * Reads a line as a message: the shape of what follows the prefix (time, job, thread), and the values that the
 * shape masks. Two lines with one key were printed by one statement; their values tell them apart.
 */
import { Buffer } from 'node:buffer';
import { isErrorLevel } from '../../../shared/text/levels.ts';
import { learnPrefix } from '../shapes/line-prefix.ts';
import { shapeOf } from '../shapes/shape.ts';

export interface Message {
  /** Level and shape; equal for lines of one statement. */
  readonly key: string;
  /** `E` at error level, `W` for a warning. */
  readonly mark: '' | 'W' | 'E';
  /** The line without its prefix, at most MOST_TEXT_CHARS. */
  readonly text: string;
  readonly isError: boolean;
  readonly values: readonly Value[];
  /** It has words, or names a file; a rule or a lone number says nothing that could be new. */
  readonly speaks: boolean;
}

/** A masked part of a line. */
export interface Value {
  readonly text: string;
  /** Which of the shape's masked parts it is in. */
  readonly mask: number;
  /** Which of the message's values it is. */
  readonly slot: number;
  /**
   * `passing`: a time, a duration, a hash, a temporary path: it differs in every run. `measured`: a size, a rate,
   * `share`: a percentage: it differs a little. `number`: digits alone. `name`: anything with letters.
   */
  readonly kind: 'passing' | 'measured' | 'share' | 'number' | 'name';
  /** A number that words such as `failed` or `exit code` stand beside. */
  readonly tells: boolean;
}

/** Characters kept of a line. */
export const MOST_TEXT_CHARS = 400;
/** Bytes of a line that are read. A shape covers less. */
const MOST_LINE_BYTES = 2048;
/** How many messages are remembered by their text, as most lines of a command come again; at most twice as many. */
const LEAST_REMEMBERED = 16 * 1024;

export class MessageMaker {
  #remembered = new Map<string, Message>();
  #before = this.#remembered;
  /** The bytes of the last line, whose neighbours are mostly in them, too. */
  #buffer: Buffer = Buffer.alloc(0);

  /** Returns the message of a line of line text, UTF-8 from `start` up to `end`; null if it is blank. */
  of(bytes: Uint8Array, start: number, end: number): Message | null {
    const { buffer, byteOffset, byteLength } = bytes;
    const known = this.#buffer;
    if (known.buffer !== buffer || known.byteOffset !== byteOffset || known.byteLength !== byteLength)
      this.#buffer = Buffer.from(buffer, byteOffset, byteLength);
    const text = this.#buffer.toString('utf8', start, Math.min(end, start + MOST_LINE_BYTES));
    const { end: from, level } = STAMPS.of(text);
    const kept = text.slice(from, from + MOST_TEXT_CHARS).trimEnd();
    if (kept.trim() === '') return null;
    return this.ofText(kept, level === null ? '' : isErrorLevel(level) ? 'E' : level === 'warn' ? 'W' : '');
  }

  /** As `of`, from a line's text without its prefix, and its level. */
  ofText(text: string, mark: Message['mark']): Message {
    // No text begins with a tab and a mark: blanks before it were no part of its message.
    const id = mark === '' ? text : `\t${mark}${text}`;
    const known = this.#remembered.get(id);
    if (known) return known;
    if (this.#remembered.size >= LEAST_REMEMBERED) {
      this.#before = this.#remembered;
      this.#remembered = new Map();
    }
    const message = this.#before.get(id) ?? messageOf(text, mark);
    this.#remembered.set(id, message);
    return message;
  }
}

/**
 * Ids without a digit, which a shape does not mask: the hash in a bundler's `chunk-QWERTYUI.js`, the end of a pod's
 * `api-kqzjw`, hex behind `id=`, longer hex anywhere.
 */
const LETTER_ID =
  /(?<=[-.])(?=[a-z]*[A-Z]\w*[A-Z]\w*[A-Z])[\w-]{8}(?=\.(?:[cm]?js|css|json|html|map|wasm|svg|png|woff2?)\b)|(?<=[a-z\x01]-)[b-df-hj-np-tv-z]{5}(?![\w-])|(?<=\b(?:id|hash|commit|digest|revision|sha|trace|span)[=:])[a-f]{1,40}(?!\w)|(?<!\w)[a-f]{7,40}(?!\w)/g;
const LETTER_ID_MARK = '\x06';

/** Kept for this thread: what one text taught it helps with the next. */
export const messages = new MessageMaker();

const SEPARATORS = /[\s=:,;()[\]{}<>"'`|]+/;

export function wordsOf(key: string): string[] {
  return key.split(SEPARATORS).filter((word) => word !== '');
}

/** Returns a number for each word of a message: two messages that differ in this word alone have it in common. */
export function variantsOf(words: readonly string[]): number[] {
  const hashes = words.map((word, at) => hashOf(word, at));
  const all = hashes.reduce((sum, hash) => (sum + hash) | 0, words.length);
  return hashes.map((hash, at) => (Math.imul(all - hash, 0x9e3779b1) + at) | 0);
}

export function hashOf(text: string, seed = 0): number {
  let hash = 0x811c9dc5 ^ Math.imul(seed, 0x85ebca6b);
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return Math.imul(hash ^ (hash >>> 15), 0x85ebca6b);
}

/** Times, a CI's columns and levels in brackets: a prefix learnt from each text would differ between two of them. */
const STAMPS = learnPrefix([]);

function messageOf(text: string, mark: Message['mark']): Message {
  const bytes = Buffer.from(text);
  const { codes, masked } = shapeOf(bytes, 0, bytes.length);
  // Slices of a string cost less than decoded bytes.
  const isAscii = bytes.length === text.length;
  const characters = isAscii ? text : bytes.toString('latin1');
  const values = masked.flatMap(({ from, to }, mask) => {
    const value = isAscii ? text.slice(from, to) : bytes.toString('utf8', from, to);
    if (TIME.test(value)) return [];
    const after = characters.slice(to, to + 12);
    const before = characters.slice(Math.max(0, from - 24), from);
    // A row of numbers is one part of a shape, but a size and a duration beside it vary apart.
    const parts = BLANK.test(value) ? value.split(/\s+/, MOST_PARTS) : [value];
    return parts.map((text, i): Value => {
      const kind = kindOf(text, before, i < parts.length - 1 ? ` ${parts[i + 1]}` : after);
      const tells =
        kind === 'number' && parts.length === 1 && (TELLS_BEFORE.test(before) || TELLS_BEHIND.test(after));
      return { text, slot: mask * MOST_PARTS + i, mask, kind, tells };
    });
  });
  const shape = String.fromCharCode(...codes).replace(LETTER_ID, LETTER_ID_MARK);
  const hasWords = WORD.test(shape);
  const names = hasWords
    ? []
    : values.filter((value) => isName(masks(shape)[value.mask]) && !isNoName(value));
  // If a line only names a file, as a stack frame does, the name is the message.
  const named = names.map(({ text: value }) => value.replace(/\d+/g, '#')).join(' ');
  const speaks = hasWords || names.length > 0 || values.some(({ kind }) => kind === 'name');
  return {
    mark,
    key: `${mark}\t${shape}${named === '' ? '' : ` ${named}`}`,
    text,
    isError: mark === 'E',
    values,
    speaks,
  };
}

/** The codes of a shape's masked parts: 1 is a number's, 2 to 4 are those of paths, URLs and quoted words. */
const masks = (shape: string): string => shape.replace(/[^\x01-\x04]/g, '');
const isName = (mask = ''): boolean => mask > '\x01';
const isNoName = ({ text, kind }: Value): boolean => kind === 'passing' && !text.includes('/');

/** Values in a row that are told apart. */
const MOST_PARTS = 8;

/** Two letters of any script, as UTF-8. Bytes of box drawing do not count. */
const WORD = /[a-z]{2}|[\xc3-\xdf\xe3-\xf4][\x80-\xbf]/i;

/** Words before a number of failures, or before a status. */
const TELLS_BEFORE =
  /\b(?:fail(?:ed|ures?|ing)|errors?|exit(?:ed)?(?: with)?(?: code| status)?|exitcode|(?:exit|return|status)[ _-]?code|status|signal|missing|skipped|timeouts?)["']?\s?[:=(]?\s?["']?$/i;
const TELLS_BEHIND = /^ (?:tests? |\w+ )?(?:fail|error|missing|timed? ?out)/i;

const BLANK = /\s/;
const PLAIN_NUMBER = /^\d+$/;
/** How a unit begins. Most numbers have none. */
const UNIT = /^\s?[nuµmshdbkgt%]/i;
const TIME = /\d\d:\d\d|\d{4}[-/]\d\d[-/]\d\d|^[A-Z][a-z]{2} +\d/;
const DURATION = /^~?\d[\d.,]*(?:ns|[uµ]s|ms|s|secs?|m|mins?|h|hrs?|d)$|^(?:\d+(?:\.\d+)?(?:d|h|m|s|ms))+$/i;
const DURATION_UNIT = /^\s?(?:ns|[uµ]s|ms|s|sec(?:ond)?s?|min(?:ute)?s?|h(?:our)?s?|days?)\b/i;
/** Names a duration that was chosen, not taken. */
const SETS = /(?:timeout|interval|ttl|limit|delay|expir\w*|deadline|period|backoff)["']?\s?[:=]\s?["']?$/i;
const SHARE_UNIT = /^\s?%/;
const MEASURE = /^[\d.,]+(?:[kmgt]i?b?|b)(?:it|ytes)?(?:\/s)?$/i;
const MEASURE_UNIT = /^\s?(?:[kmgt]i?b\b|b(?:ytes)?\b|[kmgt]\b)/i;
/** A hash, an id: letters and digits mixed beyond what a name or a version has. */
const HASH =
  /(?:^|[-_.@:/])(?=[\da-z]*\d)(?=[\da-z]*[a-z])[\da-z]{7,}(?:$|[-_.@:/])|[\da-f]{8}-[\da-f]{4}-|0x[\da-f]{4,}/i;
export const isHash = (word: string): boolean => HASH.test(word);
const TEMPORARY =
  /(?:^|[/\\])(?:te?mp|_temp|temp|var\/folders|T)[/\\]|[/\\]\.?cache[/\\]|[-_.](?:\d{5,}|[\da-f]{8,})(?=$|[/\\.])/i;

function kindOf(text: string, before: string, after: string): Value['kind'] {
  const isPlain = PLAIN_NUMBER.test(text);
  if (!isPlain && DURATION.test(text)) return SETS.test(before) ? 'name' : 'passing';
  const hasUnit = UNIT.test(after);
  if (hasUnit && DURATION_UNIT.test(after)) return 'passing';
  if (!isPlain && (HASH.test(text) || TEMPORARY.test(text) || text.search(LETTER_ID) >= 0)) return 'passing';
  if (hasUnit && SHARE_UNIT.test(after)) return 'share';
  if ((!isPlain && MEASURE.test(text)) || (hasUnit && MEASURE_UNIT.test(after))) return 'measured';
  return !isPlain && /[a-z\x80-\uffff]/i.test(text) ? 'name' : 'number';
}
