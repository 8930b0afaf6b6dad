/** Waits for a document to change: its text, or what became of it. */
import type { Host } from '../host/host.ts';

export class Changes {
  readonly #unwatch: () => void;
  #changed = false;
  #wake: () => void = () => {};

  constructor(host: Host, artifactId: string) {
    const changed = () => {
      this.#changed = true;
      this.#wake();
    };
    this.#unwatch = host.watchDocument({ artifact_id: artifactId }, changed, changed);
  }

  /** Resolves at a change since the last one that was waited for, after `ms` at the latest. Rejects when aborted. */
  async next(ms: number, signal: AbortSignal): Promise<void> {
    if (!this.#changed) {
      await new Promise<void>((resolve, reject) => {
        const timer = setTimeout(resolve, ms);
        const aborted = () => reject(signal.reason);
        signal.addEventListener('abort', aborted, { once: true });
        this.#wake = () => {
          clearTimeout(timer);
          signal.removeEventListener('abort', aborted);
          resolve();
        };
        if (signal.aborted) reject(signal.reason);
      });
    }
    this.#changed = false;
  }

  stop(): void {
    this.#unwatch();
  }
}
