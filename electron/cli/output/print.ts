/** Writes to standard output and error. Waits until all is written; throws ReaderGone when the reader exits. */
import { isatty } from 'node:tty';
import type { Cause } from '../../../shared/artifact.ts';
import { SpillwayError } from '../../../shared/errors.ts';
import { type RunHead, TIMED_OUT_AFTER } from '../../../shared/recording.ts';
import { escapeControls } from '../../../shared/text/escape.ts';
import { formatCount } from '../../../shared/text/format.ts';
import type { RunResult } from '../../host/recording/run-request.ts';
import { Outlet } from '../../recorder/streams/outlet.ts';

/** The reader of our output has exited (`| head`). Not an error; nothing more needs doing. */
class ReaderGone extends Error {}

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

/** `raw`: the user asked for the escape sequences themselves. */
export function forOutput(text: string, raw: boolean): string {
  return raw || !terminalLook().isTerminal ? text : escapeControls(text);
}

/** Returns a view's note as the command line prints it. */
export function noteForPerson(note: string): string {
  return `spillway: ${escapeControls(note)}`;
}

// Styles text for a terminal. No styles in pipes and files, with NO_COLOR, or on a terminal without colours.

const CODES = { red: 31, green: 32, yellow: 33, cyan: 36, bold: 1, faint: 2, match: '1;31' } as const;
export type Style = keyof typeof CODES;

export function hasColour(env: NodeJS.ProcessEnv = process.env): boolean {
  return terminalLook().isTerminal && !env.NO_COLOR && env.TERM !== 'dumb';
}

/** Returns the text in this style, or unchanged without colours. The text must have no escape sequences. */
export function styled(text: string, style: Style | null): string {
  return style === null || text === '' || !hasColour() ? text : `\x1b[${CODES[style]}m${text}\x1b[0m`;
}

/**
 * Returns the last line printed after a command with long output: how it ended unless it succeeded, the line that
 * explains a failure, what changed since it last passed, and where the output is. `whole`: all of the output was kept.
 */
export function howItEnded(
  { head, signal, whole }: Pick<RunResult, 'head' | 'signal' | 'whole'>,
  artifactId: string,
  changes: string | null = null,
): string {
  const { success, exit_code, timed_out, cause } = head;
  if (success) return whereItIs(artifactId, whole);
  const ended = timed_out ? 'timed out' : signal === null ? `exit ${exit_code}` : signal;
  const since = changes === null ? '' : `${changes}; `;
  if (cause === null) return `${ended}; ${since}${whereItIs(artifactId, whole)}`;
  const line = whereOf(cause, head);
  const text = cause.text.trim();
  const how = timed_out && text.startsWith(TIMED_OUT_AFTER) ? '' : `${ended}; `;
  const rest = whole ? 'more' : 'what was kept';
  const isBinary = cause.stream !== 'combined' && head[cause.stream]?.content_type === 'binary';
  return `${how}${line}: ${text}; ${since}${rest}: spillway inspect ${artifactId} --mode failure${isBinary ? ' --as-text' : ''}`;
}

/** Returns the number that `inspect` counts without `--stream`, and behind it the number in one of two streams. */
function whereOf(
  { stream, line_number, combined_line: combined }: Cause,
  { stdout, stderr }: RunHead,
): string {
  const isOneOfTwo = (stdout?.total_lines ?? 0) > 0 && (stderr?.total_lines ?? 0) > 0;
  const own = formatCount(line_number);
  if (combined !== undefined)
    return `line ${formatCount(combined)}${isOneOfTwo ? ` (${own} of ${stream})` : ''}`;
  return `line ${own}${stream === 'stderr' || isOneOfTwo ? ` of ${stream}` : ''}`;
}

/** Returns the last line printed after a long output: the artifact that holds it, and whether that is complete. */
export function whereItIs(artifactId: string, whole: boolean): string {
  return `${whole ? 'all of it' : 'what was kept'} is ${artifactId}: spillway inspect ${artifactId}`;
}

// Standard output and error: one outlet each for the whole process, so that writes stay in order.

type Gone = (error: NodeJS.ErrnoException | null) => void;

class Output {
  readonly outlet: Outlet;
  readonly #listeners: Gone[] = [];
  #gone: { error: NodeJS.ErrnoException | null } | null = null;

  constructor(fd: 1 | 2, keepsTime: boolean) {
    const events = {
      gone: (error: NodeJS.ErrnoException | null) => {
        this.#gone = { error };
        for (const listener of this.#listeners) listener(error);
      },
    };
    this.outlet = new Outlet(fd, events, keepsTime);
  }

  /** Set once nothing more can be written: the reader exited (a null error), or a write failed. */
  get gone(): { error: NodeJS.ErrnoException | null } | null {
    return this.#gone;
  }

  /** Calls `listener` once: immediately if it has happened already. */
  onGone(listener: Gone): void {
    if (this.#gone) listener(this.#gone.error);
    else this.#listeners.push(listener);
  }
}

const outputs: Partial<Record<1 | 2, Output>> = {};

/** `keepsTime` counts at the first call: see Outlet. */
export function output(fd: 1 | 2, keepsTime = false): Output {
  outputs[fd] ??= new Output(fd, keepsTime);
  return outputs[fd];
}

/** Resolves when everything is written. Await it before the process ends. */
export async function flushOutputs(): Promise<void> {
  await Promise.all(Object.values(outputs).map(({ outlet }) => outlet.flushed()));
}

// Reports a thrown value as one line: `spillway: WHAT: WHAT TO DO`.

/** Prints the error and returns the exit status. With SPILLWAY_DEBUG set, prints the stack too. */
export async function reportError(error: unknown): Promise<number> {
  if (error instanceof ReaderGone) return 0;
  await tell(`spillway: ${escapeControls(messageOf(error))}`);
  if (process.env.SPILLWAY_DEBUG && error instanceof Error) await tell(error.stack ?? '');
  return 2;
}

function messageOf(error: unknown): string {
  if (error instanceof SpillwayError && error.code !== 'internal') return `${error.what}: ${error.todo}`;
  const { code, syscall, path, message } = (
    error instanceof Error ? error : new Error(String(error))
  ) as NodeJS.ErrnoException;
  if (syscall === 'uv_cwd') return 'the folder you are in has been deleted: go to one that is there (cd)';
  const advice = code === undefined ? undefined : ADVICE[code];
  if (advice !== undefined)
    return `${syscall ?? 'writing'} ${path ?? 'the output'} failed (${code}): ${advice}`;
  // The message of an internal error from a worker asks for the report already.
  const what = error instanceof SpillwayError ? error.what : message;
  return `${what}: this is a defect of Spillway, please report it (SPILLWAY_DEBUG=1 shows where it happened)`;
}

const ADVICE: Partial<Record<string, string>> = {
  ENOSPC: 'free some space on the disk',
  EFBIG: 'raise the limit of a file’s size (ulimit -f)',
  EACCES: 'check the permissions',
  EPERM: 'check the permissions',
  EMFILE: 'raise the limit of open files (ulimit -n)',
  EIO: 'check the disk',
  EBADF: 'standard output is closed, or open for reading only: open it for writing',
};
