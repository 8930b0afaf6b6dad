/** The few words about what changed that a failed command's first reply has room for. */
import type { Comparison } from '../../../shared/comparison.ts';
import { clipText } from '../../../shared/text/clip.ts';
import { plural } from '../../../shared/text/format.ts';
import type { InspectParams, View } from '../../../shared/views.ts';
import type { Host, RequestOptions } from '../host.ts';

/** Findings that are named. */
const MOST_NAMED = 3;
const LEAST_NAMED_CHARS = 24;
const SEPARATOR = ' | ';

/** Bytes that are read for a comparison that nobody asked for: half a second. Kept tables cost none. */
const MOST_BYTES = 128 * 1024 * 1024;
/** Longest wait for it. */
const MOST_MS = 5000;

/**
 * Compares a command that has just failed with its last passes. Returns the first findings within `mostChars`; null if
 * it has not passed before, nothing differs, or its outputs are long: nobody asked for it.
 */
export async function newSinceItPassed(
  host: Pick<Host, 'compare'>,
  artifactId: string,
  mostChars: number,
  options: RequestOptions = {},
  mostMs = MOST_MS,
): Promise<string | null> {
  const late = AbortSignal.timeout(mostMs);
  const signal = options.signal ? AbortSignal.any([options.signal, late]) : late;
  try {
    const asked = { ...options, signal, mostBytes: MOST_BYTES };
    return newSince(await host.compare({ artifact_id: artifactId, all_lines: false }, asked), mostChars);
  } catch {
    return null;
  }
}

const EXPLAINED_CHARS = 300;

/** As `newSinceItPassed`, for the explanation of a whole command that failed; null for other views. */
export async function newInFailure(
  host: Pick<Host, 'compare'>,
  view: View,
  { start_line, end_line }: Pick<InspectParams, 'start_line' | 'end_line'>,
  { access, signal }: RequestOptions,
): Promise<string | null> {
  if (view.mode !== 'failure' || view.cause === null || view.likely || view.running) return null;
  if (!view.artifact_id.startsWith('cmd-') || start_line !== undefined || end_line !== undefined) return null;
  return newSinceItPassed(host, view.artifact_id, EXPLAINED_CHARS, {
    ...(access ? { access } : {}),
    ...(signal ? { signal } : {}),
  });
}

/** `new since 5 passes: …`; null if nothing differs, or the passes are of another command line. */
function newSince({ baselines, findings }: Comparison, mostChars: number): string | null {
  if (baselines[0]?.chosen === 'nearest') return null;
  const start = `new since ${plural(baselines.length, 'pass', 'passes')}: `;
  const named: string[] = [];
  let left = mostChars - start.length;
  for (const { kind, text } of findings.slice(0, MOST_NAMED)) {
    const said = `${kind === 'gone' ? 'no ' : ''}${text.trim()}`;
    const room = left - (named.length > 0 ? SEPARATOR.length : 0);
    if (room < Math.min(LEAST_NAMED_CHARS, said.length)) break;
    const clipped = clipText(said, room).text;
    named.push(clipped);
    left = room - clipped.length;
  }
  return named.length === 0 ? null : `${start}${named.join(SEPARATOR)}`;
}
