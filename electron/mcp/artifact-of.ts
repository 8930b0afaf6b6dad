/** One artifact by its id, as an agent may see it. */
import type { Artifact, StreamName } from '../../shared/artifact.ts';
import { SpillwayError } from '../../shared/errors.ts';
import type { Host, RequestOptions } from '../host/host.ts';

/** Throws `not_found`, which suggests the nearest ids. */
export async function artifactOf(host: Host, id: string, options: RequestOptions): Promise<Artifact> {
  const known = await host.artifact({ artifact_id: id }, options);
  if (known !== null) return known;
  // Says in the usual words that there is none, and which are near; or brings to light one that is new.
  await host.read({ artifact_id: id, limit: 1, as_text: true }, options);
  const found = await host.artifact({ artifact_id: id }, options);
  if (found !== null) return found;
  throw new SpillwayError('not_found', 'the output no longer exists', 'list_outputs shows those there are');
}

/** Waits for an artifact to change: its text, that of one of its streams, or what became of it. */
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
