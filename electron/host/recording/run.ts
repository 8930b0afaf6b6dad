/** Runs a command and records it: its streams pass by whoever listens, and are on disk before that. */
import type { Status } from '../../../shared/artifact.ts';
import type { PreviewPartWithContent, RunHead } from '../../../shared/recording.ts';
import { findCommand } from '../../recorder/command/find-command.ts';
import { makePipes } from '../../recorder/command/pipes.ts';
import type { Tree } from '../../recorder/command/process-tree.ts';
import { type CommandEnd, type CommandHandle, runOnPipes } from '../../recorder/command/run-on-pipes.ts';
import { type PtyCommandOptions, runOnPty } from '../../recorder/command/run-on-pty.ts';
import { FailureWatch } from '../../recorder/failure/watch.ts';
import { commandBudgets } from '../../recorder/streams/inline-budget.ts';
import type { ReadEnd } from '../../recorder/streams/read-end.ts';
import { startRecorder } from '../../recorder/streams/record-on.ts';
import type { FinishedStream, RecordedStreamName } from '../../recorder/streams/recorded-stream.ts';
import {
  type Finished,
  type Outcome,
  type Recording,
  startRecording,
} from '../../recorder/streams/recording.ts';
import { findLeader } from '../../recorder/terminal/led-command.ts';
import { DEFAULT_SESSION } from '../../store/format/names.ts';
import { type Background, backgroundOf } from './background.ts';
import { type PreviewWishes, previewOf, streamHead } from './heads.ts';
import { labelOf, labelOfLine } from './labels.ts';
import { NotRunnable } from './not-runnable.ts';
import { type Ended, endedAs, errorOf, statusOf } from './outcome.ts';
import type { RecordingHome } from './recording-home.ts';

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
  /** Our own output is for something else (MCP, one JSON document): what background children print must not get there. */
  keepsOutput?: boolean;
  /** What runs `command`, a whole line: the shell and its options. The record says the line, and no arguments. */
  shell?: readonly string[] | undefined;
}

export interface RunHooks {
  /** Each chunk as it comes; nothing more is read of the stream until the promise is done. Its memory is used again then. */
  onOutput?: (stream: RecordedStreamName, chunk: Uint8Array) => Promise<void> | null;
  /** The person pressed the key that asks it to end, at a terminal that is joined to the command's. */
  onKey?: (signal: NodeJS.Signals) => void;
  /** Ends the command with all it started. */
  abort?: AbortSignal | undefined;
}

export interface RunResult {
  head: RunHead;
  parts: PreviewPartWithContent[];
  status: Status;
  signal: NodeJS.Signals | null;
  /** A stream outgrew its inline budget. */
  spilled: boolean;
  /** All it printed is stored, and what its background children print will be. */
  whole: boolean;
  streams: FinishedStream[];
  /** Processes that it started and that it left behind; null when there are none, as far as is known. */
  background: Background | null;
  /** Done when what background children print is recorded, too; at once when nobody does. */
  rest: Promise<void>;
}

export interface RunningRecorded {
  readonly artifactId: string | null;
  readonly pid: number;
  /** Bytes and line ends that came so far. */
  progress(stream: RecordedStreamName): { bytes: number; newlines: number };
  /** Somebody sent us a signal for it. `isThere`: it has reached the command already; else it is passed on. */
  signal(signal: NodeJS.Signals, isThere?: boolean): void;
  /** Whoever read the stream has gone. */
  hangUp(stream: RecordedStreamName): void;
  readonly result: Promise<RunResult>;
}

/** Throws NotRunnable; and SpillwayError `unsupported` where there are no pseudo-terminals. */
export async function runRecorded(
  place: RecordingHome,
  request: RunRequest,
  hooks: RunHooks = {},
): Promise<RunningRecorded> {
  const { command, args, cwd, env } = request;
  const found = findCommand(request.shell?.[0] ?? command, cwd, env);
  if (!found.ok) throw new NotRunnable(found.status, found.what, found.todo);
  const settings =
    request.maxBytes === undefined ? place.settings : { ...place.settings, maxStreamBytes: request.maxBytes };
  // Made while the files are: it is another program that makes them.
  const means: Means = request.terminal ? { leader: findLeader() } : { pipes: makePipes(2) };
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
  const watch = new FailureWatch(recording, request.terminal ? ['output'] : ['stdout', 'stderr']);
  const asked = new Set<NodeJS.Signals>();
  const running = await started(request, found.path, recording, means, {
    ...hooks,
    onPassedOn: () => watch.wake(),
    onAsked: (signal) => {
      asked.add(signal);
      hooks.onKey?.(signal);
    },
  });
  const result = running.ended.then(async (end) => {
    const ended = { ...end, endedAs: await endedAs(end, asked) };
    return conclude({ ...place, settings }, request, recording, ended, running.tree, watch);
  });
  return {
    artifactId: recording.artifactId,
    pid: running.pid,
    progress: (stream) => recording.progress(stream),
    signal: (signal, isThere = false) => {
      asked.add(signal);
      if (!isThere) running.signal(signal);
    },
    hangUp: (stream) => running.hangUp(stream),
    result,
  };
}

