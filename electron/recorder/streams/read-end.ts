/** Reads a command's output into one reused buffer, as fast as the taker accepts it. */
import { closeSync, constants, createReadStream, fstatSync, openSync, readFileSync, readSync } from 'node:fs';
import { type OnReadOpts, Socket, type SocketConstructorOpts } from 'node:net';
import type { Readable } from 'node:stream';

/** A pipe holds this much, so one read gives no more. */
const CHUNK_BYTES = 64 * 1024;
/** More than any pipe holds, so it covers everything a command had written when it ended. */
export const MAX_UNREAD_BYTES = 1024 * 1024;
/** How long Node's own stream may take to end after the command has. */
const LAST_OUTPUT_MS = 250;

/** Takes a chunk, whose memory is reused once the promise resolves, or at once for null. */
export type Taker = (chunk: Uint8Array) => Promise<void> | null;

export interface ReadEnd {
  /** The descriptor from which another process can continue; null if there is none. */
  readonly fd: number | null;
  /** It is a terminal's side that tells when modes change (pty-master.ts). */
  readonly tells?: boolean;
  /** What the continuing process must hold until the end. */
  readonly along?: readonly Socket[] | undefined;
  /** Resolves when all writers have closed their ends, or `close` was called. */
  readonly ended: Promise<void>;
  readonly isOpen: boolean;
  /**
   * Takes the bytes available now, and stops reading. Other processes may still hold the other end. Without `patience`,
   * doesn't wait for a slow taker.
   */
  drain(patience: boolean): Promise<void>;
  /** Continues after a drain. */
  readOn(): void;
  /** Closes it: writers get SIGPIPE. */
  close(): void;
}

/** Reads a non-blocking descriptor. */
export function readFrom(fd: number, take: Taker): ReadEnd {
  const buffer = Buffer.allocUnsafe(CHUNK_BYTES);
  let isOpen = true;
  let isDraining = false;
  let waiting: Promise<void> | null = null;
  let done = () => {};
  const ended = new Promise<void>((resolve) => {
    done = resolve;
  });
  const finish = () => {
    isOpen = false;
    done();
  };
  const options: SocketConstructorOpts & { onread: OnReadOpts } = {
    fd,
    readable: true,
    writable: false,
    onread: {
      buffer,
      callback: (bytes: number) => {
        const taken = take(buffer.subarray(0, bytes));
        if (taken === null) return true;
        waiting = taken.then(() => {
          waiting = null;
          if (!isDraining && isOpen) socket.resume();
        });
        return false;
      },
    },
  };
  const socket = new Socket(options);
  for (const event of ['end', 'error', 'close']) socket.once(event, finish);
  socket.resume();
  return {
    fd,
    ended,
    get isOpen() {
      return isOpen;
    },
    async drain(patience) {
      isDraining = true;
      socket.pause();
      if (patience) await waiting;
      for (let left = MAX_UNREAD_BYTES; left > 0 && isOpen; ) {
        // The taker may still use the first buffer.
        const into = patience ? buffer : Buffer.allocUnsafe(CHUNK_BYTES);
        const bytes = readNow(fd, into);
        if (bytes === null) return;
        if (bytes === 0) this.close();
        const taken = bytes > 0 ? take(into.subarray(0, bytes)) : null;
        if (patience) await taken;
        left -= bytes;
      }
    },
    readOn() {
      isDraining = false;
      // A slow taker still uses the buffer: it resumes when it is done.
      if (isOpen && waiting === null) socket.resume();
    },
    close() {
      socket.destroy();
      finish();
    },
  };
}

/** Reads one of Node's own pipes. */
export function readStream(stream: Readable, take: Taker): ReadEnd {
  let isOpen = true;
  /** Between a drain and `readOn`. */
  let isStopped = false;
  let isDraining = false;
  let waiting: Promise<void> | null = null;
  const ended = new Promise<void>((resolve) => {
    for (const event of ['end', 'error', 'close']) {
      stream.once(event, () => {
        isOpen = false;
        resolve();
      });
    }
  });
  stream.on('data', (chunk: Buffer) => {
    const taken = take(chunk);
    if (taken === null) return;
    stream.pause();
    waiting = taken.then(() => {
      waiting = null;
      if (isOpen && !isStopped) stream.resume();
    });
  });
  return {
    fd: null,
    ended,
    get isOpen() {
      return isOpen;
    },
    async drain(patience) {
      isDraining = true;
      await Promise.race([ended, new Promise((resolve) => setTimeout(resolve, LAST_OUTPUT_MS).unref())]);
      if (patience) await waiting;
      if (!isOpen || !isDraining) return;
      isStopped = true;
      stream.pause();
    },
    readOn() {
      isDraining = false;
      isStopped = false;
      if (isOpen && waiting === null) stream.resume();
    },
    close() {
      stream.destroy();
      isOpen = false;
    },
  };
}

/** Bytes read; 0 at the end, null if nothing is available. */
function readNow(fd: number, buffer: Buffer): number | null {
  try {
    return readSync(fd, buffer);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EAGAIN' ? null : 0;
  }
}

// Our stdin as a stream, without setting O_NONBLOCK on a shared open file description.

/** Opens a description of our own for a pipe. Does not touch `process.stdin`. */
export function standardInput(): Readable {
  const own = ownPipe();
  if (own !== null) return new Socket({ fd: own, readable: true, writable: false });
  if (isFile()) return createReadStream('', { fd: 0, autoClose: false });
  return process.stdin;
}

function ownPipe(): number | null {
  try {
    const { dev, ino } = fstatSync(0);
    if (process.platform !== 'linux' || !fstatSync(0).isFIFO() || isWriteOnly()) return null;
    const own = openSync('/proc/self/fd/0', constants.O_RDONLY | constants.O_NONBLOCK);
    const same = fstatSync(own);
    if (same.dev === dev && same.ino === ino) return own;
    closeSync(own);
    return null;
  } catch {
    return null;
  }
}

/** The write end of a pipe can be opened for reading, but never reaches its end, as we hold it open ourselves. */
function isWriteOnly(): boolean {
  const flags = /^flags:\s*([0-7]+)/m.exec(readFileSync('/proc/self/fdinfo/0', 'latin1'))?.[1] ?? '0';
  return (Number.parseInt(flags, 8) & constants.O_WRONLY) !== 0;
}

function isFile(): boolean {
  try {
    return fstatSync(0).isFile();
  } catch {
    return false;
  }
}
