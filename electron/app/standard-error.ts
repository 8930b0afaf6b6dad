/**
 * Keeps Node from opening standard error by itself. Each socket that closes asks Node for `process.stderr`, and Node
 * makes a pipe non-blocking for every process that shares it: their writes would fail with EAGAIN.
 */
import { writeSync } from 'node:fs';
import type { Writable } from 'node:stream';
import { isatty } from 'node:tty';

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
