/**
 * Holds the commands that this process's agents run, by artifact id, and recent runs that may answer an equal
 * request.
 */
import { closeSync, openSync } from 'node:fs';
import { devNull } from 'node:os';
import { isAbsolute, resolve } from 'node:path';
import { isOutOfFiles, SpillwayError } from '../../../shared/errors.ts';
import { shownCommand } from '../../../shared/text/escape.ts';
import { Lifecycle } from '../../host/lifecycle/lifecycle.ts';
import { checkDisks } from '../../host/recording/checked-disks.ts';
import { runRecorded } from '../../host/recording/run.ts';
import {
  type BackgroundRun,
  openRecordingHome,
  type RunningRecorded,
  type RunResult,
} from '../../host/recording/run-request.ts';
import { loadConfig } from '../../host/settings/config.ts';
import { firstWords } from '../budget.ts';

/** Most characters of variables' names in an error. */
const MOST_NAMES_CHARS = 200;

interface CommandsOptions {
  home: string;
  /** For commands of sessions that have no directory of their own. */
  cwd: string;
  env: NodeJS.ProcessEnv;
  /**
   * Command line of the process that goes on recording background children after this one ends; null where there is
   * none.
   */
  recorder: readonly string[] | null;
}

export interface CommandRequest {
  command: string;
  args: readonly string[];
  session: string;
  cwd?: string | undefined;
  env?: Readonly<Record<string, string>> | undefined;
  /** Milliseconds; null for none. */
  timeout: number | null;
}

export class Commands {
  readonly recent = new RecentRuns();
  readonly #options: CommandsOptions;
  readonly #running = new Map<string, AgentRun>();
  /** Background children of finished commands, by artifact id. */
  readonly #background = new Map<string, BackgroundRun>();
  readonly #unrecorded = new Set<AgentRun>();
  readonly #room = new DescriptorRoom();

  constructor(options: CommandsOptions) {
    this.#options = options;
  }

  /** Returns the running command, if any. */
  get(artifactId: string): AgentRun | undefined {
    return this.#running.get(artifactId);
  }

