/** `spillway capture`: records standard input, then prints it if it is short, else a preview. */
import { fstatSync, type Stats } from 'node:fs';
import { constants } from 'node:os';
import type { Readable } from 'node:stream';
import { isatty } from 'node:tty';
import type { ContentType } from '../../../shared/artifact.ts';
import { SpillwayError } from '../../../shared/errors.ts';
import { escapeControls } from '../../../shared/text/escape.ts';
import { openRecordingHome } from '../../host/recording/run-request.ts';
import { type Captured, captureStream } from '../../host/recording/stream.ts';
import { loadConfig } from '../../host/settings/config.ts';
import { resolveHome } from '../../host/settings/home-path.ts';
import { standardInput } from '../../recorder/streams/read-end.ts';
import { forOutput, output, print, printJson, tell, whereItIs } from '../output/print.ts';
import type { Services } from '../services.ts';

export interface CaptureOptions {
  source?: string;
  session?: string;
  type?: Exclude<ContentType, 'unknown'>;
  tee?: boolean;
  json?: boolean;
}

/** Signals that end a filter. */
const ENDING = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT', 'SIGUSR1', 'SIGUSR2'] as const;

export async function capture(options: CaptureOptions, services: Services): Promise<number> {
  if (options.tee && options.json)
    throw new SpillwayError('usage', '--tee and --json both print to standard output', 'give one of them');
  checkInput();
  const home = resolveHome(process.env);
  const place = openRecordingHome(home, loadConfig(home));
  const say = (sentence: string) => tell(`spillway: ${escapeControls(sentence)}`);
  for (const warning of place.warnings) await say(warning);
  if (place.problem !== null) await say(`this is not recorded: ${place.problem}`);
  const input = standardInput();
  let endedBy = null as NodeJS.Signals | null;
  for (const signal of ENDING) {
    process.on(signal, () => {
      endedBy ??= signal;
      input.destroy();
    });
  }
  if (isatty(0)) await say('reading what is typed; Ctrl-D ends it');
  let failure: Error | null = null;
  let leftEarly = false;
  const tee = options.tee ? output(1) : null;
  tee?.onGone((error) => {
    // End when the reader of our output exits (`| head`). On other errors, such as a full disk, go on recording.
    if (error === null) {
      leftEarly = true;
      input.destroy();
    } else failure = error;
  });
  const result = await captureStream(place, untilGone(input), {
    source: options.source || 'stdin',
    session: options.session,
    contentType: options.type,
    notes: () => (endedBy === null ? [] : [`it was ended by ${endedBy}: more may have come`]),
    ...(tee ? { onChunk: (chunk) => tee.outlet.write(chunk) } : {}),
  });
  await tee?.outlet.flushed();
  if (options.json) await printJson({ ...result.head, parts: result.parts, content: result.content });
  else if (!options.tee) await show(result);
  const { artifact_id: id, status, warnings } = result.head;
  for (const [index, warning] of warnings.entries()) {
    if (warning === place.problem) continue;
    // The first warning is the reason.
    await say(index === 0 && id === null ? `this was not recorded: ${warning}` : warning);
  }
  // The input was not read to its end, so it may be incomplete.
  const whole = result.whole && endedBy === null && !leftEarly;
  if (status === 'captured' && id !== null && !options.json) await say(whereItIs(id, whole));
  if (failure !== null) throw failure;
  if (endedBy === 'SIGINT') services.leaveBy({ signal: 'SIGINT', withGroup: false });
  return endedBy === null ? 0 : 128 + constants.signals[endedBy];
}

/** Throws for an input that Node would report as empty. */
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
      'standard input is a block device',
      'pipe it in (cat DEVICE | spillway capture)',
    );
}

/** Returns null if the system can't say. */
function inputStats(): Stats | null {
  try {
    return fstatSync(0);
  } catch {
    return null;
  }
}

/** Yields the input; ends with it, or when the reader of our output exits. */
async function* untilGone(input: Readable): AsyncGenerator<Uint8Array> {
  try {
    yield* input as AsyncIterable<Uint8Array>;
    // Ctrl-C ends the input's writer and us, but Node reports the signal after the end of input: wait two turns.
    for (let round = 0; round < 2; round += 1) await new Promise((resolve) => setImmediate(resolve));
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'ERR_STREAM_PREMATURE_CLOSE') return;
    // `nohup`, for instance, gives an input that is open for writing only.
    throw new SpillwayError(
      'usage',
      `standard input cannot be read (${code ?? message})`,
      'pipe something in (ls | spillway capture)',
    );
  }
}

async function show({ inline, parts, head }: Captured): Promise<void> {
  if (inline !== null) {
    if (isatty(1)) await print(forOutput(inline.toString('utf8'), false));
    else await print(inline);
    return;
  }
  if (head.content_type === 'binary') {
    await tell(`spillway: ${head.total_bytes} bytes of binary data`);
    return;
  }
  for (const [index, part] of parts.entries()) {
    const before = parts[index - 1];
    if (before && part.start_line > before.end_line + 1) {
      await tell(`spillway: lines ${before.end_line + 1} to ${part.start_line - 1} are left out`);
    } else if (before?.clipped && part.clipped) {
      await tell(`spillway: the middle of line ${part.start_line} is left out`);
    }
    await print(`${forOutput(part.content, false)}\n`);
  }
}
