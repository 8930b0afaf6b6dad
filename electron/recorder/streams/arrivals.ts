/**
 * Writes the times of arrival (store/format/times.ts) in batches: one record for each millisecond and stream. While
 * nothing arrives, updates the file's own time now and then as a sign of life.
 */
import { closeSync, futimesSync, openSync, readFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { SIGN_OF_LIFE_MS } from '../../store/format/owner.ts';
import { removeFile } from '../../store/format/small-file.ts';
import { encodeArrival, TIMES_RECORD_BYTES } from '../../store/format/times.ts';

/** How far the file may lag behind. */
const LAG_MS = 50;
const BATCH_RECORDS = 256;

export class ArrivalLog {
  readonly name: string;
  #path: string;
  readonly #buffer = Buffer.alloc(BATCH_RECORDS * TIMES_RECORD_BYTES);
  #fd: number;
  #count = 0;
  #oldest = 0;
  #last = { time: -1, stream: -1 };
  #timer: NodeJS.Timeout | null = null;
  #broken = false;
  readonly #signs: NodeJS.Timeout;

  /** Throws the system's errors. With `goOn`, appends to an existing file. */
  constructor(folder: string, name: string, goOn: boolean) {
    this.name = name;
    this.#path = join(folder, name);
    this.#fd = openSync(this.#path, goOn ? 'a+' : 'wx+', 0o600);
    this.#signs = setInterval(() => this.#giveSign(), SIGN_OF_LIFE_MS).unref();
  }

  /** `time` in milliseconds since the epoch; `end` as in `Arrival`. Never throws. */
  add(time: number, stream: number, end: number): void {
    const whole = Math.floor(time);
    const sameRecord = this.#count > 0 && this.#last.time === whole && this.#last.stream === stream;
    if (!sameRecord) {
      if (this.#count === BATCH_RECORDS || (this.#count > 0 && whole - this.#oldest >= LAG_MS)) this.flush();
      if (this.#count === 0) this.#oldest = whole;
      this.#count += 1;
      this.#last = { time: whole, stream };
    }
    encodeArrival({ time: whole, stream, end }, this.#buffer, (this.#count - 1) * TIMES_RECORD_BYTES);
    this.#timer ??= setTimeout(() => this.flush(), LAG_MS).unref();
  }

  flush(): void {
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = null;
    const length = this.#count * TIMES_RECORD_BYTES;
    this.#count = 0;
    try {
      for (let at = 0; at < length && !this.#broken; )
        at += writeSync(this.#fd, this.#buffer, at, length - at);
    } catch {
      // A partial record would shift all later ones.
      this.#broken = true;
    }
  }

  /** Reads all of them from the disk, after `close` too. Throws the system's errors. */
  read(): Buffer {
    this.flush();
    return readFileSync(this.#path);
  }

  movedTo(folder: string): void {
    this.#path = join(folder, this.name);
  }

  close(): void {
    clearInterval(this.#signs);
    this.flush();
    if (this.#fd >= 0) closeSync(this.#fd);
    this.#fd = -1;
  }

  remove(): void {
    removeFile(this.#path);
  }

  #giveSign(): void {
    try {
      const now = new Date();
      futimesSync(this.#fd, now, now);
    } catch {
      // The next sign of life or arrival makes up for it.
    }
  }
}
