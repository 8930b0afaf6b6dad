/** Makes names that no other process makes, without `node:crypto`, which takes 2 ms and 2 MB to load. */
import { closeSync, openSync, readSync } from 'node:fs';

/** Returns so many random bytes, in hexadecimal. */
export function randomHex(bytes: number): string {
  const random = Buffer.alloc(bytes);
  return (readFromSystem(random) ? random : fromCrypto(bytes)).toString('hex');
}

function readFromSystem(into: Buffer): boolean {
  try {
    const fd = openSync('/dev/urandom', 'r');
    try {
      return readSync(fd, into) === into.length;
    } finally {
      closeSync(fd);
    }
  } catch {
    // Windows, or a folder tree without devices.
    return false;
  }
}

function fromCrypto(bytes: number): Buffer {
  return process.getBuiltinModule('node:crypto').randomBytes(bytes);
}
