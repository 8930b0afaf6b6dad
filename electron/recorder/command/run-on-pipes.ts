/** Runs a command on pipes, until it exits, or until a timeout or cancellation ends it with everything it started. */
import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync } from 'node:fs';
import { type ReadEnd, readFrom, readStream, type Taker } from '../streams/read-end.ts';
import type { RecordedStreamName } from '../streams/recorded-stream.ts';
import { isInForeground } from '../terminal/foreground.ts';
import type { CommandEnd, CommandHandle, CommandOptions, Prepared } from './command-handle.ts';
import { folderToEnter } from './current-folder.ts';
import type { CommandExit } from './exit.ts';
import { asGiven } from './given-bytes.ts';
import { atTheirNumbers, descriptorsForCommand } from './given-descriptors.ts';
import { findPerl } from './perl.ts';
import { type PipeLeader, startLeader } from './pipe-leader.ts';
import { makePipes, type PipePair } from './pipes.ts';
import { endTree, GRACE_MS, type ProcessTree, type Survivor, signalCommand } from './process-tree.ts';

interface PipeOptions extends CommandOptions {
  /** `output` alone records both streams in the order they are written. */
  streams: readonly RecordedStreamName[];
  /** Ending the command also ends processes that left its process tree (Linux only). */
  reap: boolean;
}

/** Begins the slow preparation (milliseconds), so that files can be made meanwhile. Never throws. */
export function prepareOnPipes(options: PipeOptions): Prepared {
  const leader = leaderFor(options);
  const pipes = leader === null ? makePipes(options.streams.length) : null;
  return {
    async start(take, onExit) {
      const led = leader === null ? null : await startLed(options, leader, take);
      const started = led ?? (await startUnled(options, await (pipes ?? makePipes(2)), take));
      return new Running(options, started, onExit);
    },
  };
}

interface Started {
  tree: ProcessTree;
  ends: Ends;
  exited: Promise<CommandExit>;
  leader: PipeLeader | null;
}

type Ends = Partial<Record<RecordedStreamName, ReadEnd>>;

function leaderFor(options: PipeOptions): PipeLeader | null {
  try {
    const { stdin, ownGroup, reap, cwd, streams } = options;
    const { path, name, args, env } = asGiven(options, findPerl());
    return startLeader({
      ...{ path, name, args, env, stdin, ownGroup, reap, cwd: folderToEnter(cwd) },
      pipes: streams.length === 1 ? 1 : 2,
    });
  } catch {
    // For example, the arguments are too long to pass through the leader.
    return null;
  }
}

/** Null if the leader cannot start the command: a Perl without its modules, no /proc. */
async function startLed(
  { streams, ownGroup }: PipeOptions,
  leader: PipeLeader,
  take: (stream: RecordedStreamName) => Taker,
): Promise<Started | null> {
  const opened = await leader.open();
  if (opened === null) return null;
  const ends: Ends = {};
  streams.forEach((stream, index) => {
    ends[stream] = readFrom(opened[index]!.fd, take(stream));
  });
  await listening();
  try {
    const pid = await leader.start();
    const tree = { pid, ownGroup, outputs: opened.map(({ link }) => link), leader: leader.pid ?? null };
    return { tree, ends, exited: leader.exited, leader };
  } catch (error) {
    for (const end of Object.values(ends)) end.close();
    throw error;
  }
}

/** Uses Node's own `spawn`, which resets and unblocks signals. */
async function startUnled(
  { stdin, ownGroup, streams, ...options }: PipeOptions,
  pipes: PipePair[] | null,
  take: (stream: RecordedStreamName) => Taker,
): Promise<Started> {
  const ends: Ends = {};
  if (pipes !== null) {
    streams.forEach((stream, index) => {
      ends[stream] = readFrom(pipes[index]!.readEnd, take(stream));
    });
    await listening();
  }
  const child = await spawned({ ...options, stdin, ownGroup }, pipes, streams.length === 1).catch((error) => {
    for (const end of Object.values(ends)) end.close();
    throw error;
  });
  if (pipes === null) {
    ends.stdout = readStream(child.stdout!, take(streams[0]!));
    ends.stderr = readStream(child.stderr!, take(streams.at(-1)!));
  }
  const exited = new Promise<CommandExit>((resolve) =>
    child.once('exit', (exitCode, signal) => resolve({ exitCode, signal })),
  );
  const outputs = pipes?.flatMap(({ link }) => link ?? []) ?? [];
  return { tree: { pid: child.pid!, ownGroup, outputs, leader: null }, ends, exited, leader: null };
}