  /** Returns the command lines that run now. */
  lines(): string[] {
    return [...this.#running.values(), ...this.#unrecorded].map(({ line }) => line);
  }

  /** Ends the background children of a command that has ended; false when there are none, as far as is known. */
  async endBackground(artifactId: string): Promise<boolean> {
    const found = (await this.#background.get(artifactId)?.end()) ?? false;
    this.#background.delete(artifactId);
    return found;
  }

  /** Returns the variables that the session and the call add. */
  variables({ session, env }: CommandRequest): Record<string, string> {
    return { ...this.#session(session)?.env, ...env };
  }

  /** Equal requests have equal keys. */
  keyOf(request: CommandRequest): string {
    const { command, args, session } = request;
    const { cwd, env } = this.#surroundings(request);
    return JSON.stringify([session, command, args, cwd, Object.entries(env).sort()]);
  }

  /** Throws NotRunnable, and `usage` for a directory or variable that can't be. */
  async start(request: CommandRequest): Promise<AgentRun> {
    checkWords(request);
    const leave = await this.#room.enter(() => this.#running.size + this.#unrecorded.size);
    try {
      return await this.#start(request);
    } finally {
      leave();
    }
  }

  async #start(request: CommandRequest): Promise<AgentRun> {
    const { home } = this.#options;
    const place = openRecordingHome(home, loadConfig(home));
    const { cwd, env, names } = this.#surroundings(request);
    const line = request.args.length === 0 ? shell(env) : undefined;
    await checkDisks(line?.[0] ?? request.command, cwd, env);
    const abort = new AbortController();
    const { command, args, session, timeout } = request;
    const recorded = await runRecorded(
      place,
      {
        ...{ command, args, session, cwd, env, timeout, envNames: names },
        shell: line,
        stdin: 'ignore',
        ownGroup: true,
        recorder: this.#options.recorder,
        keepsOutput: true,
      },
      { abort: abort.signal },
    );
    const running: AgentRun = {
      artifactId: recorded.artifactId,
      pid: recorded.pid,
      session,
      line: shownCommand(command, args),
      startedAt: performance.now(),
      result: recorded.result,
      warnings: () => recorded.warnings(),
      progress: (stream) => recorded.progress(stream),
      signal: (signal) => recorded.signal(signal),
      hangUp: (stream) => recorded.hangUp(stream),
      stop: () => {
        abort.abort();
        return recorded.result;
      },
    };
    this.#keep(running);
    return running;
  }

  /** Ends all running commands with everything they started, and the background children of finished ones. */
  async close(): Promise<void> {
    const all = [...this.#running.values(), ...this.#unrecorded];
    await Promise.allSettled(all.map((running) => running.stop()));
    await Promise.allSettled([...this.#background.keys()].map((id) => this.endBackground(id)));
  }

  #keep(running: AgentRun): void {
    const { artifactId: id } = running;
    if (id === null) this.#unrecorded.add(running);
    else this.#running.set(id, running);
    const ended = () => {
      this.#unrecorded.delete(running);
      if (id !== null) this.#running.delete(id);
    };
    running.result.then(({ background }) => {
      for (const [other, { isOver }] of this.#background) if (isOver) this.#background.delete(other);
      if (id !== null && background !== null) this.#background.set(id, background);
      ended();
    }, ended);
  }

  #session(name: string) {
    return new Lifecycle(this.#options.home).session(name);
  }

  /** Returns the directory and environment: the call's own, else the session's, else this process's. */
  #surroundings(request: CommandRequest) {
    const { session, cwd } = request;
    const defaults = this.#session(session);
    const added = this.variables(request);
    checkVariables(added);
    const missing = (defaults?.env_names ?? []).filter((name) => !Object.hasOwn(added, name));
    if (missing.length > 0)
      throw new SpillwayError(
        'usage',
        `another process set variables of the session (${firstWords(missing, MOST_NAMES_CHARS).join(', ')}); their values are secret, and in no file`,
        'give them as `env`, here or to use_session',
      );
    const base = resolve(this.#options.cwd, defaults?.cwd ?? '.');
    if (cwd?.includes('\0')) throw new SpillwayError('usage', '`cwd` has a NUL in it', 'give a directory');
    return {
      cwd: cwd === undefined ? base : isAbsolute(cwd) ? cwd : resolve(base, cwd),
      env: { ...this.#options.env, ...added },
      names: Object.keys(added).length === 0 ? null : Object.keys(added).sort(),
    };
  }
}

function checkWords({ command, args }: CommandRequest): void {
  const which = command.includes('\0') ? 'command' : args.some((arg) => arg.includes('\0')) ? 'args' : null;
  if (which === null) return;
  throw new SpillwayError(
    'usage',
    `\`${which}\` has a NUL in it`,
    'programs cannot receive a NUL: use a file',
  );
}

/** A name with `=` or NUL, or a value with NUL, would be another variable than the one that was meant. */
function checkVariables(env: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(env)) {
    if (name !== '' && !/[=\0]/.test(name) && !value.includes('\0')) continue;
    throw new SpillwayError(
      'usage',
      `\`env\` cannot have the variable ${JSON.stringify(name.slice(0, 80))}`,
      'a name is not empty and has no "=", and neither name nor value has a NUL',
    );
  }
}

function shell(env: NodeJS.ProcessEnv): readonly string[] {
  if (process.platform === 'win32') return [env.ComSpec ?? 'cmd.exe', '/d', '/s', '/c'];
  return ['/bin/sh', '-c'];
}

/** A start opens fewer at once, and what reads meanwhile needs some. */
const FOR_ONE = 24;
/** If none starts or ends for so many milliseconds, one is tried anyway: those that run may be servers, which do not end. */
const LONGEST_MS = 10_000;
const CHECK_MS = 50;

/** Lets a command start when there are descriptors for its pipes and files; until then, others come to their end. */
class DescriptorRoom {
  #starting = 0;
  /** When a command last started or ended. */
  #changed = performance.now();
  #others = 0;

  /** Resolves with what to call once the command has started, or failed to. `others`: how many run. Never rejects. */
  async enter(others: () => number): Promise<() => void> {
    this.#changed = performance.now();
    while (!this.#mayStart(others())) await new Promise((resolve) => setTimeout(resolve, CHECK_MS));
    this.#starting += 1;
    return () => {
      this.#starting -= 1;
      this.#changed = performance.now();
    };
  }

  #mayStart(others: number): boolean {
    if (areFree(FOR_ONE * (this.#starting + 1))) return true;
    if (others !== this.#others) this.#changed = performance.now();
    this.#others = others;
    return this.#starting === 0 && (others === 0 || performance.now() - this.#changed > LONGEST_MS);
  }
}

function areFree(count: number): boolean {
  const opened: number[] = [];
  try {
    while (opened.length < count) opened.push(openSync(devNull, 'r'));
    return true;
  } catch (error) {
    return !isOutOfFiles(error);
  } finally {
    for (const fd of opened) closeSync(fd);
  }
}

// Holds runs that may answer an equal request: running ones to join, and the last ones that succeeded.

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
