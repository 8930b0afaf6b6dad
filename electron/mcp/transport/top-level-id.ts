/**
 * Finds the `id` of a JSON-RPC message that is too long to be kept, from its bytes as they pass: without it the
 * sender could not tell which of its requests was refused, and would wait for its timeout. Clients write the id
 * before or after the (long) params, so all of the message is looked through. State is a few bytes.
 */
export class TopLevelId {
  /** The request's id; null when none was seen, or none that is a string or an integer. */
  id: string | number | null = null;

  #depth = 0;
  #inString = false;
  #escaped = false;
  /** Between a key's end and its value's: which key. */
  #key = '';
  #isValue = false;
  /** The string, or bare word, being collected at depth 1. */
  #word: number[] | null = null;

  push(bytes: Uint8Array): void {
    for (const byte of bytes) {
      if (this.#inString) this.#stringByte(byte);
      else this.#structureByte(byte);
    }
  }

  #stringByte(byte: number): void {
    if (this.#escaped) this.#escaped = false;
    else if (byte === BACKSLASH) this.#escaped = true;
    else if (byte === QUOTE) {
      this.#inString = false;
      this.#collect(byte);
      if (this.#depth === 1 && !this.#isValue) {
        this.#key = this.#parsedWord() === 'id' ? 'id' : '';
        this.#word = null;
      }
      return;
    }
    this.#collect(byte);
  }

  #structureByte(byte: number): void {
    switch (byte) {
      case QUOTE:
        this.#inString = true;
        if (this.#wanted()) this.#word = [byte];
        return;
      case OPEN_BRACE:
      case OPEN_BRACKET:
        this.#depth += 1;
        return;
      case CLOSE_BRACE:
      case CLOSE_BRACKET:
        if (this.#depth === 1) this.#endOfMember();
        this.#depth -= 1;
        return;
      case COLON:
        if (this.#depth === 1) this.#isValue = true;
        return;
      case COMMA:
        if (this.#depth === 1) this.#endOfMember();
        return;
      default:
        if (this.#wanted() && byte > SPACE) this.#word ??= [];
        if (byte > SPACE) this.#collect(byte);
    }
  }

  #wanted(): boolean {
    return this.#depth === 1 && (!this.#isValue || this.#key === 'id');
  }

  #collect(byte: number): void {
    // No id is this long; a longer one is not an id that can be answered.
    if (this.#word !== null && this.#depth === 1 && this.#word.length <= MAX_ID_BYTES) this.#word.push(byte);
  }

  #endOfMember(): void {
    if (this.#isValue && this.#key === 'id') {
      const value = this.#parsedWord();
      if (typeof value === 'string' || Number.isSafeInteger(value)) this.id = value as string | number;
    }
    this.#isValue = false;
    this.#key = '';
    this.#word = null;
  }

  #parsedWord(): unknown {
    if (this.#word === null || this.#word.length > MAX_ID_BYTES) return undefined;
    try {
      return JSON.parse(Buffer.from(this.#word).toString('utf8'));
    } catch {
      return undefined;
    }
  }
}

const MAX_ID_BYTES = 256;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COLON = 0x3a;
const COMMA = 0x2c;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const SPACE = 0x20;
