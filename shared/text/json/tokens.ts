/** Finds the tokens of a JSON text with their positions, so that drawn segments can be traced to the text. */

export interface Token {
  kind: 'punctuation' | 'string' | 'number' | 'word';
  /** UTF-16 indexes into the text; `to` is excluded. A string's quotes are included. */
  from: number;
  to: number;
  /** Whether the text ends inside the string. */
  isCut: boolean;
}

const TOKEN = /\s*(?:([{}[\]:,])|(")|(-?\d[\d.eE+-]*)|([a-z]+))/y;

/** Returns null if something is not a token. */
export function tokensOf(text: string): Token[] | null {
  const tokens: Token[] = [];
  const end = text.trimEnd().length;
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < end) {
    const found = TOKEN.exec(text);
    if (!found) return null;
    const [, punctuation, quote, number, word] = found;
    const from = TOKEN.lastIndex - (punctuation ?? quote ?? number ?? word ?? '').length;
    const kind = punctuation ? 'punctuation' : quote ? 'string' : number ? 'number' : 'word';
    const string = quote ? stringFrom(text, from, end) : null;
    tokens.push({ kind, from, to: string?.to ?? TOKEN.lastIndex, isCut: string?.isCut ?? false });
    if (string) TOKEN.lastIndex = string.to;
  }
  return tokens;
}

/** Scans by hand: an expression for it overflows the stack in a string of 8 million characters. */
function stringFrom(text: string, from: number, end: number): { to: number; isCut: boolean } {
  for (let at = from + 1; at < end; at += 1) {
    const char = text[at];
    if (char === '"') return { to: at + 1, isCut: false };
    if (char === '\\') at += 1;
  }
  return { to: text.length, isCut: true };
}
