/** Tests of single characters, for scanners that read UTF-8 bytes and UTF-16 code units alike. */

/** A line's characters: where only ASCII matters, both can be read the same way. */
export type Codes = Uint8Array | Uint16Array;

export function isLetter(code: number): boolean {
  const letter = (code | 0x20) - 0x61;
  return letter >= 0 && letter < 26;
}

export function isCapital(code: number): boolean {
  return code >= 0x41 && code <= 0x5a;
}

export function isDigit(code: number | undefined): boolean {
  return code !== undefined && code >= 0x30 && code <= 0x39;
}

export function isBlank(code: number | undefined): boolean {
  return code === 0x20 || code === 0x09;
}

export function isQuote(code: number | undefined): boolean {
  return code === 0x22 || code === 0x27;
}

/** The text from `from` up to `to`, which should be short and ASCII. */
export function asciiText(codes: Codes, from: number, to: number): string {
  let text = '';
  for (let i = from; i < to; i++) text += String.fromCharCode(codes[i]!);
  return text;
}

/** Whether the ASCII `text` stands at `at`, before `end`. */
export function standsAt(codes: Codes, at: number, end: number, text: string): boolean {
  if (end - at < text.length) return false;
  for (let i = 0; i < text.length; i++) if (codes[at + i] !== text.charCodeAt(i)) return false;
  return true;
}

/** As `standsAt`, where `d` in the pattern is any digit. */
export function patternAt(codes: Codes, at: number, end: number, pattern: string): boolean {
  if (end - at < pattern.length) return false;
  for (let i = 0; i < pattern.length; i++) {
    const wanted = pattern.charCodeAt(i);
    const code = codes[at + i]!;
    if (wanted === 0x64 ? !isDigit(code) : code !== wanted) return false;
  }
  return true;
}

/** Bytes that readers of text look for. */
export const LF = 0x0a;
export const CR = 0x0d;
export const ESC = 0x1b;
/** A byte order mark, as a character. */
export const BOM = 0xfeff;
