/**
 * Lowers the priority of threads for bulk work. A search keeps all processors busy, and then the next key, the page and
 * the host each wait for a turn. On two processors a key's request took 5 ms to reach the host, and 1 ms with these
 * threads at nice 10. Nice 5 was not measurably different.
 */
import { getPriority, setPriority } from 'node:os';
import { threadId } from './call-watch.ts';

/** Where nothing else wants the processors, this costs nothing; beside another busy program a thread gets a third. */
export const BULK_NICE = 5;

/** Lets everything else go before the calling thread. Only Linux knows priorities of threads. */
export function stepBack(): void {
  if (process.platform !== 'linux') return;
  const thread = threadId();
  if (thread === null) return;
  try {
    setPriority(thread, Math.min(19, getPriority(thread) + BULK_NICE));
  } catch {
    // It keeps its priority.
  }
}
