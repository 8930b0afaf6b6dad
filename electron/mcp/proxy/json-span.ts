/** Finds a value in a JSON text, so that it can be replaced without touching another byte. */

interface ValueSpan {
  readonly start: number;
  /** Exclusive. */
  readonly end: number;
}

/**
 * Returns the span of the value at `path`; null if there is none. The text must be valid JSON. If an object has a key
 * twice, the last one counts, as in JSON.parse.
 */
export function spanOf(text: string, path: readonly string[]): ValueSpan | null {
  let start = skipSpace(text, 0);
  for (const key of path) {
    const value = memberOf(text, start, key);
    if (value === null) return null;
    start = value;
  }
  return { start, end: endOfValue(text, start) };
}

/** Returns the start of a key's value in the object at `start`; null if it has no such key. */
function memberOf(text: string, start: number, key: string): number | null {
  if (text[start] !== '{') return null;
  let found: number | null = null;
  let at = skipSpace(text, start + 1);
  while (text[at] === '"') {
    const endOfKey = endOfString(text, at);
    const value = skipSpace(text, skipSpace(text, endOfKey) + 1);
    if (JSON.parse(text.slice(at, endOfKey)) === key) found = value;
    at = skipSpace(text, endOfValue(text, value));
    if (text[at] === ',') at = skipSpace(text, at + 1);
  }
  return found;
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
