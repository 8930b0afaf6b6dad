/**
 * Describes the outermost level of a JSON text. Reads it once, in chunks of any size; memory grows only with its
 * nesting. Follows the grammar of RFC 8259 strictly, but does not check the UTF-8 of strings.
 */
import { clipText } from '../../../../shared/text/clip.ts';
import type { SummaryView } from '../../../../shared/views.ts';
import { streamingDecoder } from '../../bytes/encoding.ts';
import type { OpenStream } from '../../bytes/open-stream.ts';
import { ACTION, createJsonMachine, type JsonMachine, mayEnd, plainJsonMachine } from './json-machine.ts';

export type JsonFacts = NonNullable<SummaryView['json']>;

/** Keys named, and characters of each. */
export const MAX_KEYS = 100;
export const MAX_KEY_CHARS = 200;
/** Bytes of a key in the text: each character may be an escape of six bytes. */
const MAX_KEY_BYTES = MAX_KEY_CHARS * 6;

export class JsonReader {
  readonly #machine: JsonMachine;
  #type: JsonFacts['type'] | null = null;
  readonly #keys = new Set<string>();
  /** The bytes so far of a key of the outermost object; null outside of one. */
  #key: number[] | null = null;

  /** @param machine a new one */
  constructor(machine = plainJsonMachine()) {
    this.#machine = machine;
  }

  /** False once the text is known not to be one JSON document. */
  get isSound(): boolean {
    return this.#machine.state !== ACTION.fail;
  }

  /** Whether a whole document was read, with only white space after it. */
  get isComplete(): boolean {
    return this.#machine.depth === 0 && this.#type !== null && mayEnd(this.#machine.state);
  }

  /** Reads the next bytes, without a byte order mark. */
  push(bytes: Uint8Array): void {
    if (this.#type === null) this.#type = firstType(bytes);
    const { maxBytes } = this.#machine;
    for (let at = 0; at < bytes.length && this.isSound; at += maxBytes)
      this.#take(bytes.subarray(at, at + maxBytes));
  }

  /** Returns the facts after the end; null if the text is not JSON. */
  facts(): JsonFacts | null {
    if (!this.isComplete) return null;
    const type = this.#type!;
    if (type === 'object') return { type, keys: [...this.#keys] };
    return type === 'array' ? { type, length: this.#machine.length } : { type };
  }

  #take(bytes: Uint8Array): void {
    const machine = this.#machine;
    let keyStart = 0;
    machine.load(bytes);
    for (let at = 0; at < bytes.length && this.isSound; ) {
      at = machine.run(at);
      if (machine.event === ACTION.endKey) this.#endKey(bytes, keyStart, at - 1);
      if (machine.event !== ACTION.startKey) continue;
      keyStart = at;
      if (this.#keys.size < MAX_KEYS) this.#key = [];
    }
    if (this.#key !== null) this.#keep(bytes, keyStart, bytes.length);
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

// Returns the JSON facts of a whole stream, read once from beginning to end.

const CHUNK_BYTES = 1 << 18;

/** Null if the stream is not one JSON document. Throws the stream's errors; `encoding` is a WHATWG label. */
export function jsonFactsOf(stream: OpenStream, encoding: string): JsonFacts | null {
  const reader = new JsonReader(createJsonMachine());
  const chunk = new Uint8Array(CHUNK_BYTES);
  const decode = streamingDecoder(encoding);
  const encoder = new TextEncoder();
  const isUtf8 = encoding === 'utf-8';
  for (let at = 0; at < stream.size && reader.isSound; ) {
    const bytes = chunk.subarray(0, stream.read(chunk, at));
    if (bytes.length === 0) break;
    if (isUtf8) reader.push(at === 0 && hasMark(bytes) ? bytes.subarray(3) : bytes);
    else reader.push(encoder.encode(decode(bytes)));
    at += bytes.length;
  }
  return reader.facts();
}

/** Whether the UTF-8 begins with a byte order mark. */
export function hasMark(bytes: Uint8Array): boolean {
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
}
