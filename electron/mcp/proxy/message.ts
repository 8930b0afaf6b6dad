/** Reads a line as a JSON-RPC message: only the fields that the proxy needs. */
import { isObject } from '../../../shared/text/json-line.ts';

export interface ProxiedMessage {
  readonly id?: Id;
  readonly method?: string;
  readonly params: Record<string, unknown>;
  readonly result?: Record<string, unknown>;
}

/** Returns null for a line that is not a message, or that can't be changed safely. Such a line passes unchanged. */
export function readMessage(line: Buffer): { message: ProxiedMessage; text: string } | null {
  try {
    // Decoding would change bytes that are not valid UTF-8.
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(line);
    const value: unknown = JSON.parse(text);
    if (!isObject(value)) return null;
    const { id, method, params, result } = value;
    return {
      text,
      message: {
        ...(typeof id === 'string' || typeof id === 'number' ? { id } : {}),
        ...(typeof method === 'string' ? { method } : {}),
        params: isObject(params) ? params : {},
        ...(isObject(result) ? { result } : {}),
      },
    };
  } catch {
    return null;
  }
}

export type Id = string | number;

export type PendingRequest =
  /** `initialize`: the reply names the server. */
  | { readonly kind: 'opening' }
  /** `isFirst`: asks for the first page. */
  | { readonly kind: 'tools'; readonly isFirst: boolean }
  /** `client`: its name, if the request gives it. `begunMs`: when it came, on the clock of `performance`. */
  | {
      readonly kind: 'call';
      readonly tool: string;
      readonly client: string | null;
      readonly begunMs: number;
    };

/** Bounds the memory for a server that never replies. Replies to the oldest requests then pass unchanged. */
const MOST_REQUESTS = 10_000;

/** Remembers the client's unanswered requests whose replies the proxy may change. */
export class AskedOfServer {
  readonly #asked = new Map<Id, PendingRequest>();

  /** True while a reply is pending. */
  get any(): boolean {
    return this.#asked.size > 0;
  }

  add(id: Id, asked: PendingRequest): void {
    this.#asked.delete(id);
    this.#asked.set(id, asked);
    if (this.#asked.size > MOST_REQUESTS) this.#asked.delete(this.#asked.keys().next().value!);
  }

  /** Returns the request with this id and forgets it; null if there is none. */
  take(id: Id): PendingRequest | null {
    const asked = this.#asked.get(id) ?? null;
    this.#asked.delete(id);
    return asked;
  }
}

// Finds and changes values in a JSON text without touching another byte. The text must be valid JSON.

interface Item {
  /** The member's name; null in an array. */
  readonly key: string | null;
  /** Start of the member, or of the array's value. */
  readonly from: number;
  /** Start of the value. */
  readonly value: number;
  /** Exclusive. */
  readonly end: number;
}

/**
 * Replaces the value of `key` in the text of an object. Returns null if it has no such key. If it has the key twice,
 * the last one counts, as in JSON.parse.
 */
export function withValue(
  object: string,
  key: string,
  replace: (before: string) => string | null,
): string | null {
  const member = [...itemsOf(object)].findLast((item) => item.key === key);
  if (member === undefined) return null;
  const value = replace(object.slice(member.value, member.end));
  return value === null ? null : object.slice(0, member.value) + value + object.slice(member.end);
}

/** Removes a key from the text of an object. */
export function withoutKey(object: string, key: string): string {
  const items = [...itemsOf(object)];
  const kept = items.filter((item) => item.key !== key);
  if (kept.length === items.length) return object;
  const members = kept.map(({ from, end }) => object.slice(from, end)).join(',');
  return object.slice(0, items[0]!.from) + members + object.slice(items.at(-1)!.end);
}

/** Changes each element of the text of an array. */
export function withElements(array: string, change: (element: string) => string): string {
  let changed = '';
  let after = 0;
  for (const { value, end } of itemsOf(array)) {
    changed += array.slice(after, value) + change(array.slice(value, end));
    after = end;
  }
  return changed + array.slice(after);
}

/** Yields the members of an object, the elements of an array; nothing for another value. */
function* itemsOf(text: string): Generator<Item> {
  const start = skipSpace(text, 0);
  const isObject = text[start] === '{';
  if (!isObject && text[start] !== '[') return;
  let at = skipSpace(text, start + 1);
  while (at < text.length && text[at] !== '}' && text[at] !== ']') {
    const from = at;
    const endOfKey = isObject ? endOfString(text, from) : from;
    const value = isObject ? skipSpace(text, skipSpace(text, endOfKey) + 1) : from;
    const end = endOfValue(text, value);
    yield { key: isObject ? JSON.parse(text.slice(from, endOfKey)) : null, from, value, end };
    at = skipSpace(text, end);
    if (text[at] === ',') at = skipSpace(text, at + 1);
  }
}

function endOfValue(text: string, start: number): number {
  const first = text[start];
  if (first === '"') return endOfString(text, start);
  if (first !== '{' && first !== '[') {
    let at = start;
    while (at < text.length && !ENDS_PLAIN.has(text[at]!)) at += 1;
    return at;
  }
  let depth = 0;
  for (let at = start; at < text.length; at += 1) {
    const char = text[at];
    if (char === '"') at = endOfString(text, at) - 1;
    else if (char === '{' || char === '[') depth += 1;
    else if (char === '}' || char === ']') {
      depth -= 1;
      if (depth === 0) return at + 1;
    }
  }
  return text.length;
}

const ENDS_PLAIN = new Set([',', '}', ']', ' ', '\t', '\r', '\n']);

function endOfString(text: string, start: number): number {
  for (let quote = text.indexOf('"', start + 1); quote !== -1; quote = text.indexOf('"', quote + 1)) {
    let backslashes = 0;
    while (text[quote - 1 - backslashes] === '\\') backslashes += 1;
    if (backslashes % 2 === 0) return quote + 1;
  }
  return text.length;
}

function skipSpace(text: string, start: number): number {
  let at = start;
  while (at < text.length && ' \t\r\n'.includes(text[at]!)) at += 1;
  return at;
}
