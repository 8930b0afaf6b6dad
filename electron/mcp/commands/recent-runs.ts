/** Holds runs that may answer an equal request: running ones to join, and the last ones that succeeded. */
import type { RunningRecorded, RunResult } from '../../host/recording/run-request.ts';

/** Results are kept with samples of their streams, up to some 1.5 MiB each. */
const KEPT_RUNS = 12;

interface Ended {
  result: RunResult;
  /** Milliseconds since the epoch. */
  at: number;
}

interface UnderWay {
  /** Its time-out in milliseconds; null for none. */
  readonly timeout: number | null;
  readonly run: Promise<AgentRun>;
  /** Aborted when nobody waits any more. */
  readonly unwanted: AbortController;
  /** Callers that wait for it. */
  waiting: number;
}

interface SharedRun {
  readonly run: Promise<AgentRun>;
  /** Another caller began it. */
  readonly joined: boolean;
  /** Ends the run if no other caller waits for it. */
  stopWaiting(): Promise<void>;
}

export class RecentRuns {
  readonly #ended = new Map<string, Ended>();
  readonly #underWay = new Map<string, Set<UnderWay>>();

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
   * Begins the run; or, if the caller `mayJoin`, waits with others for an equal one that is under way and has the same
   * time-out. `begin` need not start a run once its signal is aborted.
   */
  share(
    key: string,
    timeout: number | null,
    mayJoin: boolean,
    begin: (unwanted: AbortSignal) => Promise<AgentRun>,
  ): SharedRun {
    const equal = mayJoin ? [...(this.#underWay.get(key) ?? [])] : [];
    const known = equal.findLast((running) => running.timeout === timeout);
    const shared = known ?? this.#begin(key, timeout, begin);
    shared.waiting += 1;
    let waits = true;
    const stopWaiting = async () => {
      if (!waits) return;
      waits = false;
      shared.waiting -= 1;
      if (shared.waiting > 0) return;
      this.#drop(key, shared);
      shared.unwanted.abort();
      await shared.run.then((run) => run.stop()).catch(() => {});
    };
    return { run: shared.run, joined: known !== undefined, stopWaiting };
  }

  #begin(key: string, timeout: number | null, begin: (unwanted: AbortSignal) => Promise<AgentRun>): UnderWay {
    const unwanted = new AbortController();
    const shared = { timeout, run: begin(unwanted.signal), unwanted, waiting: 0 };
    this.#underWay.set(key, (this.#underWay.get(key) ?? new Set()).add(shared));
    const over = () => this.#drop(key, shared);
    shared.run
      .then((run) => run.result)
      .then((result) => this.remember(key, result))
      .then(over, over);
    return shared;
  }

  #drop(key: string, shared: UnderWay): void {
    const equal = this.#underWay.get(key);
    equal?.delete(shared);
    if (equal?.size === 0) this.#underWay.delete(key);
  }
}

/** A command that an agent runs. */
export interface AgentRun extends Omit<RunningRecorded, 'sawSignal'> {
  readonly session: string;
  /** The command line that the agent gave. */
  readonly line: string;
  /** By the monotonic clock, in milliseconds. */
  readonly startedAt: number;
  /** Ends it with all it started; resolves when it has ended. */
  stop(): Promise<RunResult>;
}
