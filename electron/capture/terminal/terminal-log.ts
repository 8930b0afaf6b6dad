/** Follows a terminal's bytes and marks, and writes down what was typed there (library/captures/commands.ts). */
import { closeSync, openSync, writeSync } from 'node:fs';
import { lineText } from '../../../shared/text/line-text.ts';
import { encodeEntry, type TerminalEntry } from '../../library/captures/contents/commands.ts';
import type { Mark, Piece } from './marks.ts';
import type { PtySize } from './pty.ts';

/** Bytes of what was typed that are kept, for where the shell can't say what it was. */
const MAX_TYPED_BYTES = 16 * 1024;

interface Place {
  line: number;
  offset: number;
}

interface End extends Place {
  /** The line before it is whole. */
  lineEnded: boolean;
}

export class TerminalLog {
  readonly #now: () => string;
  #fd: number | null;
  /** Of the next byte. */
  #at: Place = { line: 1, offset: 0 };
  /** The last byte that is no part of a mark was a line end. */
  #lineEnded = true;
  #lastNumber = 0;
  #prompt: (Place & { cwd: string }) | null = null;
  #typed: Buffer | null = null;
  #running: (Place & { number: number }) | null = null;
  /** Where its output ended, when that was said before the prompt. */
  #outputEnd: End | null = null;
  #commands = 0;

  /** `path` null writes nothing, as does one that can't be written. */
  constructor(path: string | null, now: () => string) {
    this.#now = now;
    this.#fd = path === null ? null : open(path);
  }

  /** The next bytes of the terminal. */
  take({ bytes, mark }: Piece): void {
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

  /** The shell has ended: whatever still ran was the shell's last command. */
  close(exitCode: number | null): void {
    this.#end(exitCode, { ...this.#at, lineEnded: this.#lineEnded });
    if (this.#fd !== null) closeSync(this.#fd);
    this.#fd = null;
  }

  #takeMark(mark: Mark, start: Place): void {
    if (mark.type === 'end') {
      if (this.#running) this.#outputEnd = { ...start, lineEnded: this.#lineEnded };
      return;
    }
    if (mark.type === 'input') {
      if (this.#prompt) this.#typed = Buffer.alloc(0);
      return;
    }
    if (mark.type === 'prompt') {
      // Printed by something that had read it, not by the shell.
      if (mark.number <= this.#lastNumber) return;
      this.#lastNumber = mark.number;
      this.#end(mark.exitCode, this.#outputEnd ?? { ...start, lineEnded: this.#lineEnded });
      this.#prompt = { ...this.#at, cwd: mark.cwd };
      this.#typed = null;
      return;
    }
    if (mark.number !== this.#lastNumber || !this.#prompt) return;
    this.#begin(mark, this.#prompt);
    this.#prompt = null;
    this.#typed = null;
  }

  #begin(mark: Mark & { type: 'run' }, prompt: Place & { cwd: string }): void {
    this.#commands += 1;
    this.#running = { ...this.#at, number: this.#commands };
    this.#write({
      type: 'begun',
      number: this.#commands,
      command: mark.sure ? mark.command : likelier(mark.command, this.#typed),
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
      // A line cut short would swallow the next one; the recording itself says that the disk is full.
      closeSync(this.#fd);
      this.#fd = null;
    }
  }
}

const LF = 10;

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
 * The shell's guess is its history's last entry; where commands may be kept out of the history, it may be another one.
 * What the terminal echoed decides.
 */
function likelier(guess: string, typed: Buffer | null): string {
  if (typed === null) return guess;
  const echoed = lineText(
    typed
      .toString()
      .replace(/\r?\n$/, '')
      .replaceAll('\n', ''),
  ).trimEnd();
  return echoed.trim() === '' || echoed.trim() === guess.trim() ? guess : echoed;
}
