/**
 * Reads a text's lines as messages: the shape of what follows the prefix (time, job, thread), and the values that the
 * shape masks. Two lines with one key were printed by one statement; their values tell them apart.
 */
import { Buffer } from 'node:buffer';
import { LF } from '../../../shared/text/byte-values.ts';
import { isErrorLevel } from '../../../shared/text/levels.ts';
import { lineText } from '../../../shared/text/line-text.ts';
import { READING_STEP_BYTES, type ReadingSteps } from '../failure/explanation.ts';
import type { FailureText } from '../failure/log-lines.ts';
import { learnPrefix } from '../shapes/line-prefix.ts';
import { shapeOf } from '../shapes/shape.ts';

export interface Message {
  /** Level and shape; equal for lines of one statement. */
  readonly key: string;
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
   * `passing`: a time, a duration, a hash, a temporary path: it differs in every run. `measured`: a size, a share, a
   * rate: it differs a little. `number`: digits alone. `name`: anything with letters.
   */
  readonly kind: 'passing' | 'measured' | 'number' | 'name';
}

/** Characters kept of a line. */
const MOST_TEXT_CHARS = 400;
/** Bytes of a line that are read. A shape covers less. */
const MOST_LINE_BYTES = 2048;
/** Messages whose lines were just seen, by their text: runs of one command repeat most of them. */
const MOST_REMEMBERED = 16 * 1024;

interface ReadLines {
  lines: number;
  /** The middle was not read. */
  isPartial: boolean;
}

export class MessageReader {
  #remembered = new Map<string, Message>();
  readonly #mostBytes: number;

  /** Reads a text longer than `mostBytes` in part: half of the bytes from its start, half from its end. */
  constructor(mostBytes: number) {
    this.#mostBytes = mostBytes;
  }

