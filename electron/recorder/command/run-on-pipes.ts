/** Runs a command on pipes, or on terminals that only show, until it exits, or until a timeout or cancellation ends it with everything it started. */
import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, constants, mkdtempSync, openSync, readlinkSync, rmdirSync, unlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import type { RecordedStreamName } from '../streams/outcome.ts';
import { type ReadEnd, readFrom, readStream } from '../streams/read-end.ts';
import { isInForeground } from '../terminal/foreground.ts';
import { openScreen, type Screen } from '../terminal/screen.ts';
import type {
  CommandEnd,
  CommandExit,
  CommandHandle,
  CommandOptions,
  Prepared,
  StreamPlan,
  Takers,
} from './command-handle.ts';
import { folderToEnter } from './find-command.ts';
import { asGiven } from './given-bytes.ts';
import { atTheirNumbers, descriptorsForCommand, type Leader, startLeader } from './leader.ts';
import { findPerl } from './perl.ts';
import { endTree, GRACE_MS, type ProcessTree, type Survivor, signalCommand } from './process-tree.ts';

/** Begins the slow preparation (milliseconds), so that files can be made meanwhile. Never throws. */
export function prepareOnPipes(options: CommandOptions): Prepared {
  const outputs = outputsOf(options.plan);
  const leader = leaderFor(options, outputs);
  const pipes = leader === null ? pipesFor(outputs) : null;
  return {
    async start(take, onExit) {
      try {
        await Promise.all(outputs.map(({ screen }) => screen?.ready));
        const led = leader === null ? null : await startLed(options, outputs, leader, take);
        const started = led ?? (await startUnled(options, outputs, await (pipes ?? pipesFor(outputs)), take));
        return new Running(options, started, onExit);
      } finally {
        for (const { screen } of outputs) screen?.closeSlave();
      }
    },
  };
}

/** A stream, and the terminal that shows it; null for a pipe. */
interface Output {
  name: RecordedStreamName;
  screen: Screen | null;
}

export function outputsOf({ streams, screens }: StreamPlan): Output[] {
  return streams.map((name) => {
    const fd = screens[name];
    try {
      return { name, screen: fd === undefined ? null : openScreen(fd) };
    } catch {
      // This system has no pseudo-terminals, or no free one.
      return { name, screen: null };
    }
  });
}

async function pipesFor(outputs: readonly Output[]): Promise<PipePair[] | null> {
  const count = outputs.filter(({ screen }) => screen === null).length;
  return count === 0 ? [] : makePipes(count);
}

interface Started {
  tree: ProcessTree;
  ends: Ends;
  exited: Promise<CommandExit>;
  leader: Leader | null;
}

type Ends = Partial<Record<RecordedStreamName, ReadEnd>>;

function leaderFor(options: CommandOptions, outputs: readonly Output[]): Leader | null {
  try {
    const { stdin, ownGroup, reap, cwd } = options;
    const { path, name, args, env } = asGiven(options, findPerl());
    return startLeader({
      ...{ path, name, args, env, stdin, ownGroup, reap, cwd: folderToEnter(cwd) },
      outputs: outputs.map(({ screen }) => screen ?? 'pipe'),
    });
  } catch {
    // For example, the arguments are too long to pass through the leader.
    return null;
  }
}

/** Null if the leader cannot start the command: a Perl without its modules, no /proc. */
async function startLed(
  { ownGroup }: CommandOptions,
  outputs: readonly Output[],
  leader: Leader,
  take: Takers,
): Promise<Started | null> {
  const opened = await leader.open();
  if (opened === null) return null;
  const ends: Ends = {};
  const links: string[] = [];
  for (const { name, screen } of outputs) {
    const pipe = screen === null ? opened.shift()! : null;
    ends[name] = screen
      ? screen.read(take(name), leader.telling.includes(screen.master))
      : readFrom(pipe!.fd, take(name));
    links.push(screen?.path ?? pipe!.link);
  }
  await listening();
  try {
    const pid = await leader.start();
    const tree = { pid, ownGroup, outputs: links, leader: leader.pid ?? null };
    return { tree, ends, exited: leader.exited, leader };
  } catch (error) {
    for (const end of Object.values(ends)) end.close();
    throw error;
  }
}

/** Uses Node's own `spawn`, which resets and unblocks signals. */
async function startUnled(
  options: CommandOptions,
  outputs: readonly Output[],
  pipes: PipePair[] | null,
  take: Takers,
): Promise<Started> {
  const ends: Ends = {};
  const links: string[] = [];
  const unused = [...(pipes ?? [])];
  // Null for Node's own pipes, which it opens when it starts the command.
  const writeEnds = outputs.map(({ name, screen }) => {
    const pipe = screen === null ? unused.shift() : undefined;
    const end = screen?.read(take(name), false) ?? (pipe && readFrom(pipe.readEnd, take(name)));
    if (end) ends[name] = end;
    const link = screen?.path ?? pipe?.link;
    if (link) links.push(link);
    return screen?.slave ?? pipe?.writeEnd ?? null;
  });
  await listening();
  const [stdout, stderr] = [writeEnds[0]!, writeEnds.at(-1)!];
  const child = await spawned(options, stdout, stderr)
    .catch((error) => {
      for (const end of Object.values(ends)) end.close();
      throw error;
    })
    .finally(() => {
      for (const { writeEnd } of pipes ?? []) closeSync(writeEnd);
    });
  if (child.stdout) ends.stdout = readStream(child.stdout, take(outputs[0]!.name));
  if (child.stderr) ends.stderr = readStream(child.stderr, take(outputs.at(-1)!.name));
  const exited = new Promise<CommandExit>((resolve) =>
    child.once('exit', (exitCode, signal) => resolve({ exitCode, signal })),
  );
  const tree = { pid: child.pid!, ownGroup: options.ownGroup, outputs: links, leader: null };
  return { tree, ends, exited, leader: null };
}

