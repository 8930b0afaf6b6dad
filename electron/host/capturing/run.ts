/** Runs a command and records it: its streams pass by whoever listens, and are on disk before that. */
import type { Status } from '../../../shared/artifact.ts';
import type { CapturedPartWithContent, RunHead } from '../../../shared/captured.ts';
import { findCommand } from '../../capture/find-command.ts';
import { commandBudgets } from '../../capture/inline-budget.ts';
import { makePipes } from '../../capture/pipes.ts';
import type { ReadEnd } from '../../capture/read-end.ts';
import { startRecorder } from '../../capture/record-on.ts';
import type { FinishedStream, RecordedStreamName } from '../../capture/recorded-stream.ts';
import { type Finished, type Outcome, type Recording, startRecording } from '../../capture/recording.ts';
import { type CommandEnd, type RunningCommand, runCommand } from '../../capture/run-command.ts';
import { runOnPty } from '../../capture/run-on-pty.ts';
import { DEFAULT_SESSION } from '../../library/captures/names.ts';
import { type PreviewWishes, previewOf, streamHead } from './heads.ts';
import { NotRunnable } from './not-runnable.ts';
import type { Capturing } from './place.ts';

export interface RunRequest extends PreviewWishes {
  command: string;
  args: readonly string[];
  session?: string | undefined;
  /** Absolute. */
  cwd: string;
  /** All of it. */
  env: NodeJS.ProcessEnv;
  /** Names that were asked for beside the inherited ones. */
  envNames?: readonly string[] | null;
  /** Milliseconds; null for none. */
  timeout?: number | null;
  /** Bytes of one stream that are kept, instead of `maxStreamBytes`. */
  maxBytes?: number | undefined;
  stdin: 'inherit' | 'ignore';
  /** It gets a group and session of its own: signals that reach us do not reach it by themselves. */
  ownGroup: boolean;
  /** On a terminal of its own, joined to the person's; one stream, `output`. */
  terminal?: boolean;
  /** What runs `recordOn`, for what background children print when the command has ended; without it, this process reads on. */
  recorder?: readonly string[] | null;
  /** Our own output is somebody else's (MCP's): what background children print must not get there. */
  keepsOutput?: boolean;
  /** What runs `command`, a whole line: the shell and its options. The record says the line, and no arguments. */
  shell?: readonly string[] | undefined;
}

export interface RunHooks {
  /** Each chunk as it comes; nothing more is read of the stream until the promise is done. Its memory is used again then. */
  onOutput?: (stream: RecordedStreamName, chunk: Uint8Array) => Promise<void> | null;
  /** Ends the command with all it started. */
  abort?: AbortSignal | undefined;
}

export interface RunResult {
  head: RunHead;
  parts: CapturedPartWithContent[];
  status: Status;
  signal: NodeJS.Signals | null;
  /** A stream outgrew its inline budget. */
  spilled: boolean;
  streams: FinishedStream[];
  /** Done when what background children print is recorded, too; at once when nobody does. */
  rest: Promise<void>;
}

export interface RunningRecorded {
  readonly artifactId: string | null;
  readonly pid: number;
  /** Bytes and line ends that came so far. */
  progress(stream: RecordedStreamName): { bytes: number; newlines: number };
  /** Passes a signal on. */
  signal(signal: NodeJS.Signals): void;
  /** Whoever read the stream has gone. */
  hangUp(stream: RecordedStreamName): void;
  readonly result: Promise<RunResult>;
}

/** Throws NotRunnable; and SpillwayError `unsupported` where there are no pseudo-terminals. */
export async function runRecorded(
  place: Capturing,
  request: RunRequest,
  hooks: RunHooks = {},
): Promise<RunningRecorded> {
  const { command, args, cwd, env } = request;
  const found = findCommand(request.shell?.[0] ?? command, cwd, env);
  if (!found.ok) throw new NotRunnable(found.status, found.what, found.todo);
  const settings =
    request.maxBytes === undefined ? place.settings : { ...place.settings, maxStreamBytes: request.maxBytes };
  // Made while the files are: it is another program that makes them.
  const pipes = request.terminal ? null : makePipes(2);
  const recording = startRecording({
    home: place.home,
    unrecorded: place.problem,
    settings,
    session: request.session || env.SPILLWAY_SESSION || DEFAULT_SESSION,
    kind: 'cmd',
    label: request.shell ? labelOfLine(command) : labelOf(command, args),
    command,
    args,
    cwd,
    envNames: request.envNames ?? null,
    streams: request.terminal ? ['output'] : ['stdout', 'stderr'],
    budgets: commandBudgets(settings),
  });
  const running = await started(request, found.path, recording, pipes, hooks);
  const result = running.ended.then((end) => conclude({ ...place, settings }, request, recording, end));
  return {
    artifactId: recording.artifactId,
    pid: running.pid,
    progress: (stream) => recording.progress(stream),
    signal: (signal) => running.signal(signal),
    hangUp: (stream) => running.hangUp(stream),
    result,
  };
}