  /** Calls `each` with every line that is not blank, in order. Counts the lines that it does not read. */
  *read(text: FailureText, each: (line: number, message: Message) => void): ReadingSteps<ReadLines> {
    const isPartial = text.size > this.#mostBytes;
    const half = Math.floor(this.#mostBytes / 2);
    const skipFrom = isPartial ? half : text.size;
    const skipTo = isPartial ? text.size - half : text.size;
    const chunk = Buffer.allocUnsafe(Math.min(READING_STEP_BYTES, Math.max(1, text.size)));
    let carry: Buffer | null = null;
    let line = 1;
    let isWhole = true;
    const take = (bytes: Buffer) => {
      if (isWhole && bytes.length > 0) {
        const message = this.#messageOf(bytes);
        if (message) each(line, message);
      }
      isWhole = true;
      line++;
    };
    for (let at = 0; at < text.size; ) {
      const got = text.read(chunk, at);
      if (got <= 0) break;
      const isSkipped = at >= skipFrom && at < skipTo;
      let from = 0;
      for (let end = chunk.indexOf(LF); end >= 0 && end < got; end = chunk.indexOf(LF, from)) {
        if (isSkipped) {
          line++;
          carry = null;
          isWhole = true;
        } else if (carry) {
          take(joined(carry, chunk.subarray(from, end)));
          carry = null;
        } else take(chunk.subarray(from, end));
        from = end + 1;
      }
      if (from < got && !isSkipped) carry = joined(carry, chunk.subarray(from, got));
      else if (from < got) isWhole = false;
      at += got;
      yield at;
    }
    if (carry) take(carry);
    return { lines: line - 1, isPartial };
  }

  #messageOf(bytes: Buffer): Message | null {
    const raw = bytes.toString('utf8', 0, Math.min(bytes.length, MOST_LINE_BYTES));
    const text = HAS_CONTROLS.test(raw) ? lineText(raw) : raw;
    const { end, level } = STAMPS.of(text);
    const said = text.slice(end, end + MOST_TEXT_CHARS).trimEnd();
    if (said.trim() === '') return null;
    const mark = level === null ? '' : isErrorLevel(level) ? 'E' : level === 'warn' ? 'W' : '';
    const id = `${mark}\t${said}`;
    const known = this.#remembered.get(id);
    if (known) return known;
    if (this.#remembered.size >= MOST_REMEMBERED) this.#remembered = new Map();
    const message = messageOf(said, mark);
    this.#remembered.set(id, message);
    return message;
  }
}

/** Times, a CI's columns and levels in brackets: a prefix learnt from each text would differ between two of them. */
const STAMPS = learnPrefix([]);
const HAS_CONTROLS = /[\x00-\x08\x0b-\x1f\x7f]/;

function joined(carry: Buffer | null, rest: Buffer): Buffer {
  if (!carry) return Buffer.from(rest.subarray(0, MOST_LINE_BYTES));
  if (carry.length >= MOST_LINE_BYTES) return carry;
  return Buffer.concat([carry, rest.subarray(0, MOST_LINE_BYTES - carry.length)]);
}

function messageOf(text: string, mark: string): Message {
  const bytes = Buffer.from(text);
  const { codes, masked } = shapeOf(bytes, 0, bytes.length);
  const values = masked.flatMap(({ from, to }, mask) => {
    const after = bytes.toString('latin1', to, to + 12);
    const value = bytes.toString('utf8', from, to);
    if (TIME.test(value)) return [];
    // A row of numbers is one part of a shape, but a size and a duration beside it vary apart.
    const parts = value.split(/\s+/, MOST_PARTS);
    return parts.map((text, i): Value => {
      const unit = i < parts.length - 1 ? ` ${parts[i + 1]}` : after;
      return { text, slot: mask * MOST_PARTS + i, mask, kind: kindOf(text, unit) };
    });
  });
  const shape = String.fromCharCode(...codes);
  const hasWords = WORD.test(shape);
  const names = hasWords ? [] : values.filter((value) => isName(masks(shape)[value.mask]) && !isHash(value));
  // If a line only names a file, as a stack frame does, the name is the message.
  const named = names.map(({ text: value }) => value.replace(/\d+/g, '#')).join(' ');
  const speaks = hasWords || names.length > 0 || values.some(({ kind }) => kind === 'name');
  return {
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
const isHash = ({ text, kind }: Value): boolean => kind === 'passing' && !text.includes('/');

/** Values in a row that are told apart. */
const MOST_PARTS = 8;

/** Two letters of any script, as UTF-8. Bytes of box drawing do not count. */
const WORD = /[a-z]{2}|[\xc3-\xdf\xe3-\xf4][\x80-\xbf]/i;

const TIME = /\d\d:\d\d|\d{4}[-/]\d\d[-/]\d\d|^[A-Z][a-z]{2} +\d/;
const DURATION = /^~?\d[\d.,]*(?:ns|[uµ]s|ms|s|secs?|m|mins?|h|hrs?|d)$|^(?:\d+(?:\.\d+)?(?:d|h|m|s|ms))+$/i;
const DURATION_UNIT = /^\s?(?:ns|[uµ]s|ms|s|sec(?:ond)?s?|min(?:ute)?s?|h(?:our)?s?|days?)\b/i;
const MEASURE = /^[\d.,]+(?:[kmgt]i?b?|b)(?:it|ytes)?(?:\/s)?$/i;
const MEASURE_UNIT = /^\s?(?:%|[kmgt]i?b\b|b(?:ytes)?\b|[kmgt]\b)/i;
/** A hash, an id: letters and digits mixed beyond what a name or a version has. */
const HASH =
  /(?:^|[-_.@:/])(?=[\da-z]*\d)(?=[\da-z]*[a-z])[\da-z]{7,}(?:$|[-_.@:/])|[\da-f]{8}-[\da-f]{4}-|0x[\da-f]{4,}/i;
const TEMPORARY =
  /(?:^|[/\\])(?:te?mp|_temp|temp|var\/folders|T)[/\\]|[/\\]\.?cache[/\\]|[-_.](?:\d{5,}|[\da-f]{8,})(?=$|[/\\.])/i;

function kindOf(text: string, after: string): Value['kind'] {
  if (DURATION.test(text) || DURATION_UNIT.test(after)) return 'passing';
  if (HASH.test(text) || TEMPORARY.test(text)) return 'passing';
  if (MEASURE.test(text) || MEASURE_UNIT.test(after)) return 'measured';
  return /[a-z\x80-\uffff]/i.test(text) ? 'name' : 'number';
}
