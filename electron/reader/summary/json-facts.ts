/**
 * Describes the outermost level of a JSON text. Reads it once, in chunks of any size; memory grows only with its
 * nesting. Follows the grammar of RFC 8259 strictly, but does not check the UTF-8 of strings.
 */
import { clipText } from '../../../shared/text/clip.ts';
import type { SummaryView } from '../../../shared/views.ts';
import { ACTION, CONTAINER, FIRST_ACTION, jsonTable, mayEnd, stateNumber } from './json-table.ts';

export type JsonFacts = NonNullable<SummaryView['json']>;

/** Keys named, and characters of each. */
const MAX_KEYS = 100;
const MAX_KEY_CHARS = 200;
/** Bytes of a key in the text: each character may be an escape of six bytes. */
const MAX_KEY_BYTES = MAX_KEY_CHARS * 6;
/** Deeper texts are not taken for JSON. */
const MAX_DEPTH = 1 << 20;

/** 1 for each state within a string, in which most bytes change nothing. */
const IN_STRING = new Uint8Array(FIRST_ACTION);
for (const kind of Object.values(CONTAINER)) {
  IN_STRING[stateNumber(kind, 'string')] = 1;
  IN_STRING[stateNumber(kind, 'keyString')] = 1;
}

export class JsonReader {
  #state = stateNumber(CONTAINER.none, 'value');
  /** The open container, and those around it. */
  #kind: number = CONTAINER.none;
  #around = new Uint8Array(64);
  #depth = 0;
  #type: JsonFacts['type'] | null = null;
  #length = 0;
  readonly #keys = new Set<string>();
  /** The bytes so far of a key of the outermost object; null outside of one. */
  #key: number[] | null = null;

  /** False once the text is known not to be one JSON document. */
  get isSound(): boolean {
    return this.#state !== ACTION.fail;
  }

  /** Whether a whole document was read, with only white space after it. */
  get isComplete(): boolean {
    return this.#depth === 0 && this.#type !== null && mayEnd(this.#state);
  }

  /** Reads the next bytes, without a byte order mark. */
  push(bytes: Uint8Array): void {
    const table = jsonTable();
    if (this.#type === null) this.#type = firstType(bytes);
    let state = this.#state;
    let keyStart = 0;
    for (let i = 0; i < bytes.length && state !== ACTION.fail; ) {
      const next = table[(state << 8) | bytes[i]!]!;
      i += 1;
      if (next < FIRST_ACTION) {
        state = next;
        if (IN_STRING[state] === 1) i = plainEnd(bytes, i);
      } else {
        if (next === ACTION.startKey) keyStart = i;
        else if (next === ACTION.endKey) this.#endKey(bytes, keyStart, i - 1);
        state = this.#act(next);
      }
    }
    if (this.#key !== null) this.#keep(bytes, keyStart, bytes.length);
    this.#state = state;
  }

  /** Returns the facts after the end; null if the text is not JSON. */
  facts(): JsonFacts | null {
    if (!this.isComplete) return null;
    const type = this.#type!;
    if (type === 'object') return { type, keys: [...this.#keys] };
    return type === 'array' ? { type, length: this.#length } : { type };
  }

  /** Returns the next state. */
  #act(action: number): number {
    switch (action) {
      case ACTION.openObject:
        return this.#open(this.#depth === 0 ? CONTAINER.outerObject : CONTAINER.object, 'firstKey');
      case ACTION.openArray:
        return this.#open(this.#depth === 0 ? CONTAINER.outerArray : CONTAINER.array, 'firstElement');
      case ACTION.count:
        this.#length += 1;
        return stateNumber(CONTAINER.outerArray, 'value');
      case ACTION.close:
        if (this.#kind === CONTAINER.outerArray) this.#length += 1;
        return this.#close();
      case ACTION.closeEmpty:
        return this.#close();
      case ACTION.startKey:
        if (this.#keys.size < MAX_KEYS) this.#key = [];
        return stateNumber(CONTAINER.outerObject, 'keyString');
      case ACTION.endKey:
        return stateNumber(CONTAINER.outerObject, 'colon');
      default:
        return ACTION.fail;
    }
  }

  #open(kind: number, first: 'firstKey' | 'firstElement'): number {
    if (this.#depth === MAX_DEPTH) return ACTION.fail;
    if (this.#depth === this.#around.length) {
      const deeper = new Uint8Array(this.#depth * 2);
      deeper.set(this.#around);
      this.#around = deeper;
    }
    this.#around[this.#depth++] = this.#kind;
    this.#kind = kind;
    return stateNumber(kind, first);
  }

  #close(): number {
    this.#kind = this.#around[--this.#depth]!;
    return stateNumber(this.#kind, 'after');
  }

  #keep(bytes: Uint8Array, from: number, to: number): void {
    const key = this.#key!;
    const end = Math.min(to, from + MAX_KEY_BYTES - key.length);
    for (let i = from; i < end; i += 1) key.push(bytes[i]!);
  }

  #endKey(bytes: Uint8Array, from: number, to: number): void {
    if (this.#key === null) return;
    this.#keep(bytes, from, to);
    this.#keys.add(keyText(this.#key));
    this.#key = null;
  }
}

/** Returns the end of the plain characters in a string. */
function plainEnd(bytes: Uint8Array, at: number): number {
  let i = at;
  for (; i < bytes.length; i += 1) {
    const byte = bytes[i]!;
    if (byte === 0x22 || byte === 0x5c || byte < 0x20) break;
  }
  return i;
}

/** Returns the type of the first value; null if there is none. */
function firstType(bytes: Uint8Array): JsonFacts['type'] | null {
  const first = bytes.find((byte) => byte !== 0x20 && byte !== 0x0a && byte !== 0x0d && byte !== 0x09);
  return first === undefined ? null : typeOf(first);
}

function typeOf(byte: number): JsonFacts['type'] {
  if (byte === 0x7b) return 'object';
  if (byte === 0x5b) return 'array';
  if (byte === 0x22) return 'string';
  if (byte === 0x74 || byte === 0x66) return 'boolean';
  return byte === 0x6e ? 'null' : 'number';
}

/** Decodes a key from its bytes in the text; the last escape of a long key may be cut. */
function keyText(bytes: readonly number[]): string {
  const raw = new TextDecoder('utf-8', { ignoreBOM: true }).decode(Uint8Array.from(bytes));
  const whole = raw.replace(/(?<!\\)((?:\\\\)*)\\(?:u[0-9a-fA-F]{0,3})?$/, '$1');
  return clipText(JSON.parse(`"${whole}"`) as string, MAX_KEY_CHARS).text;
}
