/**
 * Standard output, written in order and without ever blocking this thread: a terminal that stands still must not keep
 * what is recorded from the disk, nor signals from us.
 */
import { write } from 'node:fs';

/** Bytes that wait to be written before whoever produces them is told to stop, and when they may go on. */
const FULL = 1024 * 1024;
const ROOM = 256 * 1024;
/** When the system takes nothing just now, in milliseconds. */
const RETRY_MS = 10;

export interface OutletEvents {
  full(): void;
  room(): void;
  /** Whoever read it has gone; nothing is written any more. */
  gone(): void;
}

export class Outlet {
  readonly #fd: number;
  readonly #events: OutletEvents;
  readonly #queue: Buffer[] = [];
  #waiting = 0;
  #full = false;
  #writing = false;
  #broken = false;
  #idle: (() => void)[] = [];

  constructor(fd: number, events: OutletEvents) {
    this.#fd = fd;
    this.#events = events;
  }

  /** Its memory must not be used again. */
  write(bytes: Buffer): void {
    if (bytes.length === 0 || this.#broken) return;
    this.#queue.push(bytes);
    this.#waiting += bytes.length;
    if (!this.#full && this.#waiting > FULL) {
      this.#full = true;
      this.#events.full();
    }
    this.#next();
  }

  /** Resolves when all is written, or nobody reads it. */
  flushed(): Promise<void> {
    if (!this.#writing) return Promise.resolve();
    return new Promise((resolve) => this.#idle.push(resolve));
  }

  #next(): void {
    if (this.#writing) return;
    if (this.#queue.length === 0) {
      for (const resolve of this.#idle.splice(0)) resolve();
      return;
    }
    this.#writing = true;
    const bytes = this.#queue.length === 1 ? this.#queue[0]! : Buffer.concat(this.#queue);
    this.#queue.length = 0;
    write(this.#fd, bytes, (error, written) => this.#wrote(bytes, error, written));
  }

  #wrote(bytes: Buffer, error: NodeJS.ErrnoException | null, written: number): void {
    if (error && error.code !== 'EAGAIN' && error.code !== 'EINTR') {
      this.#fail();
      return;
    }
    const rest = bytes.subarray(error ? 0 : written);
    if (rest.length > 0) this.#queue.unshift(rest);
    if (!error) this.#wait(-written);
    const goOn = () => {
      this.#writing = false;
      this.#next();
    };
    if (error) setTimeout(goOn, RETRY_MS);
    else goOn();
  }

  #wait(change: number): void {
    this.#waiting += change;
    if (!this.#full || this.#waiting > ROOM) return;
    this.#full = false;
    this.#events.room();
  }

  #fail(): void {
    this.#broken = true;
    this.#writing = false;
    this.#queue.length = 0;
    this.#wait(-this.#waiting);
    for (const resolve of this.#idle.splice(0)) resolve();
    this.#events.gone();
  }
}
