/** Parses a line that is a JSON object: its tokens and top-level fields. */
import { type Token, tokensOf } from './tokens.ts';

/** Indexes into the line's text; `to` is excluded. */
export interface Span {
  from: number;
  to: number;
}

export interface JsonValue extends Span {
  kind: 'string' | 'number' | 'word' | 'nested';
  /** Without the quotes of a string. */
  inside: Span;
}

export interface JsonField {
  /** Without its quotes. */
  key: Span;
  value: JsonValue;
}

export interface JsonLine {
  text: string;
  tokens: readonly Token[];
  fields: readonly JsonField[];
}

/**
 * Returns the line as a JSON object; null for other lines and broken JSON.
 *
 * @param isClipped the text is only the beginning of the line, and its object ends there
 */
export function jsonLine(text: string, isClipped = false): JsonLine | null {
  if (!/^\s*\{/.test(text)) return null;
  if (!isClipped && !isJson(text)) return null;
  const tokens = tokensOf(text);
  const fields = tokens && fieldsOf(text, tokens);
  return tokens && fields && fields.length > 0 ? { text, tokens, fields } : null;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** Returns null if the tokens do not begin an object. Leaves out a field whose value is cut off. */
function fieldsOf(text: string, tokens: readonly Token[]): JsonField[] | null {
  const fields: JsonField[] = [];
  const isAt = (index: number, sign: string) =>
    tokens[index]?.kind === 'punctuation' && text[tokens[index].from] === sign;
  let at = 1;
  while (at < tokens.length && !isAt(at, '}')) {
    const key = tokens[at]!;
    if (key.kind !== 'string') return null;
    if (at + 2 >= tokens.length) break;
    if (!isAt(at + 1, ':')) return null;
    const end = valueEnd(text, tokens, at + 2);
    const first = tokens[at + 2]!;
    if (first.kind === 'punctuation' && end === at + 3 && !isNestedStart(text[first.from])) return null;
    const { from } = first;
    const { to } = tokens[end - 1]!;
    const kind = first.kind === 'punctuation' ? 'nested' : first.kind;
    const inside = kind === 'string' ? { from: from + 1, to: first.isCut ? to : to - 1 } : { from, to };
    fields.push({ key: { from: key.from + 1, to: key.to - 1 }, value: { kind, from, to, inside } });
    at = end;
    if (isAt(at, ',')) at += 1;
    else if (at < tokens.length && !isAt(at, '}')) return null;
  }
  return fields;
}

/** Returns the index after the value that begins at a token. */
function valueEnd(text: string, tokens: readonly Token[], start: number): number {
  let depth = 0;
  for (let at = start; at < tokens.length; at += 1) {
    const { kind, from } = tokens[at]!;
    const sign = kind === 'punctuation' ? text[from] : '';
    if (isNestedStart(sign)) depth += 1;
    else if (sign === '}' || sign === ']') depth -= 1;
    if (depth <= 0) return at + 1;
  }
  return tokens.length;
}

function isNestedStart(sign: string | undefined): boolean {
  return sign === '{' || sign === '[';
}
