/** Reads a terminal's settings (`stty`), so that a command's terminal can have the same; and ends its input. */
import { spawnSync } from 'node:child_process';
import { isatty } from 'node:tty';

export interface LineSettings {
  /** In the form of `stty -g`: hexadecimal numbers separated by colons (perl.ts). */
  words: string;
  /** The keys for interrupt and quit; null if unset. */
  interrupt: number | null;
  quit: number | null;
  /** Ends the input. */
  endOfFile: number | null;
  /** Whether it shows what is typed. */
  echoes: boolean;
}

/** From the system's headers: input is line by line, and shown. */
const ICANON = 2;
const ECHO = 8;

/**
 * Returns the line settings of the terminal on stdin, before raw mode. Null while another program has it in raw
 * mode, as a shell does while it reads a line, and for an unknown format.
 */
export function lineSettings(): LineSettings | null {
  if (process.platform !== 'linux' || !isatty(0)) return null;
  const words = stty('-g');
  if (words === null || !/^[\da-f]+(:[\da-f]+){20,}$/.test(words)) return null;
  const [, , , local = 0, interrupt, quit, , , endOfFile] = words
    .split(':')
    .map((word) => Number.parseInt(word, 16));
  if ((local & ICANON) === 0) return null;
  const keys = { interrupt: interrupt || null, quit: quit || null, endOfFile: endOfFile || null };
  return { words, ...keys, echoes: (local & ECHO) !== 0 };
}

/** Sets the terminal on stdin, or tells how it is set (`-g`). Null if that failed. */
export function stty(...words: string[]): string | null {
  const { status, stdout } = spawnSync('stty', words, {
    stdio: ['inherit', 'pipe', 'ignore'],
    encoding: 'latin1',
  });
  return status === 0 ? stdout.trim() : null;
}

const END_OF_INPUT = '\x04';
/** Pauses between them; the last one repeats. */
const PAUSES_MS = [0, 100, 200, 400, 1000];

/**
 * Types Ctrl-D repeatedly: one may end only the current line, and a program that is busy or changes its terminal's
 * modes may miss it. Returns a function that stops it.
 */
export function endInput(write: (key: string) => void): () => void {
  let timer: NodeJS.Timeout | null = null;
  const next = (times: number) => {
    timer = setTimeout(
      () => {
        write(END_OF_INPUT);
        next(times + 1);
      },
      PAUSES_MS[Math.min(times, PAUSES_MS.length - 1)],
    ).unref();
  };
  next(0);
  return () => {
    if (timer) clearTimeout(timer);
  };
}
