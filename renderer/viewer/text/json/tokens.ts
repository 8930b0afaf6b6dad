/** Finds the tokens of a JSON text and where they stand, so that what is drawn can be traced to the text. */

export interface Token {
  kind: 'punctuation' | 'string' | 'number' | 'word';
  /** UTF-16 indexes into the text; `to` is not included. A string's quotes are. */
  from: number;
  to: number;
  /** The text ends inside the string. */
  isCut: boolean;
}

const TOKEN = /\s*(?:([{}[\]:,])|("(?:[^"\\]|\\.)*("|\\?$))|(-?\d[\d.eE+-]*)|([a-z]+))/y;

/** Null where something is not a token. */
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
