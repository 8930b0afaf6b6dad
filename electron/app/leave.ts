/**
 * Ends this process, with its standard streams closed: Node leaves a closed one alone. It would set each terminal as it was
 * when Node started. That would undo what the command has set, and spoil the terminal for the job that has it by now. Where
 * the terminal is gone, Node would dump core. And it would ask each file what it is, and so wait for a share that hangs.
 */
import { closeSync, writeSync } from 'node:fs';
import type { Writable } from 'node:stream';
import { isatty } from 'node:tty';
import type { SignalEnd } from '../cli/services.ts';
import { isOnFarDisk } from '../reader/disks/mounts.ts';

const STREAMS = [0, 1, 2];
const terminals = STREAMS.filter((fd) => isatty(fd));

/** Exits with the status, or by the signal. When a terminal we started with is gone, dies by SIGHUP instead. */
export function leave(status: number, by: SignalEnd | null = null): void {
  const end = terminals.every((fd) => isatty(fd)) ? by : { signal: 'SIGHUP' as const, withGroup: false };
  // Last: other handlers may still need the terminal.
  process.on('exit', () => {
    closeTerminals();
    for (const fd of STREAMS.filter(isOnFarDisk)) closeFile(fd);
  });
  if (end !== null) die(end);
  // Reached after `die` only if the signal is ignored.
  process.exit(status);
}

function die({ signal, withGroup }: SignalEnd): void {
  closeTerminals();
  process.removeAllListeners(signal);
  process.kill(withGroup ? 0 : process.pid, signal);
}

function closeTerminals(): void {
  for (const fd of terminals.splice(0)) closeSync(fd);
}

function closeFile(fd: number): void {
  try {
    closeSync(fd);
  } catch {
    // The share says that it kept less than was written; the exit status is settled.
  }
}

// Keeps Node from opening standard error by itself. Each socket that closes asks Node for `process.stderr`, and Node
// makes a pipe non-blocking for every process that shares it: their writes would fail with EAGAIN.

/** Call it first. `process.stderr` is a plain stream then, except on a terminal, which Node opens for itself. */
export function leaveStandardErrorAlone(): void {
  if (isatty(2)) return;
  let plain: Writable | null = null;
  Object.defineProperty(process, 'stderr', {
    configurable: true,
    enumerable: true,
    get: () => {
      plain ??= plainStream();
      return plain;
    },
  });
}

function plainStream(): Writable {
  // Most starts never print: loading it is not worth it for them.
  const { Writable } = process.getBuiltinModule('node:stream');
  return Object.assign(
    new Writable({
      write(bytes: Buffer, _encoding, done) {
        writeAll(bytes);
        done();
      },
    }),
    { fd: 2 },
  );
}

/** Gives up where nobody reads. */
function writeAll(bytes: Buffer): void {
  try {
    for (let at = 0; at < bytes.length; ) at += writeSync(2, bytes, at);
  } catch {
    // There is nowhere left to say it.
  }
}

/** Prints an unexpected error with its stack to stderr; the window and agents get only a short message. */
export function sayDefect(error: unknown): void {
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  process.stderr.write(`spillway: a defect in Spillway, please report it: ${text}\n`);
}
