/** Whether anyone listens at a place. The system's word is final: a refused connection means that nobody does. */
import net from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { SpillwayError } from '../../../shared/errors.ts';

/** Null when nobody listens. Errors: `busy` when someone does but takes no connections; `no_permission`. */
export async function reach(place: string): Promise<net.Socket | null> {
  for (let attempt = 1; ; attempt++) {
    const result = await connectOnce(place);
    if (result instanceof net.Socket) return result;
    switch (result.code) {
      case 'ENOENT':
      case 'ECONNREFUSED':
        return null;
      case 'EACCES':
      case 'EPERM':
        throw new SpillwayError('no_permission', `No permission to connect to ${place}`, 'check who owns it');
      case 'EAGAIN':
      case 'EBUSY':
        // Its queue of unanswered connections is full.
        if (attempt < ATTEMPTS) break;
        throw new SpillwayError(
          'busy',
          `The process that listens on ${place} takes no connections`,
          'wait a moment and retry, or end that process',
        );
      default:
        throw new SpillwayError('internal', `Connecting to ${place} failed (${result.code})`, 'retry');
    }
    await sleep(50);
  }
}

/** Whether a live process listens there. */
export async function isListening(place: string): Promise<boolean> {
  try {
    const socket = await reach(place);
    socket?.destroy();
    return socket !== null;
  } catch (error) {
    if (error instanceof SpillwayError && error.code === 'busy') return true;
    throw error;
  }
}

const ATTEMPTS = 20;

function connectOnce(place: string): Promise<net.Socket | NodeJS.ErrnoException> {
  return new Promise((resolve) => {
    const socket = net.connect(place);
    const failed = (error: NodeJS.ErrnoException) => {
      socket.destroy();
      resolve(error);
    };
    socket.once('error', failed);
    socket.once('connect', () => {
      socket.off('error', failed);
      resolve(socket);
    });
  });
}