class Running implements CommandHandle {
  readonly pid: number;
  readonly ended: Promise<CommandEnd>;
  readonly tree: ProcessTree;
  readonly #ends: Ends;
  readonly #leader: PipeLeader | null;
  #reason: CommandEnd['reason'] = 'exited';
  #ending: Promise<readonly Survivor[]> | null = null;

  constructor(
    { timeout, abort }: CommandOptions,
    { tree, ends, exited, leader }: Started,
    onExit: () => void,
  ) {
    this.pid = tree.pid;
    this.tree = tree;
    this.#ends = ends;
    this.#leader = leader;
    const timer = timeout === null ? null : setTimeout(() => this.#end('timed_out'), timeout);
    const onAbort = () => this.#end('cancelled');
    abort?.addEventListener('abort', onAbort, { once: true });
    if (abort?.aborted) onAbort();
    this.ended = exited.then((exit) => {
      onExit();
      if (timer) clearTimeout(timer);
      abort?.removeEventListener('abort', onAbort);
      return this.#conclude(exit);
    });
  }

  async sawSignal(signal: NodeJS.Signals): Promise<boolean> {
    if (this.#leader !== null) return this.#leader.sawSignal(signal);
    return KEYS.has(signal) && !this.tree.ownGroup && isInForeground();
  }

  signal(signal: NodeJS.Signals): void {
    signalCommand(this.tree, signal);
  }

  hangUp(stream: RecordedStreamName): void {
    this.#ends[stream]?.close();
  }

  cancel(): void {
    this.#end('cancelled');
  }

  #end(reason: 'timed_out' | 'cancelled'): void {
    if (this.#ending) return;
    this.#reason = reason;
    this.#ending = endTree(this.tree);
  }

  async #conclude({ exitCode, signal }: CommandExit): Promise<CommandEnd> {
    const ends = Object.entries(this.#ends) as [RecordedStreamName, ReadEnd][];
    // Wait for the whole tree and its last output.
    const survivors = (await this.#ending) ?? [];
    if (this.#ending) {
      const allEnded = Promise.all(ends.map(([, end]) => end.ended));
      await Promise.race([allEnded, pause(GRACE_MS / 4)]);
    }
    const patience = this.#ending === null && signal === null;
    await Promise.all(ends.map(([, end]) => end.drain(patience)));
    const open = Object.fromEntries(ends.filter(([, end]) => end.isOpen));
    return { reason: this.#reason, exitCode, signal, open, survivors };
  }
}

/** A terminal sends these to its foreground process group. */
const KEYS = new Set<NodeJS.Signals>(['SIGINT', 'SIGQUIT']);

async function spawned(
  options: CommandOptions | Omit<PipeOptions, 'streams'>,
  pipes: PipePair[] | null,
  isOne: boolean,
): Promise<ChildProcess> {
  const { cwd, stdin, ownGroup } = options;
  const { path, name, args, env } = asGiven(options, findPerl());
  const outputs = pipes === null ? ['pipe', 'pipe'] : [pipes[0]!.writeEnd, pipes[isOne ? 0 : 1]!.writeEnd];
  const stdio = [stdin, ...outputs, ...(stdin === 'inherit' ? atTheirNumbers(descriptorsForCommand()) : [])];
  try {
    const child = spawn(path, args, {
      ...{ argv0: name, cwd: folderToEnter(cwd), env, detached: ownGroup, windowsHide: true },
      // A child that inherits stdin also inherits the extra descriptors that we were given.
      stdio: stdio as ['inherit' | 'ignore', number, number],
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
 * Waits until the event loop watches both pipes. The system then reports data in both in the order it was written.
 */
async function listening(): Promise<void> {
  for (let round = 0; round < 2; round += 1) await new Promise((resolve) => setImmediate(resolve));
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms).unref());
}
