/** A comparison as text: a line or two for each finding. */
import type { Cause } from '../../../shared/artifact.ts';
import type { Comparison, Finding } from '../../../shared/comparison.ts';
import { clipText } from '../../../shared/text/clip.ts';
import { formatCount, plural } from '../../../shared/text/format.ts';
import { pastOf, type WordPart } from '../../../shared/text/word-difference.ts';
import type { InspectParams, View } from '../../../shared/views.ts';
import type { Host, RequestOptions } from '../host.ts';

/** Columns of the kind and the line number. */
const KIND_CHARS = 8;
const NUMBER_CHARS = 7;

/** Shows a part of a line: of both lines, of the old one or of the new one. */
export type ShowPart = (text: string, of: WordPart['of']) => string;

/** As `git diff --word-diff` marks them. */
export const markPart: ShowPart = (text, of) =>
  of === 'old' ? `[-${text}-]` : of === 'new' ? `{+${text}+}` : text;

const KINDS: readonly Finding['kind'][] = ['new', 'changed', 'gone', 'order'];

/** Groups findings by their kinds. Within one, the most telling stays first. */
export function byKind<T extends Pick<Finding, 'kind'>>(findings: readonly T[]): T[] {
  return KINDS.flatMap((kind) => findings.filter((finding) => finding.kind === kind));
}

/** A line for a finding, and one for the nearest message of the baselines, in which the difference is marked. */
export function findingLines(finding: Finding, show: ShowPart = markPart): string[] {
  const { kind, line_number, text, count, baseline_text, baseline_line, baseline_counts } = finding;
  const rows = [row(kind, line_number, `${show(text.trim(), 'both')}${countOf(finding)}`)];
  if (baseline_counts !== undefined) {
    const [least, most] = baseline_counts;
    rows.push(
      row('was', baseline_line, least === most ? times(least) : `${formatCount(least)} to ${times(most)}`),
    );
    return rows;
  }
  const past = baseline_text === null || count === 0 ? null : pastOf(kind, baseline_text.trim(), text.trim());
  if (past) rows.push(row('was', baseline_line, past.map(({ of, text }) => show(text, of)).join('')));
  return rows;
}

function row(kind: string, line: number | null, text: string): string {
  return `${kind.padEnd(KIND_CHARS)}${(line === null ? '-' : String(line)).padStart(NUMBER_CHARS)}  ${text}`;
}

function countOf({ kind, count, baseline_counts }: Finding): string {
  if (count === 1 && baseline_counts === undefined) return '';
  if (kind === 'gone' || kind === 'order') return `  (${plural(count, 'message')})`;
  return `  (${plural(count, 'line')})`;
}

const times = (count: number): string => plural(count, 'line');

/** Names the baselines: `compared with 5 runs that passed`. `given`: the name a person gave the only one. */
export function comparedWith({ baselines }: Comparison, given?: string): string {
  const chosen = baselines[0]?.chosen;
  const [one] = baselines;
  if (baselines.length === 1) return `compared with ${given ?? one!.artifact_id}`;
  return `compared with ${baselines.length} ${chosen === 'given' ? 'outputs' : 'runs that passed'}`;
}

/** Words where nothing was found. A note tells what was not compared; then only this much is certain. */
export function nothingIn({ note }: Pick<Comparison, 'note'>): string {
  return note === undefined ? 'nothing differs' : 'nothing is new';
}

// The few words about what changed that a failed command's first reply has room for.

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
  /** The cause that was named. If the passes have it, too, another one is named first. */
  named: Cause | null = null,
): Promise<string | null> {
  const late = AbortSignal.timeout(mostMs);
  const signal = options.signal ? AbortSignal.any([options.signal, late]) : late;
  try {
    const asked = { ...options, signal, mostBytes: MOST_BYTES };
    const found = await host.compare({ artifact_id: artifactId, all_lines: false }, asked);
    return newSince(found, mostChars, named);
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
  const options = { ...(access ? { access } : {}), ...(signal ? { signal } : {}) };
  return newSinceItPassed(host, view.artifact_id, EXPLAINED_CHARS, options, MOST_MS, view.cause);
}

/** `new since 5 passes: …`; null if nothing differs, or the passes are of another command line. */
function newSince(
  { baselines, findings, cause }: Comparison,
  mostChars: number,
  given: Cause | null,
): string | null {
  const passes = plural(baselines.length, 'pass', 'passes');
  const isOther = given && cause && cause.stream === given.stream && cause.line_number !== given.line_number;
  const other = isOther ? `the ${passes} had that cause, too: see line ${cause.line_number}; ` : '';
  const start = `${other}new since ${passes}: `;
  const named: string[] = [];
  let left = mostChars - start.length;
  for (const { kind, text } of findings.slice(0, MOST_NAMED)) {
    const message = `${kind === 'gone' ? 'no ' : ''}${text.trim()}`;
    const room = left - (named.length > 0 ? SEPARATOR.length : 0);
    if (room < Math.min(LEAST_NAMED_CHARS, message.length)) break;
    const clipped = clipText(message, room).text;
    named.push(clipped);
    left = room - clipped.length;
  }
  return named.length === 0 ? null : `${start}${named.join(SEPARATOR)}`;
}
