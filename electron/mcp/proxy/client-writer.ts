/** Writes to the client: the server's bytes, and lines of the proxy's own, never in the middle of a server's line. */
import type { Writable } from 'node:stream';

export class ClientWriter {
  /** Aborted once the client has closed its end. */
  readonly gone: AbortSignal;
  readonly #stream: Writable;
  #turn: Promise<void> = Promise.resolve();

  constructor(stream: Writable) {
    const gone = new AbortController();
    this.gone = gone.signal;
    this.#stream = stream;
    const leave = () => gone.abort();
    stream.once('close', leave).on('error', leave);
    // Each waiting write listens for `drain`.
    stream.setMaxListeners(0);
  }

  /** Waits until no other writer is in the middle of a line. Resolves with a function that ends the turn. */
  async take(): Promise<() => void> {
    const before = this.#turn;
    let release = () => {};
    this.#turn = new Promise((resolve) => {
      release = resolve;
    });
    await before;
    return release;
  }

  /** Needs the turn. Resolves when the stream takes more, or the client has closed its end. */
  async write(bytes: Uint8Array): Promise<void> {
    await writeOn(this.#stream, bytes, this.gone);
  }

  /** Writes one line of the proxy's own. */
  async line(message: object): Promise<void> {
    const release = await this.take();
    await this.write(Buffer.from(`${JSON.stringify(message)}\n`));
    release();
  }

  /** Resolves when everything is handed to the system, or the client has closed its end. */
  async flushed(): Promise<void> {
    await this.#turn;
    if (this.gone.aborted || this.#stream.writableLength === 0) return;
    await new Promise<void>((resolve) => {
      this.gone.addEventListener('abort', () => resolve(), { once: true });
      this.#stream.write('', () => resolve());
    });
  }
}

/** Resolves when the stream takes more; at once if `gone` is aborted. */
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
