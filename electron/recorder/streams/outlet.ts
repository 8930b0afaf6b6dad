/**
 * Writes our stdout and stderr in order, without blocking this thread, and without setting O_NONBLOCK on a shared open
 * file description: other processes' writes would fail with EAGAIN.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, constants, existsSync, fstatSync, openSync, write, writeSync } from 'node:fs';
import { Socket } from 'node:net';
import type { Writable } from 'node:stream';
import { isatty, WriteStream } from 'node:tty';
import { isOnFarDisk } from '../../reader/disks/mounts.ts';

/** Above FULL_BYTES of waiting output the producer pauses; below ROOM_BYTES it resumes. */
const FULL_BYTES = 1024 * 1024;
const ROOM_BYTES = 256 * 1024;
/** Between two tries on a description that another process made non-blocking. */
const RETRY_MS = 5;

interface OutletEvents {
  /** Too many bytes are waiting. */
  full?(): void;
  room?(): void;
  /** Writing has ended: the reader closed its end (null), or a write failed. */
  gone?(error: NodeJS.ErrnoException | null): void;
}

export class Outlet {
  readonly isTerminal: boolean;
  readonly #fd: number;
  readonly #events: OutletEvents;
  /** Writes may block, so a separate process makes them. */
  readonly #mayBlock: boolean;
  readonly #queue: Buffer[] = [];
  #waiting = 0;
  #isFull = false;
  #isWriting = false;
  #isBroken = false;
  /** Waits until our own description accepts more. */
  #stream: Writable | null = null;
  #idle: (() => void)[] = [];
  #relay: ChildProcess | null = null;

  /**
   * @param fd a standard stream
   * @param keepsTime this process has a time-out to keep: it waits for no share
   */
  constructor(fd: number, events: OutletEvents = {}, keepsTime = false) {
    this.#events = events;
    // Not even asked what it is: whoever asks waits for that disk.
    const isFar = keepsTime && isOnFarDisk(fd);
    this.isTerminal = !isFar && isatty(fd);
    // Node asks each standard stream what it is when it exits, unless it is closed.
    if (isFar) process.once('exit', () => closeSync(fd));
    const own = isFar ? null : ownDescription(fd);
    this.#fd = own ?? fd;
    this.#mayBlock = own === null && (isFar || !isFile(fd));
  }

