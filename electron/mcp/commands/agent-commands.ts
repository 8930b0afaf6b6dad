/** Holds the commands of one agent. They end when the agent leaves. */
import { SpillwayError } from '../../../shared/errors.ts';
import type { BackgroundRun, RunResult } from '../../host/recording/run-request.ts';
import { MAX_IN_FLIGHT, MAX_WAITING } from '../transport/admission.ts';
import { Turns } from '../turns.ts';
import { AbandonedRuns, isTimeout } from './abandoned-runs.ts';
import type { CommandRequest, Commands } from './commands.ts';
import type { AgentRun } from './recent-runs.ts';

/** Call `stopWaiting` with the reason that the client's cancellation gives. */
type StartedOrKnown =
  | { run: AgentRun; cached: boolean; stopWaiting: (reason: unknown) => void }
  | { run: null; result: RunResult };

/** A run whose client gave up waiting goes on this long, and answers an equal call in that time. */
const GRACE_MS = 120_000;

/** Limit for one agent, background runs included. */
const MOST_RUNNING = 100;

export class AgentCommands {
  readonly #commands: Commands;
  readonly #turns = new Turns(MAX_IN_FLIGHT, MAX_WAITING);
  readonly #isThere: (artifactId: string) => Promise<boolean>;
  /** With what ends each: of one that others wait for as well, only our waiting. */
  readonly #running = new Map<AgentRun, () => Promise<unknown>>();
  readonly #abandoned = new AbandonedRuns(GRACE_MS);
  /** Background children of the agent's finished commands. */
  readonly #background = new Map<BackgroundRun, Pick<AgentRun, 'artifactId' | 'session'>>();

  /** `isThere`: whether an artifact has not been removed. */
  constructor(commands: Commands, isThere: (artifactId: string) => Promise<boolean>) {
    this.#commands = commands;
    this.#isThere = isThere;
  }

  /** Errors as `Commands.start`. */
  async start(request: CommandRequest): Promise<AgentRun> {
    if (this.#running.size >= MOST_RUNNING) {
      throw new SpillwayError(
        'busy',
        `${this.#running.size} commands run already`,
        'end one with stop_command, or wait for one with wait_for_output',
      );
    }
    const running = await this.#commands.start(request);
    this.#keep(running, () => running.stop());
    running.result.then(
      ({ background }) => this.#keepBackground(background, running),
      () => {},
    );
    return running;
  }

  /**
   * Like start, for a caller that waits for the end. A run that is being ended keeps its turn, so that a storm of
   * cancellations cannot pile up processes.
   */
  async #startInTurn(request: CommandRequest, signal: AbortSignal): Promise<AgentRun> {
    const giveBack = await this.#turns.take(signal);
    if (giveBack === null) throw new SpillwayError('busy', 'too many commands are waiting', 'retry later');
    try {
      signal.throwIfAborted();
      const running = await this.start(request);
      running.result.then(giveBack, giveBack);
      return running;
    } catch (error) {
      giveBack();
      throw error;
    }
  }

  /** `maxAgeSeconds` over 0 allows an equal run to answer: one that succeeded so recently, or one that is under way. */
  async startOrJoin(
    request: CommandRequest,
    maxAgeSeconds: number,
    signal: AbortSignal,
  ): Promise<StartedOrKnown> {
    const { recent } = this.#commands;
    const key = this.#commands.keyOf(request);
    const remember = (run: AgentRun) =>
      run.result.then((result) => recent.remember(key, result)).catch(() => {});
    const abandoned = this.#abandoned.take(key);
    if (abandoned !== null) {
      return {
        run: abandoned,
        cached: true,
        stopWaiting: this.#stopWaitingFor(key, abandoned, () => abandoned.stop()),
      };
    }
    if (maxAgeSeconds <= 0) {
      const run = await this.#startInTurn(request, signal);
      void remember(run);
      return { run, cached: false, stopWaiting: this.#stopWaitingFor(key, run, () => run.stop()) };
    }
    const known = await this.#known(key, maxAgeSeconds);
    if (known !== null) return { run: null, result: known };
    // A caller who joins the run must keep it when the caller who began it stops waiting.
    const begin = () => this.#startInTurn(request, new AbortController().signal);
    const { run, joined, stopWaiting } = await recent.share(key, begin);
    if (!joined) void remember(run);
    let hasStopped = false;
    const stopOnce = async () => {
      if (hasStopped) return;
      hasStopped = true;
      await stopWaiting();
    };
    this.#keep(run, stopOnce);
    return { run, cached: joined, stopWaiting: this.#stopWaitingFor(key, run, stopOnce) };
  }

  /** Returns a function that stops the run if its caller cancelled, or keeps it for a while if the client timed out. */
  #stopWaitingFor(key: string, run: AgentRun, stop: () => Promise<unknown>): (reason: unknown) => void {
    return (reason) => {
      if (isTimeout(reason)) this.#abandoned.keep(key, run, stop);
      else void stop().catch(() => {});
    };
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
    this.#abandoned.close();
    await this.#end(() => true);
  }

  /** Ends the background children of a command that has ended; false when there are none, as far as is known. */
  endBackground(artifactId: string): Promise<boolean> {
    return this.#commands.endBackground(artifactId);
  }

  async #end(which: (of: { session: string }) => boolean): Promise<string[]> {
    const ending = [...this.#running].filter(([running]) => which(running));
    await Promise.allSettled(ending.map(([, end]) => end()));
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
    if (background !== null) this.#background.set(background, { artifactId, session });
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

  #keep(running: AgentRun, end: () => Promise<unknown>): void {
    this.#running.set(running, end);
    const ended = () => this.#running.delete(running);
    running.result.then(ended, ended);
  }
}
