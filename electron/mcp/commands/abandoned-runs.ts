/**
 * Keeps runs whose client gave up waiting (by its own time limit, which the agent did not choose). They go on for a
 * grace time, so that the agent's next try gets the output instead of a second run.
 */
import type { AgentRun } from './recent-runs.ts';

interface Abandoned {
  run: AgentRun;
  timer: NodeJS.Timeout;
}

export class AbandonedRuns {
  readonly #graceMs: number;
  readonly #byKey = new Map<string, Abandoned>();

  constructor(graceMs: number) {
    this.#graceMs = graceMs;
  }

  /** Stops the run after the grace time, unless an equal call takes it before. */
  keep(key: string, run: AgentRun, stop: () => Promise<unknown>): void {
    this.#forget(key);
    const timer = setTimeout(() => {
      this.#forget(key);
      void stop().catch(() => {});
    }, this.#graceMs).unref();
    this.#byKey.set(key, { run, timer });
  }

  /** The abandoned run that is equal, which the caller now waits for; null when there is none. */
  take(key: string): AgentRun | null {
    const known = this.#byKey.get(key);
    this.#forget(key);
    return known?.run ?? null;
  }

  close(): void {
    for (const key of [...this.#byKey.keys()]) this.#forget(key);
  }

  #forget(key: string): void {
    clearTimeout(this.#byKey.get(key)?.timer);
    this.#byKey.delete(key);
  }
}

/** Whether a cancellation says that the client's time limit passed, and not that somebody cancelled. */
export function isTimeout(reason: unknown): boolean {
  return /tim(?:ed?|e-|ing) ?-?out/i.test(reason instanceof Error ? reason.message : String(reason));
}
