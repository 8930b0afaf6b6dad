/** Reports a thrown value as one line: `spillway: WHAT: WHAT TO DO`. */
import { SpillwayError } from '../../../shared/errors.ts';
import { escapeControls } from '../../../shared/text/escape.ts';
import { ReaderGone, tell } from './print.ts';

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
