/**
 * Runs a command on two pipes, with its output on its way to wherever it should go, and ends it as a shell would:
 * its own status, or by time-out or cancellation with everything it started.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync } from 'node:fs';
import { type ReadEnd, readFrom, readStream, type Taker } from '../streams/read-end.ts';
import type { RecordedStreamName } from '../streams/recorded-stream.ts';
import { folderToEnter } from './current-folder.ts';
import { asGiven } from './given-bytes.ts';
import { atTheirNumbers, descriptorsGiven } from './given-descriptors.ts';
import { findPerl } from './perl.ts';
import type { PipePair } from './pipes.ts';
import { endTree, GRACE, signalCommand, type Tree } from './process-tree.ts';

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
  open: Partial<Record<RecordedStreamName, ReadEnd>>;
}

export interface CommandHandle {
  readonly pid: number;
  signal(signal: NodeJS.Signals): void;
  /** Closes our end of a stream, as when a reader goes away: whoever writes to it gets SIGPIPE. */
  hangUp(stream: RecordedStreamName): void;
  /** Ends it and everything it started. */
  cancel(): void;
  /** Absent on a terminal, whose end ends what is left. */
  readonly tree?: Tree;
  readonly ended: Promise<CommandEnd>;
}

/** Throws what starting throws: ENOENT, EACCES, EAGAIN and the like. */
export async function runOnPipes(options: CommandOptions): Promise<CommandHandle> {
  const { pipes, take } = options;
  const early = pipes === null ? null : await listen(pipes, take);
  const child = await started(options, pipes).catch((error) => {
    for (const stream of STREAMS) early?.[stream].close();
    throw error;
  });
  const tree: Tree = {
    pid: child.pid!,
    ownGroup: options.ownGroup,
    outputs: pipes?.flatMap(({ link }) => link ?? []) ?? [],
  };
  const ends = early ?? {
    stdout: readStream(child.stdout!, take.stdout),
    stderr: readStream(child.stderr!, take.stderr),
  };
  return new Running(options, child, tree, ends);
}

type Ends = Record<'stdout' | 'stderr', ReadEnd>;
const STREAMS = ['stdout', 'stderr'] as const;

class Running implements CommandHandle {
  readonly pid: number;
  readonly ended: Promise<CommandEnd>;
  readonly tree: Tree;
  readonly #ends: Ends;
  #reason: CommandEnd['reason'] = 'exited';
  #ending: Promise<void> | null = null;

  constructor({ timeout, abort }: CommandOptions, child: ChildProcess, tree: Tree, ends: Ends) {
    this.pid = tree.pid;
    this.tree = tree;
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
    signalCommand(this.tree, signal);
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
    this.#ending = endTree(this.tree);
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

type Stdio = ['inherit' | 'ignore', number, number];

async function started(options: CommandOptions, pipes: PipePair[] | null): Promise<ChildProcess> {
  const { cwd, stdin, ownGroup } = options;
  const { path, name, args, env } = asGiven(options, findPerl());
  const outputs = pipes?.map(({ writeEnd }) => writeEnd) ?? ['pipe', 'pipe'];
  try {
    const child = spawn(path, args, {
      argv0: name,
      cwd: folderToEnter(cwd),
      env,
      // Who has our standard input has the rest of what we were given, too.
      stdio: [stdin, ...outputs, ...(stdin === 'inherit' ? atTheirNumbers(descriptorsGiven()) : [])] as Stdio,
      detached: ownGroup,
      windowsHide: true,
    });
    await new Promise<void>((resolve, reject) => {
      child.once('spawn', resolve);
      child.once('error', reject);
    });
    return child;
  } finally {
    for (const { writeEnd } of pipes ?? []) closeSync(writeEnd);
  }
}

/**
 * Waits on both before there is anybody to write: of what is there at once, the system then tells first what was written
 * first. Were they added later, that would be the order in which they were added.
 */
async function listen([stdout, stderr]: PipePair[], take: CommandOptions['take']): Promise<Ends> {
  const ends = {
    stdout: readFrom(stdout!.readEnd, take.stdout),
    stderr: readFrom(stderr!.readEnd, take.stderr),
  };
  // The event loop hands them to the system when it next waits for something, which it has done between two of these.
  for (let round = 0; round < 2; round += 1) await new Promise((resolve) => setImmediate(resolve));
  return ends;
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms).unref());
}
