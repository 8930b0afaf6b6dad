/** Writes to standard output and error. Waits until all is written; throws ReaderGone when the reader exits. */
import { isatty } from 'node:tty';
import { output } from './outputs.ts';

/** The reader of our output has exited (`| head`). Not an error; nothing more needs doing. */
export class ReaderGone extends Error {}

/** Resolves when the system has taken all of it. Throws ReaderGone, or the write error. */
export function print(text: string | Uint8Array): Promise<void> {
  return write(1, text);
}

/** Prints a sentence to standard error. Never throws. */
export function tell(text: string): Promise<void> {
  return write(2, `${text}\n`).catch(() => {});
}

/** Writes the text unchanged to standard error, if that is a terminal. Never throws. */
export function draw(text: string): Promise<void> {
  return isatty(2) ? write(2, text).catch(() => {}) : Promise.resolve();
}

/** Returns whether standard output is a terminal, and its width in cells. */
export function terminalLook(): { isTerminal: boolean; columns: number } {
  // `process.stdout.isTTY` would make a pipe non-blocking for every process that shares it.
  const isTerminal = isatty(1);
  return { isTerminal, columns: (isTerminal && process.stdout.columns) || 80 };
}

/** Prints one JSON document. Escapes characters that a terminal could act on; JSON readers see no difference. */
export function printJson(value: unknown): Promise<void> {
  const text = JSON.stringify(value, null, terminalLook().isTerminal ? 2 : undefined);
  return print(
    `${text.replace(UNSAFE, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`)}\n`,
  );
}

/**
 * Characters that JSON.stringify leaves as they are: DEL, C1 controls, line separators and bidirectional controls.
 */
const UNSAFE = /[\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g;

async function write(fd: 1 | 2, text: string | Uint8Array): Promise<void> {
  const to = output(fd);
  await to.outlet.write(typeof text === 'string' ? Buffer.from(text) : text);
  if (to.gone === null) return;
  throw to.gone.error ?? new ReaderGone();
}
