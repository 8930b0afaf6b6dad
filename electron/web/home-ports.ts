/**
 * Chooses the port of a home's page: the same one at each start. A browser keeps marks, notes and tabs by origin, and
 * exported links name the port. The price: cookies do not distinguish ports, so another web server on this machine that
 * the person visits receives ours (Host, Origin and Sec-Fetch-Site keep its pages out); and another user's server that
 * listens here while Spillway does not run could read marks and later tokens, if opened. `--port 0` avoids that.
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
