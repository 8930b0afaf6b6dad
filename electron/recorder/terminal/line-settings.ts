/** Reads a terminal's settings (`stty`), so that a command's terminal can have the same. */
import { spawnSync } from 'node:child_process';
import { isatty } from 'node:tty';

export interface LineSettings {
  /** In the form of `stty -g`: hexadecimal numbers separated by colons (leader-script.ts). */
  words: string;
  /** The keys for interrupt and quit; null if unset. */
  interrupt: number | null;
  quit: number | null;
}

/** From the system's headers: input is line by line. */
const ICANON = 2;

/**
 * Returns the line settings of the terminal on stdin, before raw mode. Null while another program has it in raw
 * mode, as a shell does while it reads a line, and for an unknown format.
 */
export function lineSettings(): LineSettings | null {
  if (process.platform !== 'linux' || !isatty(0)) return null;
  const said = spawnSync('stty', ['-g'], { stdio: ['inherit', 'pipe', 'ignore'], encoding: 'latin1' });
  const words = said.stdout?.trim() ?? '';
  if (said.status !== 0 || !/^[\da-f]+(:[\da-f]+){20,}$/.test(words)) return null;
  const [, , , local = 0, interrupt = 0, quit = 0] = words
    .split(':')
    .map((word) => Number.parseInt(word, 16));
  if ((local & ICANON) === 0) return null;
  return { words, interrupt: interrupt || null, quit: quit || null };
}