class Running implements CommandHandle {
  readonly pid: number;
  readonly ended: Promise<CommandEnd>;
  readonly tree: ProcessTree;
  readonly #ends: Ends;
  readonly #leader: Leader | null;
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

  async sawSignal(signal: NodeJS.Signals, early: boolean): Promise<boolean> {
    if (this.#leader !== null) return this.#leader.sawSignal(signal);
    return !early && KEYS.has(signal) && !this.tree.ownGroup && isInForeground();
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

/** Null stands for a pipe of Node's. */
async function spawned(
  options: CommandOptions,
  stdout: number | null,
  stderr: number | null,
): Promise<ChildProcess> {
  const { cwd, stdin, ownGroup } = options;
  const { path, name, args, env } = asGiven(options, findPerl());
  // A child that inherits stdin also inherits the extra descriptors that we were given.
  const given = stdin === 'inherit' ? atTheirNumbers(descriptorsForCommand()) : [];
  const child = spawn(path, args, {
    ...{ argv0: name, cwd: folderToEnter(cwd), env, detached: ownGroup, windowsHide: true },
    stdio: [stdin, stdout ?? 'pipe', stderr ?? 'pipe', ...given],
  });
  await new Promise<void>((resolve, reject) => {
    child.once('spawn', resolve);
    child.once('error', reject);
  });
  return child;
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

/**
 * Real pipes for a command's streams. Node gives children socket pairs, on which `echo x > /dev/stdout` fails. These
 * are FIFOs whose names are removed as soon as both ends are open.
 */
interface PipePair {
  /** Our end, non-blocking. */
  readEnd: number;
  /** Blocking, as a command expects. Close it here once the command has it. */
  writeEnd: number;
  /** The link target of its descriptors in /proc, which identifies its holders; null on other systems. */
  link: string | null;
}

interface NamedPipes {
  pipes: (Omit<PipePair, 'link'> & { path: string })[];
  /** Call once both were opened by name. */
  removeNames(): void;
}

/** Makes FIFOs with `mkfifo`, in some milliseconds. Null without `mkfifo`: then use Node's own pipes. */
async function makePipes(count: number): Promise<PipePair[] | null> {
  const named = await makeNamedPipes(count);
  named?.removeNames();
  return named?.pipes.map((pipe) => ({ ...pipe, link: linkOf(pipe.writeEnd) })) ?? null;
}

/** Null if FIFOs can't be made. */
async function makeNamedPipes(count: number): Promise<NamedPipes | null> {
  if (process.platform === 'win32') return null;
  const pipes: NamedPipes['pipes'] = [];
  let removeNames = () => {};
  try {
    const folder = makeFolder();
    const paths = Array.from({ length: count }, (_, i) => join(folder, String(i)));
    removeNames = () => removeAll(paths, folder);
    if (!(await makeFifos(paths))) throw new Error('there is no mkfifo');
    for (const path of paths) {
      const readEnd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
      const writeEnd = openSync(path, constants.O_WRONLY);
      pipes.push({ path, readEnd, writeEnd });
    }
    return { pipes, removeNames };
  } catch {
    for (const { readEnd, writeEnd } of pipes) {
      closeSync(readEnd);
      closeSync(writeEnd);
    }
    removeNames();
    return null;
  }
}

/** Works without a free file descriptor, as all may be in use. */
function removeAll(paths: readonly string[], folder: string): void {
  for (const [remove, path] of [
    ...paths.map((path) => [unlinkSync, path] as const),
    [rmdirSync, folder] as const,
  ]) {
    try {
      remove(path);
    } catch {
      // It does not exist.
    }
  }
}

/** Makes a folder in the temporary folder, or in another usual place. */
function makeFolder(): string {
  for (const place of [tmpdir(), '/tmp', '/var/tmp', '/dev/shm']) {
    try {
      return mkdtempSync(join(place, 'spillway-'));
    } catch {
      // Try the next one.
    }
  }
  throw new Error('there is no place for temporary files');
}

function makeFifos(paths: readonly string[]): Promise<boolean> {
  return new Promise((resolve) => {
    // The command's PATH may lack the system's folders.
    const PATH = [process.env.PATH, '/usr/bin', '/bin'].filter(Boolean).join(delimiter);
    const env = { ...process.env, PATH };
    // Don't use `mkfifo -m`, which needs /proc on some systems.
    const script = 'umask 077 && exec mkfifo "$@"';
    const child = spawn('sh', ['-c', script, 'sh', ...paths], { stdio: 'ignore', env });
    child.once('error', () => resolve(false));
    child.once('exit', (code) => resolve(code === 0));
  });
}

function linkOf(fd: number): string | null {
  try {
    return readlinkSync(`/proc/self/fd/${fd}`);
  } catch {
    return null;
  }
}
