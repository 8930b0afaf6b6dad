/** Waits for an artifact to change: its text, that of one of its streams, or what became of it. */
import type { StreamName } from '../../shared/artifact.ts';
import type { Host } from '../host/host.ts';

export class ArtifactWatch {
  readonly #unwatch: readonly (() => void)[];
  #changed = false;
  #wake: () => void = () => {};

  /** Watches `streams` in addition to the default one. */
  constructor(host: Host, artifactId: string, streams: readonly StreamName[] = []) {
    const changed = () => {
      this.#changed = true;
      this.#wake();
    };
    const refs = [{}, ...streams.map((stream) => ({ stream }))];
    this.#unwatch = refs.map((ref) =>
      host.watchDocument({ artifact_id: artifactId, ...ref }, changed, changed),
    );
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
    for (const unwatch of this.#unwatch) unwatch();
  }
}
