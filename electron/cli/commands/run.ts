/** `spillway run`: runs a command as the shell would, and records it. */

import { execFile } from 'node:child_process';
import { resolve } from 'node:path';
import { SpillwayError } from '../../../shared/errors.ts';
import { LF } from '../../../shared/text/codes.ts';
import { escapeControls } from '../../../shared/text/escape.ts';
import { headOfNotRun, NotRunnable } from '../../host/recording/not-runnable.ts';
import { runRecorded } from '../../host/recording/run.ts';
import {
  hasOtherCommands,
  openRecordingHome,
  type RunningRecorded,
  type RunResult,
} from '../../host/recording/run-request.ts';
import { resolveHome } from '../../host/settings/home-path.ts';
import {
  forwardSignals,
  ONE_TERMINAL,
  planStreams,
  type StreamPlan,
  shellStatus,
  TWO_PIPES,
} from '../../recorder/command/command-handle.ts';
import { currentFolder, isFolder } from '../../recorder/command/find-command.ts';
import { environmentForCommand } from '../../recorder/command/inherited.ts';
import type { RecordedStreamName } from '../../recorder/streams/outcome.ts';
import { isInForeground } from '../../recorder/terminal/foreground.ts';
import { howItEnded, output, printJson, tell } from '../output/print.ts';
import type { RunServices } from '../services.ts';

export interface RunOptions {
  session?: string;
  cwd?: string;
  /** Milliseconds. */
  timeout?: number;
  maxBytes?: number;
  /** By default, a terminal for each stream that is one. */
  pty?: boolean;
  quiet?: boolean;
  /** Ship the capture at the end. */
  ship?: boolean;
  json?: boolean;
}

/** Internal command: prints what changed since an artifact's command last passed. */
const CHANGES_SINCE = 'changes-since';
/** Internal command: ships an artifact, and prints where it is. */
const SHIP_NOW = 'ship-now';
const SHIP_MS = 30_000;
/** Longest wait for what changed: 2 s; where even this process took long to start, as on a busy machine, up to 10 s. */
const CHANGES_MS = Math.min(10_000, Math.max(2000, Math.ceil(15 * performance.now())));
const TIMED_OUT = 124;
/** How long to wait for a stuck reader after a signal or timeout ended the command. */
const LAST_READ_MS = 1000;

/**
 * Returns the exit status: the command's own, 128 + n for signal n, 124 timed out, 127 not found, 126 not
 * executable.
 */
export async function run(
  words: readonly string[],
  options: RunOptions,
  services: RunServices,
): Promise<number> {
  const [command, ...args] = words;
  if (command === undefined) {
    throw new SpillwayError(
      'usage',
      'run needs a command',
      'give it after --, as in `spillway run -- npm test`',
    );
  }
  const cwd = folderOf(options);
  const outputs = options.json ? null : openOutputs(options.timeout !== undefined);
  const say = async (sentence: string) => {
    if (options.quiet || outputs === null) return;
    await tell(`${outputs.endOfLine()}spillway: ${escapeControls(sentence)}`);
  };
  const home = resolveHome(process.env);
  const where = openRecordingHome(home, services.config(home));
  for (const warning of where.warnings) await say(warning);
  // Before the command begins: nobody waits an hour for output that is not kept.
  if (where.problem !== null) await say(`this is not recorded: ${where.problem}`);
  const plan = planOf(options);
  const signals = passSignalsOn(plan.terminal);
  let running: RunningRecorded;
  try {
    running = await runRecorded(
      where,
      {
        ...{ command, args, cwd, env: environmentForCommand(), plan },
        session: options.session,
        timeout: options.timeout ?? null,
        maxBytes: options.maxBytes,
        stdin: 'inherit',
        ownGroup: false,
        recorder: services.recorder,
        keepsOutput: options.json === true,
      },
      {
        ...(outputs ? { onOutput: (stream, chunk) => outputs.write(stream, chunk) } : {}),
        onKey: (signal) => void signals.keys.set(signal, { byAll: false }),
      },
    );
  } catch (error) {
    if (!(error instanceof NotRunnable)) throw error;
    await tell(`spillway: ${escapeControls(error.message)}`);
    if (options.json) await printJson({ ...headOfNotRun(command, error), parts: [] });
    return error.status;
  }
  outputs?.onGone((stream) => running.hangUp(stream));
  signals.to(running);
  const result = await running.result;
  signals.stop();
  const isEnded = result.signal !== null || result.head.timed_out;
  await Promise.race([outputs?.flushed(), ...(isEnded ? [wait(LAST_READ_MS)] : [])]);
  outputs?.abandon();
  if (options.json) await printJson({ ...result.head, parts: result.parts });
  else
    await conclude(
      result,
      where.problem,
      say,
      options.quiet ? null : () => changesOf(result, home, services.own),
    );
  if (options.ship && result.head.artifact_id !== null) {
    const shipped = await outputOf(home, services.own(SHIP_NOW, result.head.artifact_id), SHIP_MS);
    await tell(`spillway: ${escapeControls(shipped ?? `not shipped within ${SHIP_MS / 1000} s`)}`);
  }
  const key = signals.keys.get('SIGINT');
  if (key && result.signal === 'SIGINT') services.leaveBy({ signal: 'SIGINT', withGroup: !key.byAll });
  return statusOf(result, outputs?.failed() ?? false);
}

