/** Tells whether a connection on this machine comes from a process of this user. */
import { readFileSync } from 'node:fs';
import type { Socket } from 'node:net';

/** Columns of /proc/net/tcp (proc(5)). */
const LOCAL = 1;
const REMOTE = 2;
const UID = 7;
const LOOPBACK = /^(?:::ffff:)?127\.|^::1$/;

/**
 * True for a process of this user, and of root, which may do everything anyway: it also passes on what comes from
 * outside a virtual machine. False where Linux does not say whose it is. Other systems cannot be asked: true there.
 */
export function isOwnPeer(socket: Pick<Socket, 'remoteAddress' | 'remotePort' | 'localPort'>): boolean {
  if (process.platform !== 'linux') return true;
  const { remoteAddress = '', remotePort = 0, localPort = 0 } = socket;
  if (!LOOPBACK.test(remoteAddress)) return false;
  const uid = uidOf(remotePort, localPort, tables());
  return uid !== null && (uid === 0 || uid === process.getuid?.());
}

/** Returns the user of the socket that has the first port here and the second there; null if there is none. */
export function uidOf(localPort: number, remotePort: number, tables: readonly string[]): number | null {
  const hex = (port: number) => `:${port.toString(16).toUpperCase().padStart(4, '0')}`;
  const [local, remote] = [hex(localPort), hex(remotePort)];
  for (const table of tables) {
    for (const line of table.split('\n').slice(1)) {
      const columns = line.trim().split(/\s+/);
      if (columns[LOCAL]?.endsWith(local) && columns[REMOTE]?.endsWith(remote)) return Number(columns[UID]);
    }
  }
  return null;
}

function tables(): string[] {
  return ['tcp', 'tcp6'].flatMap((name) => {
    try {
      return readFileSync(`/proc/self/net/${name}`, 'latin1');
    } catch {
      // Without IPv6 there is one of them.
      return [];
    }
  });
}