async function started(
  request: RunRequest,
  path: string,
  recording: Recording,
  pipes: ReturnType<typeof makePipes> | null,
  { onOutput, abort }: RunHooks,
): Promise<RunningCommand> {
  const take = (stream: RecordedStreamName) => (chunk: Uint8Array) => {
    recording.write(stream, chunk);
    return onOutput?.(stream, chunk) ?? null;
  };
  const { cwd, env, timeout = null, stdin, ownGroup, shell } = request;
  const [name, args] = shell
    ? [shell[0]!, [...shell.slice(1), request.command]]
    : [request.command, request.args];
  const options = { path, name, args, cwd, env, timeout, stdin, ownGroup, abort };
  try {
    if (request.terminal) return runOnPty({ ...options, take: take('output') });
    return await runCommand({
      ...options,
      pipes: await pipes,
      take: { stdout: take('stdout'), stderr: take('stderr') },
    });
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    await recording.finish({ status: 'failed', warnings: [`it could not be started (${code ?? message})`] });
    if (code === undefined || !(code in START_ERRORS)) throw error;
    throw new NotRunnable(
      code === 'ENOENT' ? 127 : 126,
      `${JSON.stringify(name)} could not be started (${code})`,
      START_ERRORS[code]!,
    );
  }
}

const START_ERRORS: Record<string, string> = {
  ENOENT: 'check its first line: the interpreter that it names is not there',
  EACCES: 'allow it: chmod +x',
  ENOEXEC: 'it is no program for this machine',
  E2BIG: 'its arguments are too long: give them in a file or on standard input',
  EAGAIN: 'there are too many processes: end some (ulimit -u)',
  ENOMEM: 'there is no memory left: end some processes',
};

async function conclude(
  place: Capturing,
  request: RunRequest,
  recording: Recording,
  end: CommandEnd,
): Promise<RunResult> {
  const outcome = outcomeOf(end);
  const { finished, rest } = await finish(request, recording, outcome, end.open);
  const previews = finished.streams.map((stream) => previewOf(stream, request, place.settings));
  const head: RunHead = {
    artifact_id: finished.artifactId,
    command: request.command,
    exit_code: end.exitCode,
    success: outcome.status === 'succeeded',
    duration_ms: finished.durationMs,
    timed_out: end.reason === 'timed_out',
    cached: false,
    warnings: recording.problem === null ? finished.warnings : [recording.problem, ...finished.warnings],
    error: errorOf(request, end),
    ...Object.fromEntries(
      finished.streams.map((stream, index) => [stream.name, streamHead(stream, previews[index]!)]),
    ),
  };
  return {
    head,
    parts: previews.flatMap((preview) => preview.parts),
    status: outcome.status,
    signal: end.signal,
    spilled: finished.streams.some((stream) => stream.spilled),
    streams: finished.streams,
    rest,
  };
}

/** Where background children still write, somebody else goes on; or we do. */
async function finish(
  { recorder, keepsOutput }: RunRequest,
  recording: Recording,
  outcome: Outcome,
  open: CommandEnd['open'],
): Promise<{ finished: Finished; rest: Promise<void> }> {
  const ends = Object.values(open);
  const close = () => {
    for (const end of ends) end.close();
  };
  if (ends.length === 0) {
    return { finished: await recording.finish(outcome), rest: Promise.resolve() };
  }
  if (recorder) {
    const { finished, handOver } = recording.handOver(outcome);
    try {
      await startRecorder(recorder, handOver, open, !keepsOutput);
    } catch (error) {
      finished.warnings.push(
        `what its background children print is lost: no recorder could be started (${(error as Error).message})`,
      );
    }
    close();
    return { finished, rest: Promise.resolve() };
  }
  const finished = recording.soFar(outcome);
  const rest = readOn(ends).then(async () => void (await recording.finish(null)));
  return { finished, rest };
}

async function readOn(ends: readonly ReadEnd[]): Promise<void> {
  for (const end of ends) end.readOn();
  await Promise.all(ends.map((end) => end.ended));
}

function outcomeOf({ reason, exitCode, signal }: CommandEnd): Outcome {
  const ended = { exit_code: exitCode, signal };
  if (reason === 'timed_out') return { status: 'timed_out', ...ended };
  if (reason === 'cancelled') return { status: 'cancelled', ...ended };
  return { status: exitCode === 0 ? 'succeeded' : 'failed', ...ended };
}

function errorOf({ command, timeout }: RunRequest, { reason, signal }: CommandEnd): string | null {
  const name = JSON.stringify(command);
  if (reason === 'timed_out')
    return `${name} was ended, with all it had started, after its time-out of ${timeout} ms`;
  if (reason === 'cancelled') return `${name} was cancelled, with all it had started`;
  return signal === null ? null : `${name} was ended by ${signal}`;
}

/** The command and the words behind it that say what it does: `npm test`, not its options and paths. */
function labelOf(command: string, args: readonly string[]): string {
  const name = command.split(/[/\\]/).at(-1) || command;
  const words = args.slice(0, 2).filter((arg) => /^[A-Za-z][\w:.-]{0,30}$/.test(arg));
  return [name, ...words].join(' ');
}

/** Of a line for the shell: as of its first command. */
function labelOfLine(line: string): string {
  const [command = 'sh', ...args] = (/[^;&|<>()\n]+/.exec(line)?.[0] ?? line).trim().split(/\s+/);
  return labelOf(command, args);
}
