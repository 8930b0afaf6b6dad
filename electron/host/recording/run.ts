/** Runs a command and records it. Its output is on disk before it is passed on. */

import type { RunHead } from '../../../shared/recording.ts';
import { isFailure } from '../../../shared/recording.ts';
import {
  type CommandHandle,
  type Prepared,
  type StreamPlan,
  TWO_PIPES,
} from '../../recorder/command/command-handle.ts';
import { findCommand } from '../../recorder/command/find-command.ts';
import { backgroundOf } from '../../recorder/command/process-tree.ts';
import { prepareOnPipes } from '../../recorder/command/run-on-pipes.ts';
import type { CommandOutcome, RecordedStreamName } from '../../recorder/streams/outcome.ts';
import { commandBudgets } from '../../recorder/streams/recorded-stream.ts';
import { type Recording, startRecording } from '../../recorder/streams/recording.ts';
import { DEFAULT_SESSION } from '../../store/format/names.ts';
import { maskedWords } from '../../store/format/record.ts';
import { type Ended, Explainer, endedAs, errorOf, finishRecording, statusOf } from './finish-recording.ts';
import { NotRunnable, notStarted } from './not-runnable.ts';
import {
  commandLabel,
  isStopRequested,
  labelOfLine,
  previewOf,
  type RecordingHome,
  type RunHooks,
  type RunningRecorded,
  type RunRequest,
  type RunResult,
  streamHead,
} from './run-request.ts';

/** Throws NotRunnable, and SpillwayError `unsupported` on systems without pseudo-terminals. */
export async function runRecorded(
  where: RecordingHome,
  request: RunRequest,
  hooks: RunHooks = {},
): Promise<RunningRecorded> {
  const { command, args, cwd, env, maxBytes } = request;
  if (request.timeout) {
    const { waitForDisks } = await import('./checked-disks.ts');
    await waitForDisks(request.shell?.[0] ?? command, cwd, env, request.timeout);
  }
  const found = findCommand(request.shell?.[0] ?? command, cwd, env);
  if (!found.ok) throw new NotRunnable(found.status, found.what, found.todo);
  const settings = maxBytes === undefined ? where.settings : { ...where.settings, maxStreamBytes: maxBytes };
  const asked = new Map<NodeJS.Signals, number>();
  const onAsked = (signal: NodeJS.Signals) => {
    asked.set(signal, performance.now());
    hooks.onKey?.(signal);
  };
  const { plan = TWO_PIPES } = request;
  const { streams } = plan;
  // Another process starts while the files are made.
  const prepared = await prepare(request, found.path, plan, hooks.abort, onAsked);
  const recording = startRecording({
    home: where.home,
    unrecorded: where.problem,
    settings,
    session: request.session || env.SPILLWAY_SESSION || DEFAULT_SESSION,
    kind: 'cmd',
    label: labelOf(request),
    ...{ command, args, cwd, envNames: request.envNames ?? null, streams },
    budgets: commandBudgets(settings),
    passesSignals: !request.ownGroup,
  });
  const explainer = new Explainer(recording, streams);
  const running = await start(request, prepared, recording, {
    ...hooks,
    onPassedOn: (bytes) => explainer.passedOn(bytes),
  });
  if (request.ownGroup && running.pid) recording.noteCommand(running.pid);
  const result = running.ended.then(async (end) => {
    const { artifactId } = recording;
    if (where.home !== null && artifactId !== null && isStopRequested(where.home, artifactId))
      asked.set('SIGTERM', performance.now());
    const ended = { ...end, endedAs: await endedAs(end, asked) };
    return conclude({ ...where, settings }, request, recording, ended, { running, explainer });
  });
  return {
    artifactId: recording.artifactId,
    pid: running.pid,
    warnings: () => recording.warnings,
    progress: (stream) => recording.progress(stream),
    sawSignal: (signal, early) => running.sawSignal(signal, early),
    signal: (signal, reached = false) => {
      asked.set(signal, performance.now());
      if (!reached) running.signal(signal);
    },
    hangUp: (stream) => running.hangUp(stream),
    result,
  };
}

/** The id holds it, and with that every reply and file name: so it is of the masked words. */
function labelOf({ command, args, shell }: RunRequest): string {
  const [name, ...rest] = maskedWords([command, ...args]);
  return shell ? labelOfLine(name!) : commandLabel(name!, rest);
}

async function prepare(
  request: RunRequest,
  path: string,
  plan: StreamPlan,
  abort: AbortSignal | undefined,
  onAsked: (signal: NodeJS.Signals) => void,
): Promise<Prepared> {
  const { cwd, env, timeout = null, stdin, ownGroup, shell, command } = request;
  const [name, args] = shell ? [shell[0]!, [...shell.slice(1), command]] : [command, request.args];
  // A daemon gets another parent by it, which a person's command need not see.
  const reap = timeout !== null || stdin === 'ignore';
  const options = { path, name, args, cwd, env, timeout, stdin, ownGroup, abort, reap, plan };
  if (!plan.terminal) return prepareOnPipes(options);
  const { prepareOnPty } = await import('../../recorder/command/run-on-pty.ts');
  return prepareOnPty({ ...options, onAsked });
}

async function start(
  request: RunRequest,
  prepared: Prepared,
  recording: Recording,
  { onOutput, onPassedOn }: RunHooks & { onPassedOn: (bytes: number) => void },
): Promise<CommandHandle> {
  try {
    const take = (stream: RecordedStreamName) => (chunk: Uint8Array) => {
      recording.write(stream, chunk);
      const passed = onOutput?.(stream, chunk) ?? null;
      onPassedOn(chunk.length);
      return passed;
    };
    return await prepared.start(take, () => recording.noteExit());
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    await recording.finish({ status: 'failed', warnings: [`it could not be started (${code ?? message})`] });
    throw notStarted(request.shell?.[0] ?? request.command, error as NodeJS.ErrnoException);
  }
}

async function conclude(
  where: RecordingHome,
  request: RunRequest,
  recording: Recording,
  end: Ended,
  { running, explainer }: { running: CommandHandle; explainer: Explainer },
): Promise<RunResult> {
  const status = statusOf(end);
  // Its code may not load, for want of a descriptor: the record is not to wait for that.
  const timeout = status === 'timed_out' ? (request.timeout ?? null) : null;
  const explained = isFailure(status) ? await explainer.explain(timeout).catch(() => null) : null;
  explainer.close();
  const cause = explained?.cause ?? null;
  // A list looks for the cause later where it was not read here, as in UTF-16.
  const outcome: CommandOutcome = {
    ...{ status, exit_code: end.exitCode, signal: end.signal },
    ...(cause === null && !explained?.isAll ? {} : { cause }),
  };
  const { finished, rest, restLost, recorder } = await finishRecording(request, recording, outcome, end.open);
  for (const stream of finished.streams) {
    const explanation = explained?.explanations.get(stream.name);
    if (explanation) stream.explanation = explanation;
  }
  const previews = finished.streams.map((stream) => previewOf(stream, request, where.settings));
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
  const { tree } = running;
  const isRead = recorder === null && Object.keys(end.open).length > 0;
  return {
    head,
    parts: previews.flatMap((preview) => preview.parts),
    status: outcome.status,
    signal: end.signal,
    spilled: finished.streams.some((stream) => stream.spilled),
    whole: !restLost && finished.streams.every((stream) => stream.whole),
    streams: finished.streams,
    background: tree === undefined ? null : backgroundOf(tree, { isRead, rest, recorder }),
    rest,
  };
}
