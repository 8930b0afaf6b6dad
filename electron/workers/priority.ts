/**
 * Lowers the priority of threads for bulk work. A search keeps all processors busy, and then the next key, the page and
 * the host each wait for a turn. On two processors a key's request took 5 ms to reach the host, and 1 ms with these
 * threads at nice 10. Nice 5 was not measurably different.
 */
import { readlinkSync } from 'node:fs';
import { getPriority, setPriority } from 'node:os';

/** Where nothing else wants the processors, this costs nothing; beside another busy program a thread gets a third. */
export const BULK_NICE = 5;

/** Lets everything else go before the calling thread. Only Linux knows priorities of threads. */
export function stepBack(): void {
  if (process.platform !== 'linux') return;
  try {
    // `<process>/task/<thread>`
    const thread = Number(readlinkSync('/proc/thread-self').split('/').at(-1));
    setPriority(thread, Math.min(19, getPriority(thread) + BULK_NICE));
  } catch {
    // Without /proc it keeps its priority.
  }
}
