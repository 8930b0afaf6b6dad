/** Reads a terminal's settings (`stty`), so that a command's terminal can have the same. */
import { spawnSync } from 'node:child_process';
import { isatty } from 'node:tty';

export interface LineSettings {
  /** As `stty -g` says them: numbers in base 16, between colons (leader-script.ts). */
  words: string;
  /** The keys that ask a command to end; null where there is none. */
  interrupt: number | null;
  quit: number | null;
}

/** The system's: keys are taken in lines. */
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
