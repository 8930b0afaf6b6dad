/** Shows on a terminal how much was read; leaves nothing behind. */
import type { ReadProgress } from '../../host/host.ts';
import { draw } from './print.ts';

/** A faster view shows no progress. */
const PATIENCE_MS = 500;
const MB = 1e6;

export class ProgressLine {
  readonly #begun = performance.now();
  #drawn = false;

  show({ read_bytes, total_bytes }: ReadProgress): void {
    if (performance.now() - this.#begun < PATIENCE_MS) return;
    this.#drawn = true;
    const read = Math.round(read_bytes / MB);
    const figures =
      total_bytes === null
        ? `${read} MB unpacked and read`
        : `${Math.floor((100 * read_bytes) / Math.max(1, total_bytes))} %: ${read} of ${Math.round(total_bytes / MB)} MB read`;
    void draw(`\r\x1b[2K${figures}`);
  }

  async clear(): Promise<void> {
    if (this.#drawn) await draw('\r\x1b[2K');
  }
}
