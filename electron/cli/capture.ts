/** `spillway capture`: records standard input, and prints what is small enough, or a preview. */
import { constants } from 'node:os';
import type { ContentType } from '../../shared/artifact.ts';
import { SpillwayError } from '../../shared/errors.ts';
import { escapeControls } from '../../shared/text/escape.ts';
import { type Captured, captureStream, openCapturing } from '../host/capturing.ts';
import { resolveHome } from '../host/home.ts';
import { passThrough } from './pass-through.ts';
import { print, printJson, tell } from './print.ts';
import { forOutput } from './safe-text.ts';

export interface CaptureOptions {
  source?: string;
  session?: string;
  type?: Exclude<ContentType, 'unknown'>;
  tee?: boolean;
  json?: boolean;
}

export async function capture(options: CaptureOptions): Promise<number> {
  if (options.tee && options.json)
    throw new SpillwayError('usage', '--tee and --json both want standard output', 'give one of them');
  const place = openCapturing(resolveHome(process.env));
  const say = (sentence: string) => tell(`spillway: ${escapeControls(sentence)}`);
  for (const warning of place.warnings) await say(warning);
  if (place.problem !== null) await say(`this is not recorded: ${place.problem}`);
  if (process.stdin.isTTY) await say('reading what is typed; Ctrl-D ends it');
  let endedBy: NodeJS.Signals | null = null;
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => {
      endedBy ??= signal;
      process.stdin.destroy();
    });
  }
  let failure: Error | null = null;
  const tee = options.tee
    ? passThrough(process.stdout, (error) => {
        // A reader that goes ends us; where there is no room, what comes is recorded all the same.
        if (error === null) process.stdin.destroy();
        else failure = error;
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
  if (status === 'captured' && id !== null && !options.json)
    await say(`all of it is ${id}: spillway inspect ${id}`);
  if (failure !== null) throw failure;
  return endedBy === null ? 0 : 128 + constants.signals[endedBy as NodeJS.Signals];
}

/** Ends with the input; and when the reader of our output has gone, as any filter does. */
async function* untilGone(): AsyncGenerator<Uint8Array> {
  try {
    yield* process.stdin as AsyncIterable<Uint8Array>;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_STREAM_PREMATURE_CLOSE') throw error;
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
