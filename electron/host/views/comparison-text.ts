/** A comparison as text: a line or two for each finding. */
import type { Comparison, Finding } from '../../../shared/comparison.ts';
import { formatCount, plural } from '../../../shared/text/format.ts';
import { type WordPart, wordDifference } from '../../../shared/text/word-difference.ts';

/** Columns of the kind and the line number. */
const KIND_CHARS = 8;
const NUMBER_CHARS = 7;

/** Shows a part of a line: of both lines, of the old one or of the new one. */
export type ShowPart = (text: string, of: WordPart['of']) => string;

/** As `git diff --word-diff` marks them. */
export const markPart: ShowPart = (text, of) =>
  of === 'old' ? `[-${text}-]` : of === 'new' ? `{+${text}+}` : text;

/** A line for a finding, and one for the nearest message of the baselines, in which the difference is marked. */
export function findingLines(finding: Finding, show: ShowPart = markPart): string[] {
  const { kind, line_number, text, count, baseline_text, baseline_line, baseline_counts } = finding;
  const said = [row(kind, line_number, `${show(text.trim(), 'both')}${countOf(finding)}`)];
  if (baseline_counts !== undefined) {
    const [least, most] = baseline_counts;
    said.push(
      row('was', baseline_line, least === most ? times(least) : `${formatCount(least)} to ${times(most)}`),
    );
  } else if (baseline_text !== null && kind !== 'gone' && kind !== 'order' && count > 0)
    said.push(row('was', baseline_line, marked(baseline_text.trim(), text.trim(), show)));
  return said;
}

function marked(old: string, now: string, show: ShowPart): string {
  const parts = wordDifference(old, now) ?? [{ of: 'both', text: old }];
  return parts.map(({ of, text }) => show(text, of)).join('');
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

/** Names the baselines: `compared with 5 runs that passed`. */
export function comparedWith({ baselines }: Comparison): string {
  const chosen = baselines[0]?.chosen;
  const [one] = baselines;
  if (baselines.length === 1) return `compared with ${one!.artifact_id}`;
  return `compared with ${baselines.length} ${chosen === 'given' ? 'outputs' : 'runs that passed'}`;
}
