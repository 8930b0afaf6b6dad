/**
 * Our side of a pseudo-terminal, read to the last byte. Node's stream ends too early: at the hang-up, when up to 64 KiB
 * may still be unread (measured).
 */
import { readSync, writeSync } from 'node:fs';
import { ReadStream } from 'node:tty';
import { MAX_UNREAD_BYTES, type ReadEnd, type Taker } from '../streams/read-end.ts';

const READ_BYTES = 64 * 1024;
/** TIOCPKT_IOCTL */
const MODES_CHANGED = 0x40;
/** A write may take this long to become readable (measured). */
const ON_ITS_WAY_MS = 20;

export class PtyMaster {
  readonly fd: number;
  /** Resolves when all processes have closed the other side and all bytes were handed over, or `close` was called. */
  readonly ended: Promise<void>;
  readonly #stream: ReadStream;
  readonly #keys: KeyQueue;
  readonly #onData: (bytes: Buffer) => void;
  #open = true;
  #done = () => {};

  /**
   * `onData` receives every piece, in order; never after the end. With `onModes`, each piece that the system gives begins
   * with a byte that says what it is (TIOCPKT): bytes, or that the other side's modes have changed.
   */
  constructor(fd: number, onData: (bytes: Buffer) => void, onModes: (() => void) | null = null) {
    this.fd = fd;
    this.#onData = (bytes) => {
      if (onModes === null) onData(bytes);
      else if (bytes[0] === 0) onData(bytes.subarray(1));
      else if (bytes[0]! & MODES_CHANGED) onModes();
    };
    this.ended = new Promise((resolve) => {
      this.#done = resolve;
    });
    this.#keys = new KeyQueue(fd);
    this.#stream = new ReadStream(fd);
    this.#stream.on('data', this.#onData);
    this.#stream.on('end', () => this.drain());
    this.#stream.on('error', () => {});
    this.#stream.on('close', () => this.close());
  }

  /** Whether a process may still write to it. */
  get isOpen(): boolean {
    return this.#open;
  }

  /** Returns null if the system took it all; else a promise that resolves once it has, or it was closed. */
  write(bytes: Uint8Array | string): Promise<void> | null {
    return this.#open && bytes.length > 0 ? this.#keys.write(bytes) : null;
  }

  /** Stops reading: writers wait once the system's buffer is full. */
  pause(): void {
    this.#stream.pause();
  }

  resume(): void {
    if (this.#open) this.#stream.resume();
  }

  /** Hands over the available bytes, and closes the terminal if no process can write more. */
  drain(): void {
    if (!this.#open || this.#stream.destroyed) return;
    const wasPaused = this.#stream.isPaused();
    // First hand over what the stream has read.
    this.#stream.resume();
    for (let chunk = this.#stream.read() as Buffer | null; chunk; chunk = this.#stream.read()) void chunk;
    if (wasPaused) this.#stream.pause();
    const buffer = Buffer.allocUnsafe(READ_BYTES);
    try {
      for (let left = MAX_UNREAD_BYTES; left > 0; ) {
        const count = readSync(this.fd, buffer);
        if (count === 0) {
          this.close();
          return;
        }
        this.#onData(Buffer.from(buffer.subarray(0, count)));
        left -= count;
      }
    } catch (error) {
      // EIO: no process has the other side open.
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') this.close();
    }
  }

  /** Sends a hang-up to the processes that still have the other side open. */
  close(): void {
    if (!this.#open) return;
    this.#open = false;
    this.#keys.close();
    this.#stream.removeListener('data', this.#onData);
    this.#stream.destroy();
    this.#done();
  }
}

/** Reads a terminal that was started elsewhere, no faster than the taker. */
export function readPtyMaster(
  fd: number,
  take: Taker,
  onModes: (() => void) | null = null,
): ReadEnd & { master: PtyMaster } {
  let waiting: Promise<void> | null = null;
  const onData = (bytes: Buffer) => {
    const taken = take(bytes);
    if (taken === null) return;
    master.pause();
    const now = Promise.all([waiting, taken]).then(() => {
      if (waiting === now) master.resume();
    });
    waiting = now;
  };
  const master = new PtyMaster(fd, onData, onModes);
  return Object.assign(
    endOfMaster(master, () => waiting),
    { master, tells: onModes !== null },
  );
}

/** `waiting`: the taker's promise. `along`: descriptors that the continuing process must hold. */
export function endOfMaster(
  master: PtyMaster,
  waiting: () => Promise<void> | null,
  along: ReadEnd['along'] = [],
): ReadEnd {
  return {
    fd: master.fd,
    along,
    ended: master.ended,
    get isOpen() {
      return master.isOpen;
    },
    async drain(patience) {
      if (patience) await waiting();
      master.drain();
      if (master.isOpen) await new Promise((resolve) => setTimeout(resolve, ON_ITS_WAY_MS));
      master.drain();
      master.pause();
    },
    readOn: () => master.resume(),
    close: () => master.close(),
  };
}

/** Milliseconds between two tries. */
const RETRY_MS = 10;

/**
 * Writes keys to a pseudo-terminal. When its program does not read, the system accepts no more, and Node's own
 * stream would block the whole process.
 */
class KeyQueue {
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
