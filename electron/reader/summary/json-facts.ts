/**
 * Describes the outermost level of a JSON text. Reads it once, in chunks of any size; memory grows only with its
 * nesting. Follows the grammar of RFC 8259 strictly, but does not check the UTF-8 of strings.
 */
import { clipText } from '../../../shared/text/clip.ts';
import type { SummaryView } from '../../../shared/views.ts';

export type JsonFacts = NonNullable<SummaryView['json']>;

/** Keys named, and characters of each. */
const MAX_KEYS = 100;
const MAX_KEY_CHARS = 200;
/** Bytes of a key as it stands in the text: each character may be an escape of six. */
const MAX_KEY_BYTES = MAX_KEY_CHARS * 6;
/** Deeper texts are not taken for JSON. */
const MAX_DEPTH = 1 << 20;

/** Where the reader is. */
const VALUE = 0;
const FIRST_ELEMENT = 1;
const FIRST_KEY = 2;
const KEY = 3;
const COLON = 4;
const AFTER = 5;
const STRING = 6;
const ESCAPE = 7;
const HEX = 8;
const LITERAL = 9;
const SIGN = 10;
const ZERO = 11;
const INTEGER = 12;
const POINT = 13;
const FRACTION = 14;
const EXPONENT = 15;
const EXPONENT_SIGN = 16;
const EXPONENT_DIGITS = 17;
const BROKEN = 18;

const LITERALS: Partial<Record<number, string>> = { 116: 'true', 102: 'false', 110: 'null' };

export class JsonReader {
  #state = VALUE;
  /** A byte for each open object (1) or array (0). */
  #nesting = new Uint8Array(64);
  #depth = 0;
  #type: JsonFacts['type'] | null = null;
  #length = 0;
  readonly #keys = new Set<string>();
  /** The string being read is a key of the outermost object: its bytes so far. */
  #key: number[] | null = null;
  #isKey = false;
  #hexLeft = 0;
  #literal = '';
  #literalAt = 0;

  /** False once the text is known not to be one JSON document. */
  get isSound(): boolean {
    return this.#state !== BROKEN;
  }

