/** Holds the commands of one agent. They end when the agent leaves. */

import type { Status } from '../../../shared/artifact.ts';
import { SpillwayError } from '../../../shared/errors.ts';
import type { BackgroundRun, RunResult } from '../../host/recording/run-request.ts';
import { MAX_IN_FLIGHT, MAX_WAITING, Turns } from '../transport/admission.ts';
import type { AgentRun, CommandRequest, Commands } from './commands.ts';

/** Call `stopWaiting` with the reason that the client's cancellation gives. */
type StartedOrKnown =
  | { run: AgentRun; cached: boolean; stopWaiting: (reason: unknown) => void }
  | { run: null; result: RunResult };

/**
 * A run whose client gave up waiting, by a time limit that the agent did not choose, goes on this long: its output can
 * be waited for and read, or an equal call joins it.
 */
const GRACE_MS = 120_000;

/** Limit for one agent, background runs included. */
const MOST_RUNNING = 100;

export class AgentCommands {
  readonly #commands: Commands;
  readonly #turns = new Turns(MAX_IN_FLIGHT, MAX_WAITING);
  readonly #isThere: (artifactId: string) => Promise<boolean>;
  /** With what ends each: of one that others wait for as well, only our waiting. */
  readonly #running = new Map<AgentRun, Set<() => Promise<unknown>>>();
  readonly #unawaited = new UnawaitedRuns();
  /** Background children of the agent's finished commands. */
  readonly #background = new Map<BackgroundRun, Pick<AgentRun, 'artifactId' | 'session'>>();
  #isClosed = false;

  /** `isThere`: whether an artifact has not been removed. */
  constructor(commands: Commands, isThere: (artifactId: string) => Promise<boolean>) {
    this.#commands = commands;
    this.#isThere = isThere;
  }

  variables(request: CommandRequest): Record<string, string> {
    return this.#commands.variables(request);
  }

  /** Errors as `Commands.start`. */
  async start(request: CommandRequest): Promise<AgentRun> {
    const running = await this.#begin(request);
    await this.#keep(running, () => running.stop());
    return running;
  }

  /**
   * With `maxAgeSeconds` over 0, an equal run may answer: one that succeeded so recently, or one that is under way with
   * the same time-out.
   */
  async startOrJoin(
    request: CommandRequest,
    maxAgeSeconds: number,
    signal: AbortSignal,
  ): Promise<StartedOrKnown> {
    const key = this.#commands.keyOf(request);
    const mayJoin = maxAgeSeconds > 0;
    const known = mayJoin ? await this.#known(key, maxAgeSeconds) : null;
    if (known !== null) return { run: null, result: known };
    const shared = this.#commands.recent.share(key, request.timeout, mayJoin, (unwanted) =>
      this.#beginInTurn(request, unwanted),
    );
    const cancel = () => void shared.stopWaiting();
    signal.addEventListener('abort', cancel, { once: true });
    if (signal.aborted) cancel();
    try {
      const run = await shared.run;
      await this.#keep(run, shared.stopWaiting);
      const stopWaiting = (reason: unknown) => {
        this.#unawaited.note(key, run);
        if (isTimeout(reason)) setTimeout(shared.stopWaiting, GRACE_MS).unref();
        else void shared.stopWaiting();
      };
      return { run, cached: shared.joined, stopWaiting };
    } finally {
      signal.removeEventListener('abort', cancel);
    }
  }

  /** Returns the last equal run that its caller stopped waiting for, once; null when there is none any more. */
  async earlier(request: CommandRequest): Promise<EarlierRun | null> {
    const known = this.#unawaited.take(this.#commands.keyOf(request));
    return known !== null && (await this.#isThere(known.artifact_id)) ? known : null;
  }

  async #begin(request: CommandRequest): Promise<AgentRun> {
    if (this.#isClosed) throw hasEnded();
    if (this.#running.size >= MOST_RUNNING) {
      throw new SpillwayError(
        'busy',
        `${this.#running.size} commands run already`,
        'end one with stop_command, or wait for one with wait_for_output',
      );
    }
    const running = await this.#commands.start(request);
    running.result.then(
      ({ background }) => this.#keepBackground(background, running),
      () => {},
    );
    return running;
  }

  /**
   * For a caller that waits for the end. A run that is being ended keeps its turn, so that a storm of cancellations
   * cannot pile up processes.
   */
  async #beginInTurn(request: CommandRequest, unwanted: AbortSignal): Promise<AgentRun> {
    const giveBack = await this.#turns.take(unwanted);
    if (giveBack === null) throw new SpillwayError('busy', 'too many commands are waiting', 'retry later');
    try {
      unwanted.throwIfAborted();
      const running = await this.#begin(request);
      running.result.then(giveBack, giveBack);
      return running;
    } catch (error) {
      giveBack();
      throw error;
    }
  }

  /** Finds a run of any agent of this process. */
  find(artifactId: string): AgentRun | undefined {
    return this.#commands.get(artifactId);
  }

  /** Ends this agent's of a session; resolves with their ids. */
  stopSession(session: string): Promise<string[]> {
    return this.#end((running) => running.session === session);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#end(() => true);
  }

  /** Ends the background children of a command that has ended; false when there are none, as far as is known. */
  endBackground(artifactId: string): Promise<boolean> {
    return this.#commands.endBackground(artifactId);
  }

  async #end(which: (of: { session: string }) => boolean): Promise<string[]> {
    const ending = [...this.#running].filter(([running]) => which(running));
    await Promise.allSettled(ending.flatMap(([, ends]) => [...ends].map((end) => end())));
    const ids = ending.flatMap(([{ artifactId }]) => artifactId ?? []);
    const background = [...this.#background].filter(([, running]) => which(running));
    await Promise.allSettled(
      background.map(async ([one, { artifactId }]) => {
        this.#background.delete(one);
        if ((await one.end()) && artifactId !== null) ids.push(artifactId);
      }),
    );
    return [...new Set(ids)];
  }

  #keepBackground(background: BackgroundRun | null, { artifactId, session }: AgentRun): void {
    for (const other of this.#background.keys()) if (other.isOver) this.#background.delete(other);
    if (background === null) return;
    if (this.#isClosed) void background.end();
    else this.#background.set(background, { artifactId, session });
  }

  async #known(key: string, maxAgeSeconds: number): Promise<RunResult | null> {
    const { recent } = this.#commands;
    const known = recent.ended(key, maxAgeSeconds);
    if (known === null) return null;
    const id = known.head.artifact_id;
    if (id === null || (await this.#isThere(id))) return known;
    recent.forget(key);
    return null;
  }

  /** Throws when the agent has left while the command was started. */
  async #keep(running: AgentRun, end: () => Promise<unknown>): Promise<void> {
    if (this.#isClosed) {
      await end();
      throw hasEnded();
    }
    const known = this.#running.get(running);
    known?.add(end);
    if (known !== undefined) return;
    this.#running.set(running, new Set([end]));
    const ended = () => this.#running.delete(running);
    running.result.then(ended, ended);
  }
}

function hasEnded(): SpillwayError {
  return new SpillwayError('cancelled', 'the connection has ended', 'connect again');
}

/** Remembers runs whose caller stopped waiting, so that the reply to an equal call can name the earlier one. */
export interface EarlierRun {
  artifact_id: string;
  status: Status;
}

/** A key holds the whole environment. */
const KEPT_RUNS = 12;

class UnawaitedRuns {
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
