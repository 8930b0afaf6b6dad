/** Writes to standard output and error. Waits until all is written; ends quietly when the reader exits. */
import type { WriteStream } from 'node:tty';

/** The reader of our output has gone (`| head`): nothing is wrong, and nothing more needs doing. */
export class ReaderGone extends Error {}

/** Resolves when the system has all of it. Throws ReaderGone, or what writing failed with. */
export function print(text: string | Uint8Array): Promise<void> {
  return write(process.stdout, text);
}

/** A sentence for the person, beside the output. */
export function tell(text: string): Promise<void> {
  return write(process.stderr, `${text}\n`).catch(() => {});
}

/** Whether standard output is a terminal, and how many cells wide it is. */
export function terminal(): { isTerminal: boolean; columns: number } {
  const isTerminal = process.stdout.isTTY === true;
  return { isTerminal, columns: (isTerminal && process.stdout.columns) || 80 };
}

/** One JSON document. What a terminal could take for a control is escaped, which means the same to a reader of JSON. */
export function printJson(value: unknown): Promise<void> {
  const text = JSON.stringify(value, null, terminal().isTerminal ? 2 : undefined);
  return print(
    `${text.replace(UNSAFE, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`)}\n`,
  );
}

/** DEL, the C1 controls, line separators, and what turns the direction of text: JSON leaves them as they are. */
const UNSAFE = /[\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g;

/** Without a listener, a failed write would end the process with a stack; `write` reports it to its caller. */
export function quietenStreams(): void {
  process.stdout.on('error', () => {});
  process.stderr.on('error', () => {});
}

function write(stream: WriteStream, text: string | Uint8Array): Promise<void> {
  return new Promise((resolve, reject) => {
    stream.write(text, (error) => {
      if (!error) resolve();
      else if ((error as NodeJS.ErrnoException).code === 'EPIPE') reject(new ReaderGone());
      else reject(error);
    });
  });
}