  /** Whether a whole document has been read, and nothing but white space after it. */
  get isComplete(): boolean {
    if (this.#depth > 0 || this.#type === null) return false;
    return this.#state === AFTER || endsNumber(this.#state);
  }

  /** Reads on; a byte order mark must have been taken off. */
  push(bytes: Uint8Array): void {
    if (this.#state === BROKEN) return;
    for (let i = 0; i < bytes.length; i++) {
      if (this.#state === STRING) i = this.#skipString(bytes, i);
      if (i < bytes.length) this.#step(bytes[i]!);
      if (this.#state === BROKEN) return;
    }
  }

  /** The facts once all was read; null when it is not JSON. */
  facts(): JsonFacts | null {
    if (!this.isComplete) return null;
    const type = this.#type!;
    if (type === 'object') return { type, keys: [...this.#keys] };
    return type === 'array' ? { type, length: this.#length } : { type };
  }

  /** The end of what is plain in a string. */
  #skipString(bytes: Uint8Array, at: number): number {
    let i = at;
    while (i < bytes.length) {
      const byte = bytes[i]!;
      if (byte === 0x22 || byte === 0x5c || byte < 0x20) break;
      i++;
    }
    if (this.#key !== null) {
      const end = Math.min(i, at + MAX_KEY_BYTES - this.#key.length);
      for (let k = at; k < end; k++) this.#key.push(bytes[k]!);
    }
    return i;
  }

  #step(byte: number): void {
    switch (this.#state) {
      case STRING:
        this.#inString(byte);
        return;
      case ESCAPE:
        this.#keep(byte);
        if (byte === 0x75) {
          this.#hexLeft = 4;
          this.#state = HEX;
        } else this.#state = '"\\/bfnrt'.includes(String.fromCharCode(byte)) ? STRING : BROKEN;
        return;
      case HEX:
        this.#keep(byte);
        if (!isHex(byte)) this.#state = BROKEN;
        else if (--this.#hexLeft === 0) this.#state = STRING;
        return;
      case LITERAL:
        if (byte !== this.#literal.charCodeAt(this.#literalAt++)) this.#state = BROKEN;
        else if (this.#literalAt === this.#literal.length) this.#state = AFTER;
        return;
      default:
        if (this.#state >= SIGN) {
          this.#state = numberState(this.#state, byte);
          if (this.#state !== AFTER) return;
        }
        if (byte !== 0x20 && byte !== 0x0a && byte !== 0x0d && byte !== 0x09) this.#token(byte);
    }
  }

  #inString(byte: number): void {
    if (byte === 0x5c) {
      this.#keep(byte);
      this.#state = ESCAPE;
    } else if (byte !== 0x22) this.#state = BROKEN;
    else {
      if (this.#key !== null) this.#keys.add(keyText(this.#key));
      this.#key = null;
      this.#state = this.#isKey ? COLON : AFTER;
    }
  }

  #keep(byte: number): void {
    if (this.#key !== null && this.#key.length < MAX_KEY_BYTES) this.#key.push(byte);
  }

  #token(byte: number): void {
    const state = this.#state;
    const close = this.#depth > 0 && this.#nesting[this.#depth - 1] === 1 ? 0x7d : 0x5d;
    const mayClose = state === AFTER || state === FIRST_KEY || state === FIRST_ELEMENT;
    if (mayClose && this.#depth > 0 && byte === close) {
      this.#depth--;
      this.#state = AFTER;
    } else if (state === AFTER) {
      if (this.#depth === 0 || byte !== 0x2c) this.#state = BROKEN;
      else this.#state = close === 0x7d ? KEY : VALUE;
    } else if (state === COLON) this.#state = byte === 0x3a ? VALUE : BROKEN;
    else if (state === KEY || state === FIRST_KEY) {
      if (byte !== 0x22) this.#state = BROKEN;
      else {
        this.#isKey = true;
        if (this.#depth === 1 && this.#keys.size < MAX_KEYS) this.#key = [];
        this.#state = STRING;
      }
    } else this.#value(byte);
  }

  #value(byte: number): void {
    if (this.#depth === 1 && this.#nesting[0] === 0) this.#length++;
    const literal = LITERALS[byte];
    if (byte === 0x7b || byte === 0x5b) this.#open(byte === 0x7b);
    else if (byte === 0x22) {
      this.#isKey = false;
      this.#state = STRING;
    } else if (byte === 0x2d) this.#state = SIGN;
    else if (byte === 0x30) this.#state = ZERO;
    else if (byte >= 0x31 && byte <= 0x39) this.#state = INTEGER;
    else if (literal !== undefined) {
      this.#literal = literal;
      this.#literalAt = 1;
      this.#state = LITERAL;
    } else this.#state = BROKEN;
    this.#type ??= typeOf(byte);
  }

  #open(isObject: boolean): void {
    if (this.#depth === MAX_DEPTH) {
      this.#state = BROKEN;
      return;
    }
    if (this.#depth === this.#nesting.length) {
      const deeper = new Uint8Array(this.#depth * 2);
      deeper.set(this.#nesting);
      this.#nesting = deeper;
    }
    this.#nesting[this.#depth++] = isObject ? 1 : 0;
    this.#state = isObject ? FIRST_KEY : FIRST_ELEMENT;
  }
}

/** The state of a number after one more byte; AFTER when the byte is not a part of it. */
function numberState(state: number, byte: number): number {
  const isDigit = byte >= 0x30 && byte <= 0x39;
  if (state === SIGN) return byte === 0x30 ? ZERO : isDigit ? INTEGER : BROKEN;
  if (state === POINT) return isDigit ? FRACTION : BROKEN;
  if (state === EXPONENT && (byte === 0x2b || byte === 0x2d)) return EXPONENT_SIGN;
  if (state === EXPONENT || state === EXPONENT_SIGN) return isDigit ? EXPONENT_DIGITS : BROKEN;
  if (isDigit && state !== ZERO) return state;
  if (state !== EXPONENT_DIGITS) {
    if (byte === 0x2e && state !== FRACTION) return POINT;
    if (byte === 0x65 || byte === 0x45) return EXPONENT;
  }
  return AFTER;
}

function endsNumber(state: number): boolean {
  return state === ZERO || state === INTEGER || state === FRACTION || state === EXPONENT_DIGITS;
}

function typeOf(byte: number): JsonFacts['type'] {
  if (byte === 0x7b) return 'object';
  if (byte === 0x5b) return 'array';
  if (byte === 0x22) return 'string';
  if (byte === 0x74 || byte === 0x66) return 'boolean';
  return byte === 0x6e ? 'null' : 'number';
}

/** The key that stands so in the text; the last escape of a long one may have been cut. */
function keyText(bytes: readonly number[]): string {
  const raw = new TextDecoder('utf-8', { ignoreBOM: true }).decode(Uint8Array.from(bytes));
  const whole = raw.replace(/(?<!\\)((?:\\\\)*)\\(?:u[0-9a-fA-F]{0,3})?$/, '$1');
  return clipText(JSON.parse(`"${whole}"`) as string, MAX_KEY_CHARS).text;
}

function isHex(byte: number): boolean {
  const letter = byte | 0x20;
  return (byte >= 0x30 && byte <= 0x39) || (letter >= 0x61 && letter <= 0x66);
}
