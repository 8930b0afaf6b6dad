/** `spillway capture`: records standard input, and prints what is small enough, or a preview. */
import { fstatSync, type Stats } from 'node:fs';
import { constants } from 'node:os';
import type { ContentType } from '../../shared/artifact.ts';
import { SpillwayError } from '../../shared/errors.ts';
import { escapeControls } from '../../shared/text/escape.ts';
import { openRecordingHome } from '../host/recording/recording-home.ts';
import { type Captured, captureStream } from '../host/recording/stream.ts';
import { resolveHome } from '../host/settings/home-path.ts';
import { passThrough } from './output/pass-through.ts';
import { print, printJson, tell } from './output/print.ts';
import { forOutput } from './output/safe-text.ts';
import { whereItIs } from './output/where-it-is.ts';
import type { Services } from './services.ts';

export interface CaptureOptions {
  source?: string;
  session?: string;
  type?: Exclude<ContentType, 'unknown'>;
  tee?: boolean;
  json?: boolean;
}

/** Signals that end any filter; at SIGUSR1, Node would let in a debugger. */
const ENDING = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT', 'SIGUSR1', 'SIGUSR2'] as const;

export async function capture(options: CaptureOptions, services: Services): Promise<number> {
  if (options.tee && options.json)
    throw new SpillwayError('usage', '--tee and --json both want standard output', 'give one of them');
  checkInput();
  const place = openRecordingHome(resolveHome(process.env));
  const say = (sentence: string) => tell(`spillway: ${escapeControls(sentence)}`);
  for (const warning of place.warnings) await say(warning);
  if (place.problem !== null) await say(`this is not recorded: ${place.problem}`);
  let endedBy = null as NodeJS.Signals | null;
  for (const signal of ENDING) {
    process.on(signal, () => {
      endedBy ??= signal;
      process.stdin.destroy();
    });
  }
  if (process.stdin.isTTY) await say('reading what is typed; Ctrl-D ends it');
  let failure: Error | null = null;
  let leftEarly = false;
  const tee = options.tee
    ? passThrough(process.stdout, (error) => {
        // A reader that exits ends us. If the disk is full, go on recording.
        if (error === null) {
          leftEarly = true;
          process.stdin.destroy();
        } else failure = error;
      })
    : null;
  const result = await captureStream(place, untilGone(), {
    source: options.source || 'stdin',
    session: options.session,
    contentType: options.type,
    notes: () => (endedBy === null ? [] : [`it was ended by ${endedBy}: more may have come`]),
    ...(tee ? { onChunk: (chunk) => tee.write(chunk) } : {}),
  });
  await tee?.flushed();
  if (options.json) await printJson({ ...result.head, parts: result.parts, content: result.content });
  else if (!options.tee) await show(result);
  const { artifact_id: id, status, warnings } = result.head;
  for (const [index, warning] of warnings.entries()) {
    if (warning === place.problem) continue;
    // The first says why.
    await say(index === 0 && id === null ? `this was not recorded: ${warning}` : warning);
  }
  // The input was not read to its end, so it may be incomplete.
  const whole = result.whole && endedBy === null && !leftEarly;
  if (status === 'captured' && id !== null && !options.json) await say(whereItIs(id, whole));
  if (failure !== null) throw failure;
  if (endedBy === 'SIGINT') services.leaveBy({ signal: 'SIGINT', withGroup: false });
  return endedBy === null ? 0 : 128 + constants.signals[endedBy];
}

/** Errors that Node would report as an empty input. */
function checkInput(): void {
  const input = inputStats();
  if (input?.isDirectory())
    throw new SpillwayError(
      'usage',
      'standard input is a directory',
      'give a file (spillway capture < FILE) or pipe something in (ls | spillway capture)',
    );
  if (input?.isBlockDevice())
    throw new SpillwayError(
      'usage',
      'standard input is a device that holds blocks',
      'pipe it in (cat DEVICE | spillway capture)',
    );
}

/** Null where the system cannot tell. */
function inputStats(): Stats | null {
  try {
    return fstatSync(0);
  } catch {
    return null;
  }
}

/** Ends with the input; and when the reader of our output has gone, as any filter does. */
async function* untilGone(): AsyncGenerator<Uint8Array> {
  try {
    yield* process.stdin as AsyncIterable<Uint8Array>;
    // The key that ended who wrote it was meant for us, too; of what comes at once, signals are told last.
    for (let round = 0; round < 2; round += 1) await new Promise((resolve) => setImmediate(resolve));
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'ERR_STREAM_PREMATURE_CLOSE') return;
    // Among others, `nohup` gives an input that is open for writing alone.
    throw new SpillwayError(
      'usage',
      `standard input cannot be read (${code ?? message})`,
      'pipe something in (ls | spillway capture)',
    );
  }
}

async function show({ inline, parts, head }: Captured): Promise<void> {
  if (inline !== null) {
    if (process.stdout.isTTY) await print(forOutput(inline.toString('utf8'), false));
    else await print(inline);
    return;
  }
  if (head.content_type === 'binary') {
    await tell(`spillway: ${head.total_bytes} bytes that are no text`);
    return;
  }
  for (const [index, part] of parts.entries()) {
    const before = parts[index - 1];
    if (before && part.start_line > before.end_line + 1) {
      await tell(`spillway: lines ${before.end_line + 1} to ${part.start_line - 1} are left out`);
    }
    await print(`${forOutput(part.content, false)}\n`);
  }
}
