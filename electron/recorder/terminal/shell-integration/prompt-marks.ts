/**
 * Finds the marks of the shell integration in a terminal's output, and separates them from the rest:
 *
 *     ESC ] 633 ; Spillway= <nonce> ; P ; <number> ; <exit status> ; <cwd>   BEL     a prompt begins
 *     ESC ] 633 ; Spillway= <nonce> ; B                                      BEL     it ends, typing begins
 *     ESC ] 633 ; Spillway= <nonce> ; E                                      BEL     the output ends here, before what zsh
 *                                                                                    adds to it (else at P)
 *     ESC ] 633 ; Spillway= <nonce> ; C ; <prompt>                           BEL     the continuation prompt, before an X
 *                                                                                    that is not sure
 *     ESC ] 633 ; Spillway= <nonce> ; X ; <number> ; <sure> ; <command>      BEL     what was typed is run
 *
 * OSC 633 is the sequence of shell integrations; terminals that don't know it ignore it. Only the shell knows the
 * nonce, so a program's output is never taken for a mark. Numbers only rise, so neither are marks in a recording
 * printed in its own terminal (terminal-log.ts). In texts, backslash, ESC, BEL, CR, LF, CAN and SUB are escaped.
 */
import { ESC } from '../../../../shared/text/codes.ts';

export type PromptMark =
  | { type: 'prompt'; number: number; exitCode: number; cwd: string }
  | { type: 'input' }
  /** `amends`: no command was running; the last one ended here instead. */
  | { type: 'end'; amends?: true }
  | { type: 'continued'; prompt: string }
  /** `sure` is false if the shell only guesses the command. */
  | { type: 'run'; number: number; sure: boolean; command: string };

export type TerminalPiece =
  | { bytes: Buffer; mark: null }
  /** The mark's own bytes; null for a sequence that only looks like one. */
  | { bytes: Buffer; mark: PromptMark };

/** Separates marks of one kind from a terminal's other bytes. */
export interface PromptMarkReader {
  /** Splits the bytes into text and marks, in order. Bytes that may begin a mark are held back. */
  scan(chunk: Buffer): TerminalPiece[];
  /** Bytes that may begin a mark. The next pieces repeat them. */
  readonly held: Buffer;
  /** Whether marks are kept from the screen. */
  readonly hides: boolean;
}

/** Longer sequences are not marks. */
const MAX_MARK_BYTES = 64 * 1024;
const BEL = 7;

export class PromptMarkScanner implements PromptMarkReader {
  readonly hides = true;
  readonly #introducer: Buffer;
  /** The beginning of a possible mark. */
  #held: Buffer = Buffer.alloc(0);

  constructor(nonce: string) {
    this.#introducer = Buffer.from(introducer(nonce));
  }

  scan(chunk: Buffer): TerminalPiece[] {
    let rest = this.#held.length > 0 ? Buffer.concat([this.#held, chunk]) : chunk;
    this.#held = Buffer.alloc(0);
    const pieces: TerminalPiece[] = [];
    while (rest.length > 0) {
      const start = this.#startIn(rest);
      if (start > 0) pieces.push({ bytes: rest.subarray(0, start), mark: null });
      rest = rest.subarray(start);
      if (rest.length === 0) break;
      const length = this.#lengthOf(rest);
      if (length === null) {
        this.#held = Buffer.from(rest);
        break;
      }
      const bytes = rest.subarray(0, length);
      const mark = parsePromptMark(bytes.subarray(this.#introducer.length, -1).toString());
      pieces.push(mark ? { bytes, mark } : { bytes, mark: null });
      rest = rest.subarray(length);
    }
    return pieces;
  }

  get held(): Buffer {
    return this.#held;
  }

  /** Index of a mark, or of bytes that may begin one; the length if there is none. */
  #startIn(bytes: Buffer): number {
    const whole = bytes.indexOf(this.#introducer);
    if (whole >= 0) return whole;
    // An introducer has a single ESC, its first byte.
    const start = bytes.lastIndexOf(ESC);
    const rest = bytes.subarray(start);
    if (start >= 0 && this.#introducer.subarray(0, rest.length).equals(rest)) return start;
    return bytes.length;
  }

  /** Length of the sequence at the beginning of `bytes`; null if its end has not arrived. */
  #lengthOf(bytes: Buffer): number | null {
    if (bytes.length < this.#introducer.length) return null;
    const end = bytes.subarray(0, MAX_MARK_BYTES).indexOf(BEL);
    if (end >= 0) return end + 1;
    // Too long for a mark: take its introducer for text.
    return bytes.length >= MAX_MARK_BYTES ? this.#introducer.length : null;
  }
}

export function introducer(nonce: string): string {
  return `\x1b]633;Spillway=${nonce};`;
}

function parsePromptMark(text: string): PromptMark | null {
  if (text === 'B') return { type: 'input' };
  if (text === 'E') return { type: 'end' };
  if (text.startsWith('C;')) return { type: 'continued', prompt: unescaped(text.slice(2)) };
  const [, type, digits, second, rest] = /^([PX]);(\d{1,15});(-?\d{1,10});(.*)$/s.exec(text) ?? [];
  if (digits === undefined || second === undefined || rest === undefined) return null;
  const number = Number(digits);
  if (type === 'P') return { type: 'prompt', number, exitCode: Number(second), cwd: unescaped(rest) };
  return { type: 'run', number, sure: second === '1', command: unescaped(rest) };
}

const ESCAPES: Record<string, string> = { n: '\n', r: '\r', e: '\x1b', a: '\x07', c: '\x18', s: '\x1a' };

function unescaped(text: string): string {
  return text.replace(/\\(.)/gs, (_, letter: string) => ESCAPES[letter] ?? letter);
}
