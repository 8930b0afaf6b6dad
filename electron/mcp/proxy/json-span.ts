/** Finds and changes values in a JSON text without touching another byte. The text must be valid JSON. */

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
