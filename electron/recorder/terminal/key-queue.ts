/**
 * Writes keys to a pseudo-terminal. When its program does not read, the system accepts no more, and Node's own
 * stream would block the whole process.
 */
import { writeSync } from 'node:fs';

/** Milliseconds between two tries. */
const RETRY_MS = 10;

export class KeyQueue {
  readonly #fd: number;
  #waiting: Buffer[] = [];
  #timer: NodeJS.Timeout | null = null;
  #taken: Promise<void> | null = null;
  #allTaken = () => {};

  /** `fd` does not block. */
  constructor(fd: number) {
    this.#fd = fd;
  }

  /** Returns null if the system took it all; else a promise that resolves once it has, or never can. */
  write(bytes: Uint8Array | string): Promise<void> | null {
    this.#waiting.push(Buffer.from(bytes as Uint8Array));
    if (this.#timer === null) this.#flush();
    if (this.#waiting.length === 0) return null;
    this.#taken ??= new Promise((resolve) => {
      this.#allTaken = resolve;
    });
    return this.#taken;
  }

  /** Drops the waiting keys. */
  close(): void {
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = null;
    this.#waiting = [];
    this.#tell();
  }

  #flush(): void {
    this.#timer = null;
    for (let next = this.#waiting[0]; next; next = this.#waiting[0]) {
      const count = this.#put(next);
      if (count === 0) {
        this.#timer = setTimeout(() => this.#flush(), RETRY_MS);
        return;
      }
      if (count < next.length) this.#waiting[0] = next.subarray(count);
      else this.#waiting.shift();
    }
    this.#tell();
  }

  /** Returns the number of bytes taken: all of them if they can never be written. */
  #put(bytes: Buffer): number {
    try {
      return writeSync(this.#fd, bytes);
    } catch (error) {
      return (error as NodeJS.ErrnoException).code === 'EAGAIN' ? 0 : bytes.length;
    }
  }

  #tell(): void {
    this.#allTaken();
    this.#taken = null;
    this.#allTaken = () => {};
  }
}