  /** Returns null if the system took it all; else a promise that resolves when the chunk's memory may be reused. */
  write(chunk: Uint8Array): Promise<void> | null {
    if (this.#isBroken || chunk.length === 0) return null;
    const written = this.#isWriting || this.#mayBlock ? 0 : this.#now(chunk);
    if (written === chunk.length || this.#isBroken) return null;
    this.push(Buffer.from(chunk.subarray(written)));
    return this.#drained();
  }

  /** Queues bytes, whose memory must not be reused. `full` and `room` say when to pause and resume. */
  push(bytes: Buffer): void {
    if (bytes.length === 0 || this.#isBroken) return;
    this.#queue.push(bytes);
    this.#waiting += bytes.length;
    if (!this.#isFull && this.#waiting > FULL_BYTES) {
      this.#isFull = true;
      this.#events.full?.();
    }
    this.#next();
  }

  /** Resolves when everything is written, or the reader has closed its end. */
  async flushed(): Promise<void> {
    await this.#drained();
    const relay = this.#relay;
    this.#relay = null;
    if (relay === null || relay.exitCode !== null || relay.signalCode !== null) return;
    await new Promise((resolve) => {
      relay.once('close', resolve);
      relay.stdin!.end();
    });
  }

  /** Drops the bytes that a blocked reader has not taken. */
  abandon(): void {
    this.#relay?.kill('SIGKILL');
  }

  #drained(): Promise<void> {
    if (!this.#isWriting) return Promise.resolve();
    return new Promise((resolve) => this.#idle.push(resolve));
  }

  #next(): void {
    if (this.#isWriting) return;
    if (this.#queue.length === 0) {
      for (const resolve of this.#idle.splice(0)) resolve();
      return;
    }
    this.#isWriting = true;
    const bytes = this.#queue.length === 1 ? this.#queue[0]! : Buffer.concat(this.#queue);
    this.#queue.length = 0;
    if (this.#mayBlock) {
      this.#byRelay(bytes);
      return;
    }
    const written = this.#now(bytes);
    if (written === bytes.length || this.#isBroken) this.#wrote(bytes, null, written);
    else this.#stuck(bytes, written);
  }

  /** Returns how many bytes the system took without waiting. */
  #now(bytes: Uint8Array): number {
    let written = 0;
    try {
      while (written < bytes.length) written += writeSync(this.#fd, bytes, written);
    } catch (error) {
      if (!isTemporary(error as NodeJS.ErrnoException)) this.#fail(error as NodeJS.ErrnoException);
    }
    return written;
  }

  /**
   * Writes through `cat` to a file on a share, and to a socket or another user's pipe, which cannot be reopened. A thread of ours could hang in
   * that write, and we could not exit.
   */
  #byRelay(bytes: Buffer): void {
    if (!existsSync(CAT)) {
      write(this.#fd, bytes, (error, written) => this.#wrote(bytes, error, written));
      return;
    }
    this.#relay ??= startRelay(this.#fd);
    this.#relay.stdin!.write(bytes, (error) => this.#wrote(bytes, error ?? null, bytes.length));
  }

  /** Waits on the event loop until the bytes after `written` can be written. */
  #stuck(bytes: Buffer, written: number): void {
    this.#stream ??= this.isTerminal
      ? new WriteStream(this.#fd)
      : new Socket({ fd: this.#fd, readable: false, writable: true });
    if (this.#stream.listenerCount('error') === 0) this.#stream.on('error', () => {});
    this.#stream.write(bytes.subarray(written), (error) => this.#wrote(bytes, error ?? null, bytes.length));
  }

  #wrote(bytes: Buffer, error: NodeJS.ErrnoException | null, written: number): void {
    if (this.#isBroken) return;
    if (error && !isTemporary(error)) {
      this.#fail(error);
      return;
    }
    const rest = bytes.subarray(error ? 0 : written);
    if (rest.length > 0) this.#queue.unshift(rest);
    if (!error) this.#wait(-written);
    const goOn = () => {
      this.#isWriting = false;
      this.#next();
    };
    if (rest.length < bytes.length) goOn();
    else setTimeout(goOn, RETRY_MS);
  }

  #wait(change: number): void {
    this.#waiting += change;
    if (!this.#isFull || this.#waiting > ROOM_BYTES) return;
    this.#isFull = false;
    this.#events.room?.();
  }

  #fail(error: NodeJS.ErrnoException): void {
    if (this.#isBroken) return;
    this.#isBroken = true;
    this.#isWriting = false;
    this.#queue.length = 0;
    this.#wait(-this.#waiting);
    for (const resolve of this.#idle.splice(0)) resolve();
    this.#events.gone?.(error.code === 'EPIPE' ? null : error);
  }
}

const CAT = '/bin/cat';

/** In a process group of its own, so that interrupting the command does not lose its output. */
function startRelay(fd: number): ChildProcess {
  const relay = spawn(CAT, [], { stdio: ['pipe', fd, 'ignore'], detached: true });
  relay.on('error', () => {});
  relay.stdin!.on('error', () => {});
  return relay;
}

/** Reopens a pipe or terminal, for an open file description of our own, on which we may set O_NONBLOCK. */
function ownDescription(fd: number): number | null {
  try {
    const stats = fstatSync(fd);
    if (process.platform !== 'linux' || !(stats.isFIFO() || isatty(fd))) return null;
    const flags = constants.O_WRONLY | constants.O_NONBLOCK | constants.O_NOCTTY;
    const own = openSync(`/proc/self/fd/${fd}`, flags);
    const { dev, ino, rdev } = fstatSync(own);
    // /dev/tty and the like may be another device when reopened.
    if (dev === stats.dev && ino === stats.ino && rdev === stats.rdev) return own;
    closeSync(own);
    return null;
  } catch {
    // Another user's pipe, or no /proc.
    return null;
  }
}

/** A file, or a device such as /dev/null: a write does not wait for a reader. */
function isFile(fd: number): boolean {
  try {
    const stats = fstatSync(fd);
    return stats.isFile() || (stats.isCharacterDevice() && !isatty(fd));
  } catch {
    return true;
  }
}

function isTemporary({ code }: NodeJS.ErrnoException): boolean {
  return code === 'EAGAIN' || code === 'EINTR';
}
