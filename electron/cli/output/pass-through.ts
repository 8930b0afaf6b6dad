/** Standard output and error as a command's streams pass through them: byte for byte, no faster than they are read. */
import type { WriteStream } from 'node:tty';

export interface PassThrough {
  /** Null when it was written; else done when the chunk's memory may be used again, and more may come. */
  write(chunk: Uint8Array): Promise<void> | null;
  /** Resolves when all of it is written, or nobody reads it any more. */
  flushed(): Promise<void>;
}

/** `onGone` is told once, when nobody reads it (null) or why it cannot be written. */
export function passThrough(
  stream: WriteStream,
  onGone: (error: NodeJS.ErrnoException | null) => void,
): PassThrough {
  let isGone = false;
  let pending: Promise<void> | null = null;
  const gone = (error: NodeJS.ErrnoException) => {
    if (isGone) return;
    isGone = true;
    onGone(error.code === 'EPIPE' ? null : error);
  };
  stream.on('error', gone);
  return {
    write(chunk) {
      if (isGone) return null;
      let isDone = false;
      let done = () => {};
      stream.write(chunk, (error) => {
        isDone = true;
        if (error) gone(error);
        done();
      });
      // A pipe that had room has it already; the call that says so comes later.
      if (isDone || stream.writableLength === 0) return null;
      pending = new Promise<void>((resolve) => {
        done = resolve;
      });
      return pending;
    },
    async flushed() {
      await pending;
      if (isGone || stream.writableLength === 0) return;
      await new Promise<void>((resolve) => stream.write('', () => resolve()));
    },
  };
}