/** Each terminal gives its own to its command: the person's to us, and ours to the command. */
const FROM_TERMINALS = new Set<NodeJS.Signals>(['SIGWINCH', 'SIGCONT']);

/** Forwards signals to the command. Early ones are kept until the command has started. */
function passSignalsOn(terminal: boolean) {
  let running: RunningRecorded | null = null;
  const early: NodeJS.Signals[] = [];
  /** Keyboard signals that reached the command. `byAll`: our whole process group got the signal. */
  const keys = new Map<NodeJS.Signals, { byAll: boolean }>();
  const stop = forwardSignals(async (signal) => {
    if (terminal && FROM_TERMINALS.has(signal)) return;
    if (running === null) {
      if (isInForeground()) keys.set(signal, { byAll: true });
      early.push(signal);
      return;
    }
    const isThere = !terminal && (await running.sawSignal(signal, false));
    if (isThere) keys.set(signal, { byAll: true });
    running.signal(signal, isThere);
  });
  return {
    keys,
    stop,
    to(started: RunningRecorded) {
      running = started;
      // The command began a moment ago: a key may have come since.
      for (const signal of early)
        void (async () => started.signal(signal, !terminal && (await started.sawSignal(signal, true))))();
    },
  };
}

async function conclude(
  result: RunResult,
  shown: string | null,
  say: (sentence: string) => Promise<void>,
  /** Null with --quiet. */
  changes: (() => Promise<string | null>) | null,
): Promise<void> {
  const { head, spilled } = result;
  for (const [index, warning] of head.warnings.entries()) {
    if (warning === shown) continue;
    // The first warning is the reason.
    const isReason = index === 0 && head.artifact_id === null;
    await say(isReason ? `this was not recorded: ${warning}` : warning);
  }
  if (head.timed_out && head.error) await say(head.error);
  if (!spilled || head.artifact_id === null || changes === null) return;
  await say(howItEnded(result, head.artifact_id, await changes()));
}

/**
 * Compares a failed command with the last time it passed. Null if it never did, or if its outputs are long. Another
 * process does it, as loading the code would delay the start of every command.
 */
function changesOf(
  { head: { artifact_id }, status }: RunResult,
  home: string,
  own: RunServices['own'],
): Promise<string | null> {
  if (status !== 'failed' || artifact_id === null || !hasOtherCommands(home, artifact_id))
    return Promise.resolve(null);
  return outputOf(home, own(CHANGES_SINCE, artifact_id), CHANGES_MS);
}

/** Returns what a command of our own prints; null when it prints nothing, fails, or takes too long. */
function outputOf(
  home: string,
  [file, ...args]: readonly [string, ...string[]],
  timeout: number,
): Promise<string | null> {
  const env = { ...process.env, SPILLWAY_HOME: home };
  return new Promise((resolve) => {
    try {
      execFile(file, args, { env, timeout, windowsHide: true }, (error, stdout) =>
        resolve(error === null ? stdout.trim() || null : null),
      );
    } catch {
      resolve(null);
    }
  });
}

/** Returns the working directory as an absolute path. */
function folderOf({ cwd }: RunOptions): string {
  if (cwd === undefined) return currentFolder();
  if (!isFolder(cwd))
    throw new SpillwayError('usage', `there is no folder ${JSON.stringify(cwd)}`, 'give another with --cwd');
  return resolve(cwd);
}

/**
 * Returns the exit status. A successful command whose output was lost (/dev/full) counts as failed, as it would
 * without us.
 */
function statusOf({ head, signal }: RunResult, isOutputLost: boolean): number {
  if (head.timed_out) return TIMED_OUT;
  const status = shellStatus({ exitCode: head.exit_code, signal });
  return status === 0 && isOutputLost ? 1 : status;
}

function planOf({ json, pty }: RunOptions): StreamPlan {
  if (pty !== undefined) return pty ? ONE_TERMINAL : TWO_PIPES;
  return json ? TWO_PIPES : planStreams();
}

function openOutputs(keepsTime: boolean) {
  const [stdout, stderr] = [output(1, keepsTime), output(2, keepsTime)];
  const isOneScreen = stdout.outlet.isTerminal && stderr.outlet.isTerminal;
  let isInLine = false;
  let hasFailed = false;
  stdout.onGone((error) => {
    if (error === null) return;
    hasFailed = true;
    void tell(`spillway: stdout cannot be written any more (${error.code ?? error.message})`);
  });
  stderr.onGone((error) => {
    hasFailed ||= error !== null;
  });
  return {
    write: (stream: RecordedStreamName, chunk: Uint8Array) => {
      if (isOneScreen || stream === 'stderr') isInLine = chunk[chunk.length - 1] !== LF;
      return (stream === 'stderr' ? stderr : stdout).outlet.write(chunk);
    },
    /** Returns a newline if the command's last line on the stream we write to has no line end. */
    endOfLine: () => {
      const end = isInLine ? '\n' : '';
      isInLine = false;
      return end;
    },
    flushed: () => Promise.all([stdout.outlet.flushed(), stderr.outlet.flushed()]),
    failed: () => hasFailed,
    abandon: () => {
      stdout.outlet.abandon();
      stderr.outlet.abandon();
    },
    /** Calls `hangUp` for each stream whose reader has exited. */
    onGone: (hangUp: (stream: RecordedStreamName) => void) => {
      stdout.onGone(() => {
        hangUp('stdout');
        hangUp('output');
      });
      stderr.onGone(() => hangUp('stderr'));
    },
  };
}

function wait(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms).unref());
}
