/** Shows on a terminal how much was read; leaves nothing behind. */
import type { SummaryProgress } from '../../host/host.ts';
import { draw } from './print.ts';

/** A faster summary shows no progress. */
const PATIENCE_MS = 500;
const MB = 1e6;

export class ProgressLine {
  readonly #begun = performance.now();
  #drawn = false;

  show({ read_bytes, total_bytes }: SummaryProgress): void {
    if (performance.now() - this.#begun < PATIENCE_MS) return;
    this.#drawn = true;
    const percent = Math.floor((100 * read_bytes) / Math.max(1, total_bytes));
    const [read, total] = [read_bytes, total_bytes].map((bytes) => Math.round(bytes / MB));
    void draw(`\r\x1b[2K${percent} %: ${read} of ${total} MB read`);
  }

  async clear(): Promise<void> {
    if (this.#drawn) await draw('\r\x1b[2K');
  }
}
