/** Remembers runs whose caller stopped waiting, so that the reply to an equal call can name the earlier one. */
import type { Status } from '../../../shared/artifact.ts';
import type { AgentRun } from './recent-runs.ts';

export interface EarlierRun {
  artifact_id: string;
  status: Status;
}

/** A key holds the whole environment. */
const KEPT_RUNS = 12;

export class UnawaitedRuns {
  readonly #byKey = new Map<string, EarlierRun>();

  note(key: string, { artifactId, result }: AgentRun): void {
    if (artifactId === null) return;
    const earlier: EarlierRun = { artifact_id: artifactId, status: 'running' };
    result.then(
      ({ status }) => {
        earlier.status = status;
      },
      () => {
        if (this.#byKey.get(key) === earlier) this.#byKey.delete(key);
      },
    );
    this.#byKey.delete(key);
    this.#byKey.set(key, earlier);
    if (this.#byKey.size > KEPT_RUNS) this.#byKey.delete(this.#byKey.keys().next().value!);
  }

  /** Returns the last such run, once; null when there is none. */
  take(key: string): EarlierRun | null {
    const known = this.#byKey.get(key) ?? null;
    this.#byKey.delete(key);
    return known;
  }
}

/** Whether a cancellation says that the client's time limit passed, and not that somebody cancelled. */
export function isTimeout(reason: unknown): boolean {
  return /tim(?:ed?|e-|ing) ?-?out/i.test(reason instanceof Error ? reason.message : String(reason));
}
