/** Holds runs that may answer an equal request: running ones to join, and the last ones that succeeded. */
import type { RunningRecorded, RunResult } from '../../host/recording/run-request.ts';

/** Results are kept with samples of their streams, up to some 1.5 MiB each. */
const KEPT_RUNS = 12;

interface Ended {
  result: RunResult;
  /** Milliseconds since the epoch. */
  at: number;
}

export class RecentRuns {
  readonly #ended = new Map<string, Ended>();
  readonly #underWay = new Map<string, { run: Promise<AgentRun>; waiting: number }>();

  /** One that succeeded within so many seconds. */
  ended(key: string, maxAgeSeconds: number): RunResult | null {
    const known = this.#ended.get(key);
    return known !== undefined && Date.now() - known.at <= maxAgeSeconds * 1000 ? known.result : null;
  }

  forget(key: string): void {
    this.#ended.delete(key);
  }

  remember(key: string, result: RunResult): void {
    if (!result.head.success) return;
    this.#ended.delete(key);
    this.#ended.set(key, { result, at: Date.now() });
    if (this.#ended.size > KEPT_RUNS) this.#ended.delete(this.#ended.keys().next().value!);
  }

  /**
   * Begins the run, or joins an equal one that is under way. The run stops when the last caller stops
   * waiting for it. `joined`: another caller began it.
   */
  async share(
    key: string,
    begin: () => Promise<AgentRun>,
  ): Promise<{ run: AgentRun; joined: boolean; stopWaiting: () => Promise<void> }> {
    const known = this.#underWay.get(key);
    const shared = known ?? { run: begin(), waiting: 0 };
    if (known === undefined) {
      this.#underWay.set(key, shared);
      const over = () => {
        if (this.#underWay.get(key) === shared) this.#underWay.delete(key);
      };
      shared.run.then((run) => run.result.then(over, over), over);
    }
    shared.waiting += 1;
    const stopWaiting = async () => {
      shared.waiting -= 1;
      if (shared.waiting > 0) return;
      if (this.#underWay.get(key) === shared) this.#underWay.delete(key);
      await shared.run.then((run) => run.stop()).catch(() => {});
    };
    return { run: await shared.run, joined: known !== undefined, stopWaiting };
  }
}

/** A command that an agent runs. */
export interface AgentRun extends Omit<RunningRecorded, 'sawSignal'> {
  readonly session: string;
  /** By the monotonic clock, in milliseconds. */
  readonly startedAt: number;
  /** Ends it with all it started; resolves when it has ended. */
  stop(): Promise<RunResult>;
}
