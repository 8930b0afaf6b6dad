/**
 * Runs a command on two pipes, with its output on its way to wherever it should go, and ends it as a shell would:
 * its own status, or by time-out or cancellation with everything it started.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync } from 'node:fs';
import type { PipePair } from './pipes.ts';
import { endTree, GRACE, signalCommand, type Tree } from './process-tree.ts';
import { type ReadEnd, readFrom, readStream, type Taker } from './read-end.ts';
import type { RecordedStreamName } from './recorded-stream.ts';

export interface CommandOptions {
  /** Found already (`findCommand`). */
  path: string;
  /** What it is called, its argv[0]. */
  name: string;
  args: readonly string[];
  cwd: string;
  env: NodeJS.ProcessEnv;
  /** Milliseconds; null for none. */
  timeout: number | null;
  stdin: 'inherit' | 'ignore';
  /** It gets a session of its own, so that no signal meant for us reaches it twice. */
  ownGroup: boolean;
  abort?: AbortSignal | undefined;
  take: Record<'stdout' | 'stderr', Taker>;
  /** Made beforehand, two of them; null where there are none. */
  pipes: PipePair[] | null;
}

export interface CommandEnd {
  reason: 'exited' | 'timed_out' | 'cancelled';
  exitCode: number | null;
  signal: NodeJS.Signals | null;
  /** Streams that background children still hold: to be closed, read on, or handed over. Nothing reads them now. */
  open: Partial<Record<'stdout' | 'stderr', ReadEnd>>;
}

export interface RunningCommand {
  readonly pid: number;
  signal(signal: NodeJS.Signals): void;
  /** Closes our end of a stream, as when a reader goes away: whoever writes to it gets SIGPIPE. */
  hangUp(stream: RecordedStreamName): void;
  /** Ends it and everything it started. */
  cancel(): void;
  readonly ended: Promise<CommandEnd>;
}

/** Throws what starting throws: ENOENT, EACCES, EAGAIN and the like. */
export async function runCommand(options: CommandOptions): Promise<RunningCommand> {
  const { pipes } = options;
  const child = await started(options, pipes);
  const tree: Tree = {
    pid: child.pid!,
    ownGroup: options.ownGroup,
    outputs: pipes?.flatMap(({ link }) => link ?? []) ?? [],
  };
  const ends = readEnds(child, pipes, options.take);
  return new Running(options, child, tree, ends);
}

type Ends = Record<'stdout' | 'stderr', ReadEnd>;
const STREAMS = ['stdout', 'stderr'] as const;

class Running implements RunningCommand {
  readonly pid: number;
  readonly ended: Promise<CommandEnd>;
  readonly #tree: Tree;
  readonly #ends: Ends;
  #reason: CommandEnd['reason'] = 'exited';
  #ending: Promise<void> | null = null;

  constructor({ timeout, abort }: CommandOptions, child: ChildProcess, tree: Tree, ends: Ends) {
    this.pid = tree.pid;
    this.#tree = tree;
    this.#ends = ends;
    const timer = timeout === null ? null : setTimeout(() => this.#end('timed_out'), timeout);
    const onAbort = () => this.#end('cancelled');
    abort?.addEventListener('abort', onAbort, { once: true });
    if (abort?.aborted) onAbort();
    this.ended = new Promise<[number | null, NodeJS.Signals | null]>((resolve) =>
      child.once('exit', (code, signal) => resolve([code, signal])),
    ).then(async ([code, signal]) => {
      if (timer) clearTimeout(timer);
      abort?.removeEventListener('abort', onAbort);
      return this.#conclude(code, signal);
    });
  }

  signal(signal: NodeJS.Signals): void {
    signalCommand(this.#tree, signal);
  }

  hangUp(stream: RecordedStreamName): void {
    if (stream !== 'output') this.#ends[stream].close();
  }

  cancel(): void {
    this.#end('cancelled');
  }

  #end(reason: 'timed_out' | 'cancelled'): void {
    if (this.#ending) return;
    this.#reason = reason;
    this.#ending = endTree(this.#tree);
  }

  async #conclude(exitCode: number | null, signal: NodeJS.Signals | null): Promise<CommandEnd> {
    // Of a tree that is being ended, all are waited for, and what they still print in their last moments.
    await this.#ending;
    if (this.#ending) await Promise.race([this.#allEnded(), pause(GRACE / 4)]);
    const patience = this.#ending === null && signal === null;
    await Promise.all(STREAMS.map((stream) => this.#ends[stream].drain(patience)));
    const open: CommandEnd['open'] = {};
    for (const stream of STREAMS) if (this.#ends[stream].isOpen) open[stream] = this.#ends[stream];
    return { reason: this.#reason, exitCode, signal, open };
  }

  #allEnded(): Promise<unknown> {
    return Promise.all(STREAMS.map((stream) => this.#ends[stream].ended));
  }
}

async function started(options: CommandOptions, pipes: PipePair[] | null): Promise<ChildProcess> {
  const { path, name, args, cwd, env, stdin, ownGroup } = options;
  const outputs = pipes?.map(({ writeEnd }) => writeEnd) ?? ['pipe', 'pipe'];
  try {
    const child = spawn(path, args, {
      argv0: name,
      cwd,
      env,
      stdio: [stdin, ...outputs] as ['inherit', number, number],
      detached: ownGroup,
      windowsHide: true,
    });
    await new Promise<void>((resolve, reject) => {
      child.once('spawn', resolve);
      child.once('error', reject);
    });
    return child;
  } catch (error) {
    for (const { readEnd } of pipes ?? []) closeSync(readEnd);
    throw error;
  } finally {
    for (const { writeEnd } of pipes ?? []) closeSync(writeEnd);
  }
}

function readEnds(child: ChildProcess, pipes: PipePair[] | null, take: CommandOptions['take']): Ends {
  const end = (stream: 'stdout' | 'stderr', index: number) => {
    const pipe = pipes?.[index];
    return pipe ? readFrom(pipe.readEnd, take[stream]) : readStream(child[stream]!, take[stream]);
  };
  return { stdout: end('stdout', 0), stderr: end('stderr', 1) };
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms).unref());
}
