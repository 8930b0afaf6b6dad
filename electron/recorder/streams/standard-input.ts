/** Our stdin as a stream, without setting O_NONBLOCK on a shared open file description. */
import { closeSync, constants, createReadStream, fstatSync, openSync, readFileSync } from 'node:fs';
import { Socket } from 'node:net';
import type { Readable } from 'node:stream';

/** Opens a description of our own for a pipe. Does not touch `process.stdin`. */
export function standardInput(): Readable {
  const own = ownPipe();
  if (own !== null) return new Socket({ fd: own, readable: true, writable: false });
  if (isFile()) return createReadStream('', { fd: 0, autoClose: false });
  return process.stdin;
}

function ownPipe(): number | null {
  try {
    const { dev, ino } = fstatSync(0);
    if (process.platform !== 'linux' || !fstatSync(0).isFIFO() || isWriteOnly()) return null;
    const own = openSync('/proc/self/fd/0', constants.O_RDONLY | constants.O_NONBLOCK);
    const same = fstatSync(own);
    if (same.dev === dev && same.ino === ino) return own;
    closeSync(own);
    return null;
  } catch {
    return null;
  }
}

/** The write end of a pipe can be opened for reading, but never reaches its end, as we hold it open ourselves. */
function isWriteOnly(): boolean {
  const flags = /^flags:\s*([0-7]+)/m.exec(readFileSync('/proc/self/fdinfo/0', 'latin1'))?.[1] ?? '0';
  return (Number.parseInt(flags, 8) & constants.O_WRONLY) !== 0;
}

function isFile(): boolean {
  try {
    return fstatSync(0).isFile();
  } catch {
    return false;
  }
}
