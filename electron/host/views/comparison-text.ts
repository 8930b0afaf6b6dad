/** A comparison as text: a line or two for each finding. */
import type { Comparison, Finding } from '../../../shared/comparison.ts';
import { formatCount, plural } from '../../../shared/text/format.ts';

/** Columns of the kind and the line number. */
const KIND_CHARS = 8;
const NUMBER_CHARS = 7;

/** Two lines of a finding whose nearest message in the baselines is another one. */
export function findingLines(finding: Finding): string[] {
  const { kind, line_number, text, count, baseline_text, baseline_line, baseline_counts } = finding;
  const said = [row(kind, line_number, `${text.trim()}${countOf(finding)}`)];
  if (baseline_counts !== undefined) {
    const [least, most] = baseline_counts;
    said.push(
      row('was', baseline_line, least === most ? times(least) : `${formatCount(least)} to ${times(most)}`),
    );
  } else if (baseline_text !== null && kind !== 'gone' && kind !== 'order' && count > 0)
    said.push(row('was', baseline_line, baseline_text.trim()));
  return said;
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