/** What a command is started with. */
interface Means {
  leader?: ReturnType<typeof findLeader>;
  pipes?: ReturnType<typeof makePipes>;
}

async function started(
  request: RunRequest,
  path: string,
  recording: Recording,
  means: Means,
  {
    onOutput,
    onPassedOn,
    abort,
    onAsked,
  }: RunHooks & { onPassedOn: () => void; onAsked: PtyCommandOptions['onAsked'] },
): Promise<CommandHandle> {
  const take = (stream: RecordedStreamName) => (chunk: Uint8Array) => {
    recording.write(stream, chunk);
    const passed = onOutput?.(stream, chunk) ?? null;
    onPassedOn();
    return passed;
  };
  const { cwd, env, timeout = null, stdin, ownGroup, shell } = request;
  const [name, args] = shell
    ? [shell[0]!, [...shell.slice(1), request.command]]
    : [request.command, request.args];
  const options = { path, name, args, cwd, env, timeout, stdin, ownGroup, abort };
  try {
    if (means.leader) {
      const leader = await means.leader;
      return await runOnPty({ ...options, take: take('output'), leader, onAsked });
    }
    return await runOnPipes({
      ...options,
      pipes: (await means.pipes) ?? null,
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

/** Previews of what ended so explain it. */
const FAILURES: ReadonlySet<Status> = new Set(['failed', 'timed_out', 'interrupted']);

async function conclude(
  place: RecordingHome,
  request: RunRequest,
  recording: Recording,
  end: Ended,
  tree: Tree | undefined,
  watch: FailureWatch,
): Promise<RunResult> {
  const status = statusOf(end);
  const explained = FAILURES.has(status) ? watch.explain((stream) => recording.sample(stream)) : null;
  watch.close();
  const cause = explained?.cause ?? null;
  const outcome: Outcome = { status, exit_code: end.exitCode, signal: end.signal, cause };
  const { finished, rest, restLost, recorder } = await finish(request, recording, outcome, end.open);
  for (const stream of finished.streams) {
    const explanation = explained?.explanations.get(stream.name);
    if (explanation) stream.explanation = explanation;
  }
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
    cause,
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
    whole: !restLost && finished.streams.every((stream) => stream.whole),
    streams: finished.streams,
    background: backgroundOf(tree, Object.keys(end.open).length > 0, recorder, rest),
    rest,
  };
}

/** Where background children still write, somebody else goes on; or we do. */
async function finish(
  { recorder, keepsOutput }: RunRequest,
  recording: Recording,
  outcome: Outcome,
  open: CommandEnd['open'],
): Promise<{ finished: Finished; rest: Promise<void>; restLost: boolean; recorder: number | null }> {
  const ends = Object.values(open);
  const close = () => {
    for (const end of ends) end.close();
  };
  if (ends.length === 0) {
    const finished = await recording.finish(outcome);
    return { finished, rest: Promise.resolve(), restLost: false, recorder: null };
  }
  if (recorder) {
    const { finished, handOver } = recording.handOver(outcome);
    let restLost = ends.some(({ fd }) => fd === null);
    if (restLost)
      finished.warnings.push(
        'what its background children print is lost: mkfifo, with which they could be heard, did not work',
      );
    let pid: number | undefined;
    try {
      pid = await startRecorder(recorder, handOver, open, !keepsOutput);
    } catch (error) {
      restLost = true;
      finished.warnings.push(
        `what its background children print is lost: no recorder could be started (${(error as Error).message})`,
      );
    }
    close();
    return { finished, rest: Promise.resolve(), restLost, recorder: pid ?? null };
  }
  const finished = recording.soFar(outcome);
  const rest = readOn(ends).then(async () => void (await recording.finish(null)));
  return { finished, rest, restLost: false, recorder: null };
}

async function readOn(ends: readonly ReadEnd[]): Promise<void> {
  for (const end of ends) end.readOn();
  await Promise.all(ends.map((end) => end.ended));
}
