/** What the client reads: the server's bytes and whole lines of our own, which never fall into a line of the server's. */
import type { Writable } from 'node:stream';

export class Outlet {
  /** Aborted when nobody reads it any more. */
  readonly gone: AbortSignal;
  readonly #stream: Writable;
  #turn: Promise<void> = Promise.resolve();

  constructor(stream: Writable) {
    const gone = new AbortController();
    this.gone = gone.signal;
    this.#stream = stream;
    const leave = () => gone.abort();
    stream.once('close', leave).on('error', leave);
    // `write` waits for its turn to drain, and so do all that come after it.
    stream.setMaxListeners(0);
  }

  /** Resolves with what gives the turn back, when nobody else is in the middle of a line. */
  async take(): Promise<() => void> {
    const before = this.#turn;
    let release = () => {};
    this.#turn = new Promise((resolve) => {
      release = resolve;
    });
    await before;
    return release;
  }

  /** For who has the turn. Resolves when there is room for more, or nobody reads it any more. */
  async write(bytes: Uint8Array): Promise<void> {
    await writeOn(this.#stream, bytes, this.gone);
  }

  /** Writes a line of our own. */
  async line(message: object): Promise<void> {
    const release = await this.take();
    await this.write(Buffer.from(`${JSON.stringify(message)}\n`));
    release();
  }

  /** Resolves when the system has all that was written, or nobody reads it any more. */
  async flushed(): Promise<void> {
    await this.#turn;
    if (this.gone.aborted || this.#stream.writableLength === 0) return;
    await new Promise<void>((resolve) => {
      this.gone.addEventListener('abort', () => resolve(), { once: true });
      this.#stream.write('', () => resolve());
    });
  }
}

/** Resolves when there is room for more; at once, when nobody reads it any more. */
export async function writeOn(stream: Writable, bytes: Uint8Array, gone: AbortSignal): Promise<void> {
  if (gone.aborted || stream.write(bytes)) return;
  await new Promise<void>((resolve) => {
    const done = () => {
      stream.off('drain', done);
      gone.removeEventListener('abort', done);
      resolve();
    };
    stream.once('drain', done);
    gone.addEventListener('abort', done, { once: true });
  });
}
