/** Masks secrets in bytes, and in an output while it comes: a masked text has as many bytes, and the same line ends. */
import { isAscii, isUtf8 } from 'node:buffer';
import { linesAround, maskSpans, type Secrets } from '../../../shared/secrets/mask.ts';
import { TOKEN_START } from '../../../shared/secrets/rules.ts';
import { LF } from '../../../shared/text/codes.ts';

export interface MaskedBytes {
  /** A part of the given memory if nothing was masked. */
  bytes: Buffer;
  /** Secrets that were masked. */
  count: number;
}

/**
 * Returns the bytes from `from` to `to`, masked; what is around them is searched with them. What is not UTF-8 is
 * looked through byte by byte.
 */
export function maskedBytes(bytes: Buffer, from: number, to: number, secrets: Secrets): MaskedBytes {
  const encoding = !isAscii(bytes) && isUtf8(bytes) ? 'utf8' : 'latin1';
  const text = bytes.toString(encoding);
  const spans = secrets.find(text);
  if (spans.length === 0) return { bytes: bytes.subarray(from, to), count: 0 };
  const masked = Buffer.from(bytes);
  let at = 0;
  let index = 0;
  let count = 0;
  for (const span of spans) {
    at += Buffer.byteLength(text.slice(index, span.from), encoding);
    if (at >= from && at < to && !span.isRest) count += 1;
    const secret = text.slice(span.from, span.to);
    const shown = maskSpans(secret, [{ ...span, from: 0, to: secret.length }]);
    let unit = 0;
    for (const character of secret) {
      const length = Buffer.byteLength(character, encoding);
      if (!shown.startsWith(character, unit)) masked.fill('*', at, at + length);
      at += length;
      unit += character.length;
    }
    index = span.to;
  }
  return { bytes: masked.subarray(from, to), count };
}

/** Text before what is masked that may tell that there is a secret in it. A private key of 16,384 bits has 13 KB. */
export const BEFORE_BYTES = 16 * 1024;

/** Returns where the lines begin that are needed to mask what comes behind `end`; inside a very long line, anywhere. */
export function beginningBefore(text: Buffer, end: number): number {
  const start = Math.max(0, end - BEFORE_BYTES);
  const line = start === 0 ? 0 : text.subarray(0, end).indexOf(LF, start) + 1;
  return line > 0 ? line : start;
}

/** A line that is longer is decided in parts. */
const LONGEST_LINE_BYTES = 256 * 1024;

/** One output, masked while it comes: whole lines at once, the beginning of one when it is asked for. */
export class LiveMask {
  readonly #secrets: Secrets;
  #text: Buffer = Buffer.alloc(0);
  /** Where the text begins that was not returned yet. */
  #from = 0;

  constructor(secrets: Secrets) {
    this.#secrets = secrets;
  }

  /** Bytes that came and were not returned. */
  get held(): number {
    return this.#text.length - this.#from;
  }

  /** Returns what can be decided now; null if that is nothing. */
  add(bytes: Buffer): MaskedBytes | null {
    this.#text = Buffer.concat([this.#text, bytes]);
    const lines = this.#text.lastIndexOf(LF) + 1;
    if (lines <= this.#from) return this.held > LONGEST_LINE_BYTES ? this.rest() : null;
    // A token that a terminal wrapped goes on in the next line. A list of variables does not wait for its next one.
    const goesOn = linesAround(this.#text.toString('latin1', this.#from, lines - 1)).behind > 1;
    const to = goesOn ? this.#text.lastIndexOf(LF, lines - 2) + 1 : lines;
    return to <= this.#from ? null : this.#decide(to);
  }

  /** Returns what was held, the beginning of a line; null also where a secret at its end may go on. */
  begun(): MaskedBytes | null {
    const line = this.#text.toString('latin1', this.#from);
    const mayGoOn = TOKEN_START.test(line) || this.#secrets.find(line).some(({ to }) => to === line.length);
    return mayGoOn ? null : this.rest();
  }

  /** Returns all that was held, as it stands; null if there is nothing. */
  rest(): MaskedBytes | null {
    return this.held === 0 ? null : this.#decide(this.#text.length);
  }

  #decide(to: number): MaskedBytes {
    const asked = this.#text.toString('latin1', this.#from, to);
    const { before, header } = linesAround(asked);
    const startsLine = this.#from === 0 || this.#text[this.#from - 1] === LF;
    const start = before > 0 || header || !startsLine ? 0 : this.#from;
    const text = this.#text.subarray(start);
    const masked = maskedBytes(text, this.#from - start, to - start, this.#secrets);
    const keep = beginningBefore(this.#text, to);
    this.#text = this.#text.subarray(keep);
    this.#from = to - keep;
    return masked;
  }
}
