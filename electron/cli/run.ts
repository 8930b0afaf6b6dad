/** `spillway run`: a command as the shell would run it, and recorded. */
import { statSync } from 'node:fs';
import { constants } from 'node:os';
import { resolve } from 'node:path';
import { SpillwayError } from '../../shared/errors.ts';
import { escapeControls } from '../../shared/text/escape.ts';
import { headOfNotRun, NotRunnable } from '../host/recording/not-runnable.ts';
import { openRecordingHome } from '../host/recording/recording-home.ts';
import { type RunningRecorded, type RunResult, runRecorded } from '../host/recording/run.ts';
import { resolveHome } from '../host/settings/home-path.ts';
import { currentFolder } from '../recorder/command/current-folder.ts';
import { isInForeground } from '../recorder/terminal/foreground.ts';
import { passThrough } from './output/pass-through.ts';
import { printJson, tell } from './output/print.ts';
import { whereItIs, whyItFailed } from './output/where-it-is.ts';
import type { Services } from './services.ts';
import { forwardSignals } from './signals.ts';

export interface RunOptions {
  session?: string;
  cwd?: string;
  /** Milliseconds. */
  timeout?: number;
  maxBytes?: number;
  /** As on a terminal when it is not given. */
  pty?: boolean;
  quiet?: boolean;
  json?: boolean;
}

const TIMED_OUT = 124;
const LINE_FEED = 10;
/** Milliseconds. */
const LAST_READ = 1000;

/** The command's own status; 128 + n by signal n, 124 timed out, 127 not found, 126 not executable. */
export async function run(
  words: readonly string[],
  options: RunOptions,
  services: Services,
): Promise<number> {
  const [command, ...args] = words;
  if (command === undefined) {
    throw new SpillwayError('usage', 'run needs a command', 'give it behind --: spillway run -- npm test');
  }
  const cwd = folderOf(options);
  const outputs = options.json ? null : openOutputs();
  const say = async (sentence: string) => {
    if (options.quiet || outputs === null) return;
    await tell(`${outputs.endOfLine()}spillway: ${escapeControls(sentence)}`);
  };
  const place = openRecordingHome(resolveHome(process.env));
  for (const warning of place.warnings) await say(warning);
  let running: RunningRecorded | null = null;
  const early: [signal: NodeJS.Signals, isThere: boolean][] = [];
  const terminal = options.pty ?? isOnTerminal(options);
  /** Keys of this terminal that reached the command; and whether all that the terminal runs has heard of them. */
  const keys = new Map<NodeJS.Signals, { byAll: boolean }>();
  const stopForwarding = forwardSignals(
    (signal, isThere) => {
      // Before there is a command, and before it has a terminal, the key reaches us.
      if (isThere || (running === null && isInForeground())) keys.set(signal, { byAll: true });
      if (running) running.signal(signal, isThere);
      else early.push([signal, isThere]);
    },
    () => running !== null && !terminal && isInForeground(),
  );
  try {
    running = await runRecorded(
      place,
      {
        command,
        args,
        session: options.session,
        cwd,
        env: process.env,
        timeout: options.timeout ?? null,
        maxBytes: options.maxBytes,
        stdin: 'inherit',
        ownGroup: !isInForeground(),
        terminal,
        recorder: [process.execPath, services.entry, 'record-on'],
        keepsOutput: options.json === true,
      },
      {
        ...(outputs ? { onOutput: (stream, chunk) => outputs.write(stream, chunk) } : {}),
        onKey: (signal) => void keys.set(signal, { byAll: false }),
      },
    );
  } catch (error) {
    if (!(error instanceof NotRunnable)) throw error;
    await tell(`spillway: ${escapeControls(error.message)}`);
    if (options.json) await printJson({ ...headOfNotRun(command, error), parts: [] });
    return error.status;
  }
  const { hangUp } = running;
  outputs?.onGone(hangUp);
  for (const signal of early) running.signal(...signal);
  const result = await running.result;
  stopForwarding();
  // After the user ended the command, don't wait for a reader that is stuck.
  const patience = result.signal === null && !result.head.timed_out ? null : LAST_READ;
  await Promise.race([outputs?.flushed(), ...(patience === null ? [] : [wait(patience)])]);
  if (options.json) await printJson({ ...result.head, parts: result.parts });
  else await conclude(result, say);
  const key = keys.get('SIGINT');
  if (key && result.signal === 'SIGINT') services.leaveBy({ signal: 'SIGINT', withGroup: !key.byAll });
  return statusOf(result);
}

async function conclude(
  { head, spilled, whole, signal }: RunResult,
  say: (sentence: string) => Promise<void>,
): Promise<void> {
  for (const [index, warning] of head.warnings.entries()) {
    // The first says why.
    const isReason = index === 0 && head.artifact_id === null;
    await say(isReason ? `this was not recorded: ${warning}` : warning);
  }
  if (head.timed_out && head.error) await say(head.error);
  if (!spilled || head.artifact_id === null) return;
  const isExplained = head.cause !== null && whole;
  await say(isExplained ? whyItFailed(head, signal) : whereItIs(head.artifact_id, whole));
}

/** Absolute. */
function folderOf({ cwd }: RunOptions): string {
  if (cwd === undefined) return currentFolder();
  if (!isFolder(cwd))
    throw new SpillwayError('usage', `there is no folder ${JSON.stringify(cwd)}`, 'give another with --cwd');
  return resolve(cwd);
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}

function statusOf({ head, signal }: RunResult): number {
  if (head.timed_out) return TIMED_OUT;
  if (signal !== null) return 128 + constants.signals[signal];
  return head.exit_code ?? 1;
}

/** A command whose output goes to a person's screen gets a terminal, too. */
function isOnTerminal({ json }: RunOptions): boolean {
  return !json && [process.stdin, process.stdout, process.stderr].every((stream) => stream.isTTY);
}

function openOutputs() {
  const isOneScreen = process.stdout.isTTY && process.stderr.isTTY;
  let isInLine = false;
  let hangUp: (stream: 'stdout' | 'stderr' | 'output') => void = () => {};
  const lost = (stream: 'stdout' | 'stderr') => (error: NodeJS.ErrnoException | null) => {
    if (error) void tell(`spillway: ${stream} cannot be written any more (${error.code ?? error.message})`);
    hangUp(stream);
  };
  const stdout = passThrough(process.stdout, lost('stdout'));
  const stderr = passThrough(process.stderr, lost('stderr'));
  return {
    write: (stream: 'stdout' | 'stderr' | 'output', chunk: Uint8Array) => {
      if (isOneScreen || stream === 'stderr') isInLine = chunk[chunk.length - 1] !== LINE_FEED;
      return (stream === 'stderr' ? stderr : stdout).write(chunk);
    },
    /** Returns a newline if the command left its last line unended on the stream that we write to. */
    endOfLine: () => {
      const end = isInLine ? '\n' : '';
      isInLine = false;
      return end;
    },
    flushed: () => Promise.all([stdout.flushed(), stderr.flushed()]),
    onGone: (to: typeof hangUp) => {
      hangUp = to;
    },
  };
}

function wait(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms).unref());
}
