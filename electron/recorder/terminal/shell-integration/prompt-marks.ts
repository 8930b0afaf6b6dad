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

const INTRODUCER = Buffer.from('\x1b]633;');
/** Bytes of a continuation prompt to keep. */
const MAX_PROMPT_BYTES = 1024;
const BACKSLASH = 0x5c;

/**
 * Translates the marks of VS Code's own shell integration, which VS Code injects into the shells it starts, for
 * TerminalLog (prompt-marks.ts). They stay in the output, as VS Code also reads them.
 *
 *     ESC ] 633 ; A            the prompt begins            ESC ] 633 ; E ; <command> ; <nonce>   what is about to run
 *     ESC ] 633 ; B            it ends, typing begins       ESC ] 633 ; C                         its output begins
 *     ESC ] 633 ; F, then G    around a continuation prompt ESC ] 633 ; D [ ; <exit status> ]     its output has ended
 *     ESC ] 633 ; P ; Cwd=<folder>
 *
 * Each ends with BEL or ESC \. Source: VS Code's documentation of its terminal shell integration, and the order its
 * scripts for bash, zsh and PowerShell were seen to write. Only E has the nonce, so only E begins a command. Any
 * program can print an end, such as another recording: the last one before the next command counts.
 */
export class VsCodePromptMarks implements PromptMarkReader {
  readonly hides = false;
  readonly #nonce: string;
  #held: Buffer = Buffer.alloc(0);
  #number = 0;
  #phase: 'start' | 'prompt' | 'running' = 'start';
  /** About the command that E announced. */
  #announced: string | null = null;
  /** The status of an end that no prompt has followed yet. */
  #status: number | null = null;
  #cwd = '';
  /** A continuation prompt, between F and G. */
  #continued: Buffer | null = null;

  /** `nonce` is the value of VSCODE_NONCE in the shell's environment. */
  constructor(nonce: string) {
    this.#nonce = nonce;
  }

  get held(): Buffer {
    return this.#held;
  }

  scan(chunk: Buffer): TerminalPiece[] {
    let rest = this.#held.length > 0 ? Buffer.concat([this.#held, chunk]) : chunk;
    this.#held = Buffer.alloc(0);
    const pieces: TerminalPiece[] = [];
    while (rest.length > 0) {
      const start = startIn(rest);
      if (start > 0) pieces.push(this.#text(rest.subarray(0, start)));
      rest = rest.subarray(start);
      if (rest.length === 0) break;
      const length = lengthOf(rest);
      if (length === null) {
        this.#held = Buffer.from(rest);
        break;
      }
      const bytes = rest.subarray(0, length);
      const marks = this.#marksOf(bodyOf(bytes));
      // The bytes belong to the last of the marks that they mean.
      const last = marks.pop() ?? null;
      for (const mark of marks) pieces.push({ bytes: Buffer.alloc(0), mark });
      pieces.push({ bytes, mark: last });
      rest = rest.subarray(length);
    }
    return pieces;
  }

  #text(bytes: Buffer): TerminalPiece {
    if (this.#continued && this.#continued.length < MAX_PROMPT_BYTES)
      this.#continued = Buffer.concat([this.#continued, bytes]);
    return { bytes, mark: null };
  }

  #marksOf(body: string): PromptMark[] {
    const [type, ...fields] = body.split(';');
    if (type === 'E') this.#announced = fields[1] === this.#nonce ? unescapedByCode(fields[0]!) : null;
    else if (type === 'C') return this.#run();
    else if (type === 'D') return this.#end(fields[0] ?? '');
    else if (type === 'B') return this.#input();
    else if (type === 'P' && fields[0]?.startsWith('Cwd=')) return this.#prompt(fields.join(';'));
    else if (type === 'F') this.#continued = Buffer.alloc(0);
    else if (type === 'G' && this.#continued) {
      const prompt = this.#continued.toString();
      this.#continued = null;
      return [{ type: 'continued', prompt }];
    }
    return [];
  }

  #run(): PromptMark[] {
    const command = this.#announced;
    this.#announced = null;
    // Enter alone, or Ctrl-C at the prompt.
    if (!command) return [];
    const before = this.#status === null ? [] : [this.#prompted()];
    this.#phase = 'running';
    // With some history settings, bash tells only the first part of a pipeline; the echo tells more.
    return [...before, { type: 'run', number: this.#next(), sure: false, command }];
  }

  #end(status: string): PromptMark[] {
    // Without a status, no command has run.
    if (this.#phase === 'start' || !/^-?\d{1,10}$/.test(status)) return [];
    this.#status = Number(status);
    return [this.#phase === 'prompt' ? { type: 'end', amends: true } : { type: 'end' }];
  }

  #prompt(property: string): PromptMark[] {
    // Printed by a command.
    if (this.#phase === 'running' && this.#status === null) return [];
    this.#cwd = unescapedByCode(property.slice('Cwd='.length));
    return [this.#prompted()];
  }

  #input(): PromptMark[] {
    if (this.#phase === 'prompt' && this.#status === null) return [{ type: 'input' }];
    // A shell that doesn't tell its folder.
    if (this.#phase === 'start' || this.#status !== null) return [this.#prompted(), { type: 'input' }];
    return [];
  }

  #prompted(): PromptMark {
    const exitCode = this.#status ?? 0;
    this.#status = null;
    this.#phase = 'prompt';
    return { type: 'prompt', number: this.#next(), exitCode, cwd: this.#cwd };
  }

  #next(): number {
    this.#number += 1;
    return this.#number;
  }
}

/** Where a mark begins, or may begin when more comes; the length when none does. */
function startIn(bytes: Buffer): number {
  const whole = bytes.indexOf(INTRODUCER);
  if (whole >= 0) return whole;
  const start = bytes.lastIndexOf(ESC);
  const rest = bytes.subarray(start);
  if (start >= 0 && INTRODUCER.subarray(0, rest.length).equals(rest)) return start;
  return bytes.length;
}

/** Bytes of the sequence that `bytes` begin with; null when its end has not come. */
function lengthOf(bytes: Buffer): number | null {
  if (bytes.length < INTRODUCER.length) return null;
  for (let at = INTRODUCER.length; at < Math.min(bytes.length, MAX_MARK_BYTES); at += 1) {
    if (bytes[at] === BEL) return at + 1;
    if (bytes[at] === ESC && at + 1 < bytes.length) return bytes[at + 1] === BACKSLASH ? at + 2 : at;
  }
  // Too long for a mark: take its introducer for text.
  return bytes.length >= MAX_MARK_BYTES ? INTRODUCER.length : null;
}

function bodyOf(bytes: Buffer): string {
  const end = bytes.at(-1) === BEL ? bytes.length - 1 : bytes.length - 2;
  return bytes.subarray(INTRODUCER.length, Math.max(INTRODUCER.length, end)).toString();
}

/** The scripts escape backslashes, semicolons and control characters. */
function unescapedByCode(text: string): string {
  return text.replace(/\\(\\|x([\da-f]{2}))/gi, (_, all: string, hex?: string) =>
    hex === undefined ? all : String.fromCharCode(Number.parseInt(hex, 16)),
  );
}
