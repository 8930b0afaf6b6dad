/**
 * Chooses the port of a home's page: the same one at each start. A browser keeps marks, notes and tabs by origin, and
 * exported links name the port.
 */
import { createHash } from 'node:crypto';

/** Below the ports that Linux, macOS and Windows give to outgoing connections. */
const FIRST = 20_000;
const COUNT = 10_000;
const TRIES = 4;

/** Returns ports that follow from the home's path; the later ones are for when another program has the first. */
export function portsOfHome(home: string): number[] {
  const digest = createHash('sha256').update(home).digest();
  return Array.from({ length: TRIES }, (_, i) => FIRST + (digest.readUInt32BE(4 * i) % COUNT));
}
