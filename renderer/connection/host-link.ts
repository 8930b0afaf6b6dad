/**
 * Keeps one connection to the host. After it closes, opens the next after a wait that doubles up to ten seconds.
 * Components subscribe again when the connection in the state changes.
 */
import type { Connection } from '../../shared/api/api.ts';
import { connectionOver } from '../../shared/api/client.ts';
import type { OpenEnd } from './open-end.ts';

export interface LinkState {
  status: 'connecting' | 'online' | 'offline';
  connection: Connection | null;
  /** When the next attempt is made, in milliseconds since 1970; null unless offline and waiting. */
  retryAt: number | null;
  /** True once there has been a connection. */
  wasOnline: boolean;
}

const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 10_000;
const ATTEMPT_TIMEOUT_MS = 8_000;

export class HostLink {
  readonly #openEnd: OpenEnd;
  readonly #listeners = new Set<() => void>();
  #state: LinkState = { status: 'connecting', connection: null, retryAt: null, wasOnline: false };
  #failures = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #attempt: AbortController | undefined;

  constructor(openEnd: OpenEnd) {
    this.#openEnd = openEnd;
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  readonly state = (): LinkState => this.#state;

  start(): void {
    if (this.#attempt || this.#state.connection) return;
    void this.#try();
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#attempt?.abort();
    this.#attempt = undefined;
    this.#state.connection?.close();
    this.#set({ status: 'connecting', connection: null, retryAt: null });
  }

  /** Retries without waiting. */
  readonly tryNow = (): void => {
    if (this.#state.status !== 'offline') return;
    clearTimeout(this.#timer);
    void this.#try();
  };

  async #try(): Promise<void> {
    const attempt = new AbortController();
    this.#attempt = attempt;
    this.#set({ retryAt: null });
    const timeout = setTimeout(() => attempt.abort(), ATTEMPT_TIMEOUT_MS);
    try {
      const connection = connectionOver(await this.#openEnd(attempt.signal));
      if (this.#attempt !== attempt) return connection.close();
      this.#failures = 0;
      connection.onClose(() => {
        if (this.#state.connection === connection) this.#wait();
      });
      this.#set({ status: 'online', connection, retryAt: null, wasOnline: true });
    } catch {
      if (this.#attempt === attempt) this.#wait();
    } finally {
      clearTimeout(timeout);
      if (this.#attempt === attempt) this.#attempt = undefined;
    }
  }

  #wait(): void {
    const wait = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** this.#failures);
    this.#failures += 1;
    this.#timer = setTimeout(() => void this.#try(), wait);
    this.#set({ status: 'offline', connection: null, retryAt: Date.now() + wait });
  }

  #set(change: Partial<LinkState>): void {
    this.#state = { ...this.#state, ...change };
    for (const listener of [...this.#listeners]) listener();
  }
}
