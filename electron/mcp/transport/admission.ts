/**
 * How many of a connection's requests are being worked on: the first few at once, the next ones wait their turn,
 * and when enough wait nothing more is read. Cancellations overtake, or a client could not free its own places.
 */
import {
  isJSONRPCNotification,
  isJSONRPCRequest,
  type JSONRPCMessage,
  type RequestId,
} from '@modelcontextprotocol/server';

/** Requests that one connection may have running at once. */
export const MAX_IN_FLIGHT = 8;
/** Stop reading the connection when this many requests wait. */
export const MAX_WAITING = 64;

export class Admission {
  readonly #deliver: (message: JSONRPCMessage) => void;
  readonly #inFlight = new Set<RequestId>();
  readonly #waiting = new Map<RequestId, JSONRPCMessage>();

  constructor(deliver: (message: JSONRPCMessage) => void) {
    this.#deliver = deliver;
  }

  /** Whether another message may be offered. */
  get full(): boolean {
    return this.#waiting.size >= MAX_WAITING;
  }

  /** Whether every request that was offered has been answered or cancelled. */
  get idle(): boolean {
    return this.#inFlight.size === 0 && this.#waiting.size === 0;
  }

  /** Whether a request of this id is still unanswered: the same id again could not be told from it. */
  has(id: RequestId): boolean {
    return this.#inFlight.has(id) || this.#waiting.has(id);
  }

  /** Delivers the message now, or when its turn comes. */
  offer(message: JSONRPCMessage): void {
    if (isJSONRPCRequest(message) && !isOpenEnded(message.method)) {
      this.#waiting.set(message.id, message);
      this.next();
      return;
    }
    const cancelled = cancelledId(message);
    // A request that was never started is dropped with its cancellation: there is nothing to stop.
    if (cancelled !== undefined && this.#waiting.delete(cancelled)) return;
    this.#deliver(message);
    if (cancelled !== undefined) this.settle(cancelled);
  }

  /** The request has been answered, or never will be. */
  settle(id: RequestId): void {
    this.#inFlight.delete(id);
  }

  /** Starts the requests whose turn has come. */
  next(): void {
    for (const [id, message] of this.#waiting) {
      if (this.#inFlight.size >= MAX_IN_FLIGHT) return;
      this.#waiting.delete(id);
      this.#inFlight.add(id);
      this.#deliver(message);
    }
  }

  clear(): void {
    this.#inFlight.clear();
    this.#waiting.clear();
  }
}

/** A subscription stays open for as long as the client listens, so it must not take a place. */
function isOpenEnded(method: string): boolean {
  return method === 'subscriptions/listen';
}

/** The request that a message cancels, if it does. */
export function cancelledId(message: JSONRPCMessage): RequestId | undefined {
  if (!isJSONRPCNotification(message) || message.method !== 'notifications/cancelled') return undefined;
  const id = message.params?.requestId;
  return typeof id === 'string' || typeof id === 'number' ? id : undefined;
}

/** Limits how many requests run at once. Others wait in order; when too many wait, the next is refused. */
export class Turns {
  readonly #most: number;
  readonly #mostWaiting: number;
  readonly #waiting: (() => void)[] = [];
  #taken = 0;

  constructor(most: number, mostWaiting: number) {
    this.#most = most;
    this.#mostWaiting = mostWaiting;
  }

  /** Resolves, when its turn has come, with what gives the place back (once); null when too many wait. */
  async take(signal: AbortSignal): Promise<(() => void) | null> {
    if (this.#taken >= this.#most) {
      if (this.#waiting.length >= this.#mostWaiting) return null;
      await this.#turn(signal);
    } else this.#taken += 1;
    let given = false;
    return () => {
      if (given) return;
      given = true;
      const next = this.#waiting.shift();
      // The place goes from hand to hand.
      if (next) next();
      else this.#taken -= 1;
    };
  }

  #turn(signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const left = () => {
        const at = this.#waiting.indexOf(mine);
        if (at >= 0) this.#waiting.splice(at, 1);
        reject(signal.reason);
      };
      const mine = () => {
        signal.removeEventListener('abort', left);
        resolve();
      };
      if (signal.aborted) return reject(signal.reason);
      signal.addEventListener('abort', left, { once: true });
      this.#waiting.push(mine);
    });
  }
}
