/** Counts line ends in chunks as they arrive: large ones in WebAssembly, small ones without its set-up. */
import { readSync } from 'node:fs';
import {
  COUNTER_BYTES,
  countPlain,
  createNewlineCounter,
  type NewlineCounter,
} from '../../reader/lines/newlines.ts';

export interface LineCounter {
  count(chunk: Uint8Array): number;
  /** In the first `size` bytes of a file. Throws what the system throws. */
  countFile(fd: number, size: number): number;
}

/** Below this, copying into the counter's memory is not worth it. */
const SMALL_BYTES = 4096;

export function createLineCounter(): LineCounter {
  let fast: NewlineCounter | null = null;
  const counter = () => {
    fast ??= createNewlineCounter();
    return fast;
  };
  return {
    count(chunk) {
      if (chunk.length <= SMALL_BYTES) return countPlain(chunk, 0, chunk.length, 'byte');
      const { buffer, count } = counter();
      let lines = 0;
      for (let at = 0; at < chunk.length; at += COUNTER_BYTES) {
        const part = chunk.subarray(at, at + COUNTER_BYTES);
        buffer.set(part);
        lines += count(0, part.length, 'byte');
      }
      return lines;
    },
    countFile(fd, size) {
      const { buffer, count } = counter();
      let lines = 0;
      for (let at = 0; at < size; ) {
        const got = readSync(fd, buffer, 0, Math.min(COUNTER_BYTES, size - at), at);
        if (got === 0) break;
        lines += count(0, got, 'byte');
        at += got;
      }
      return lines;
    },
  };
}
