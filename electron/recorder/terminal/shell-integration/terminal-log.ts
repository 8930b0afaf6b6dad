/** Follows a terminal's output and marks, and records the commands typed there (store/contents/commands.ts). */

import { closeSync, openSync, writeSync } from 'node:fs';
import { LF } from '../../../../shared/text/codes.ts';
import { lineText } from '../../../../shared/text/line-text.ts';
import { encodeEntry, type TerminalEntry } from '../../../store/contents/commands.ts';
import type { PtySize } from '../pty.ts';
import type { PromptMark, TerminalPiece } from './prompt-marks.ts';

/** Bytes of typed text to keep, for shells that don't report the command. */
const MAX_TYPED_BYTES = 16 * 1024;

interface Place {
  line: number;
  offset: number;
}

interface End extends Place {
  /** Whether the line before it is complete. */
  lineEnded: boolean;
}

export class TerminalLog {
  readonly #now: () => string;
  #fd: number | null;
  /** Offset of the next byte. */
  #at: Place = { line: 1, offset: 0 };
  /** True when the last byte outside of marks was a line end. */
  #lineEnded = true;
  #lastNumber = 0;
  #prompt: (Place & { cwd: string }) | null = null;
  #typed: Buffer | null = null;
  /** The continuation prompt of typed lines; null if the shell doesn't report it. */
  #continued: string | null = null;
  #running: (Place & { number: number }) | null = null;
  /** The last command that ended. */
  #ended: (Place & { number: number }) | null = null;
  /** End of its output, if marked before the prompt. */
  #outputEnd: End | null = null;
  #commands = 0;

  /** Writes nothing if `path` is null or can't be written. */
  constructor(path: string | null, now: () => string) {
    this.#now = now;
    this.#fd = path === null ? null : open(path);
  }

  /** Processes the next bytes of the terminal. */
  take({ bytes, mark }: TerminalPiece): void {
    const start = this.#at;
    this.#at = { line: start.line + newlinesIn(bytes), offset: start.offset + bytes.length };
    if (mark) {
      this.#takeMark(mark, start);
      return;
    }
    if (bytes.length > 0) this.#lineEnded = bytes[bytes.length - 1] === LF;
    if (this.#typed && this.#typed.length < MAX_TYPED_BYTES)
      this.#typed = Buffer.concat([this.#typed, bytes]);
  }

  resized({ columns, rows }: PtySize): void {
    this.#write({ type: 'resized', offset: this.#at.offset, columns, rows });
  }

  /** Call when the shell has ended: ends its last command. */
  close(exitCode: number | null): void {
    this.#end(exitCode, { ...this.#at, lineEnded: this.#lineEnded });
    if (this.#fd !== null) closeSync(this.#fd);
    this.#fd = null;
  }

  #takeMark(mark: PromptMark, start: Place): void {
    if (mark.type === 'end') {
      if (mark.amends) this.#running ??= this.#ended;
      if (this.#running) this.#outputEnd = { ...start, lineEnded: this.#lineEnded };
      return;
    }
    if (mark.type === 'input') {
      if (this.#prompt) this.#typed = Buffer.alloc(0);
      return;
    }
    if (mark.type === 'continued') {
      this.#continued = mark.prompt;
      return;
    }
    // A program printed an old mark; the shell did not.
    if (mark.number <= this.#lastNumber) return;
    this.#lastNumber = mark.number;
    if (mark.type === 'prompt') {
      this.#end(mark.exitCode, this.#outputEnd ?? { ...start, lineEnded: this.#lineEnded });
      this.#prompt = { ...this.#at, cwd: mark.cwd };
      this.#typed = null;
      return;
    }
    // Without a prompt in between (its hook was removed), the previous command's status is unknown.
    this.#end(null, this.#outputEnd ?? { ...start, lineEnded: this.#lineEnded });
    this.#begin(mark, this.#prompt ?? { ...start, cwd: '' });
    this.#prompt = null;
    this.#typed = null;
    this.#continued = null;
  }

  #begin(mark: PromptMark & { type: 'run' }, prompt: Place & { cwd: string }): void {
    this.#commands += 1;
    this.#running = { ...this.#at, number: this.#commands };
    this.#write({
      type: 'begun',
      number: this.#commands,
      command: mark.sure ? mark.command : likelier(mark.command, this.#typed, this.#continued),
      cwd: prompt.cwd || null,
      started_at: this.#now(),
      prompt_line: prompt.line,
      prompt_offset: prompt.offset,
      start_line: this.#at.line,
      start_offset: this.#at.offset,
    });
  }

  #end(exitCode: number | null, at: End): void {
    const running = this.#running;
    this.#running = null;
    this.#outputEnd = null;
    if (!running) return;
    this.#ended = running;
    const lastLine = at.lineEnded ? at.line - 1 : at.line;
    this.#write({
      type: 'ended',
      number: running.number,
      exit_code: exitCode,
      ended_at: this.#now(),
      end_offset: at.offset,
      end_line: at.offset === running.offset ? null : Math.max(running.line, lastLine),
    });
  }

  #write(entry: TerminalEntry): void {
    if (this.#fd === null) return;
    try {
      const line = Buffer.from(encodeEntry(entry));
      for (let at = 0; at < line.length; ) at += writeSync(this.#fd, line, at);
    } catch {
      // Stop, as a partial line would swallow the next one. The recording itself reports the full disk.
      closeSync(this.#fd);
      this.#fd = null;
    }
  }
}

function open(path: string): number | null {
  try {
    return openSync(path, 'ax', 0o600);
  } catch {
    return null;
  }
}

function newlinesIn(bytes: Buffer): number {
  let count = 0;
  for (let at = bytes.indexOf(LF); at >= 0; at = bytes.indexOf(LF, at + 1)) count += 1;
  return count;
}

/**
 * Chooses between the shell's guess, its history's last entry, and the terminal's echo. The echo decides: a command
 * may be kept out of the history, or the history may start anew.
 */
function likelier(guess: string, typed: Buffer | null, continued: string | null): string {
  if (typed === null) return guess;
  const echoed = typed.toString().replaceAll(WRAPPED, '$1').split('\n').map(shownOf);
  while (echoed.at(-1)?.trim() === '') echoed.pop();
  // A shell that doesn't report continuation prompts knows its commands exactly.
  if (echoed.length === 0 || (echoed.length > 1 && continued === null)) return guess;
  const text = withoutPrompts(echoed, shownOf(`${continued ?? ''}.`).slice(0, -1))
    .join('\n')
    .trimEnd();
  return bare(text) === bare(guess) ? guess : text;
}

/** The first line has its prompt before the bytes that count as typed. */
function withoutPrompts([first = '', ...others]: string[], prompt: string): string[] {
  let lines = [first];
  for (const line of others) {
    if (line.startsWith(prompt)) lines.push(line.slice(prompt.length));
    // The shell shows `!!` expanded, as it runs it.
    else if (/[!^]/.test(first)) lines = [line];
    else lines.push(line);
  }
  return lines;
}

function shownOf(line: string): string {
  return lineText(line.replaceAll(READLINE_IGNORES, ''));
}

/** Around what readline takes for invisible in a prompt. */
const READLINE_IGNORES = /[\x01\x02]/g;

/** Where a line is wider than the terminal, readline prints the next row's first character, CR, and it again. */
const WRAPPED = /(.)\r\1/gu;

/** A history may have the lines of a command in one, with or without `;`. */
function bare(command: string): string {
  return command.replaceAll(/[\s;]+/g, '');
}
