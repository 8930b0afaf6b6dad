/** Finds the tokens of a JSON text with their positions, so that drawn segments can be traced to the text. */

export interface Token {
  kind: 'punctuation' | 'string' | 'number' | 'word';
  /** UTF-16 indexes into the text; `to` is excluded. A string's quotes are included. */
  from: number;
  to: number;
  /** Whether the text ends inside the string. */
  isCut: boolean;
}

const TOKEN = /\s*(?:([{}[\]:,])|("(?:[^"\\]|\\.)*("|\\?$))|(-?\d[\d.eE+-]*)|([a-z]+))/y;

/** Returns null if something is not a token. */
export function tokensOf(text: string): Token[] | null {
  const tokens: Token[] = [];
  const end = text.trimEnd().length;
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < end) {
    const found = TOKEN.exec(text);
    if (!found) return null;
    const [, punctuation, string, closing, number, word] = found;
    const token = punctuation ?? string ?? number ?? word ?? '';
    const kind = punctuation ? 'punctuation' : string ? 'string' : number ? 'number' : 'word';
    const to = TOKEN.lastIndex;
    tokens.push({ kind, from: to - token.length, to, isCut: kind === 'string' && closing !== '"' });
  }
  return tokens;
}
