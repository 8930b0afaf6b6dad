/** Processes a text, and again whenever it has changed. */
import { setTimeout as wait } from 'node:timers/promises';
import { toSpillwayError } from '../../../shared/errors.ts';
import type { Document } from './document.ts';

/** Pause before another try at a text that keeps changing. */
const CHANGED_REST_MS = 200;

/**
 * Calls `once` for the current text and after each change, one call at a time. Changes during a call cause one more
 * call. An error ends it and goes to `onError`; `changed` only causes another try. Returns a function that ends it and
 * aborts `stop`.
 */
export function keepUp(
  document: Document,
  stop: AbortController,
  once: () => Promise<void>,
  onError: (error: Error) => void,
): () => void {
  let running = false;
  let again = false;
  const run = async () => {
    again = true;
    if (running) return;
    running = true;
    try {
      while (again && !stop.signal.aborted) {
        again = false;
        await once().catch(async (error) => {
          if (toSpillwayError(error).code !== 'changed') throw error;
          await wait(CHANGED_REST_MS, undefined, { ref: false });
          again = true;
        });
      }
    } catch (error) {
      if (stop.signal.aborted) return;
      stop.abort();
      unwatch();
      onError(toSpillwayError(error));
    } finally {
      running = false;
    }
  };
  let seen = '';
  const unwatch = document.watch((state) => {
    // States also change for other reasons. A vanished file is still read through its descriptor.
    const now = `${state.generation}/${state.total_bytes}`;
    if (now === seen) return;
    seen = now;
    void run();
  }, onError);
  return () => {
    stop.abort();
    unwatch();
  };
}
