/** Prints a summary as a report: figures, then errors, then shapes. */
import { escapeLine } from '../../../shared/text/escape.ts';
import { formatBytes, formatCount, plural } from '../../../shared/text/format.ts';
import type { SummaryView } from '../../../shared/views.ts';

export function summaryReport(view: SummaryView): string {
  return [facts(view), errors(view), shapes(view)].filter((part) => part !== '').join('\n');
}

/** Returns no rows for a large binary file: its lines are not counted. */
function lineFacts(view: SummaryView): [string, string][] {
  if (view.total_lines === null) return [];
  return [
    [
      'lines',
      `${formatCount(view.total_lines)}, ${formatCount(view.blank_lines)} of them blank, ending in ${ENDINGS[view.line_ending]}`,
    ],
    [
      'length',
      `${formatCount(Number(view.line_length_mean.toFixed(1)))} characters on average, ${formatCount(view.line_length_max)} at most`,
    ],
  ];
}

function facts(view: SummaryView): string {
  const levels = Object.entries(view.levels).map(([level, count]) => `${level} ${formatCount(count)}`);
  const rows: [string, string | null][] = [
    ['file', view.file_path],
    ['artifact', view.artifact_id],
    ['stream', view.stream === 'output' ? null : view.stream],
    ['content', `${view.content_type}, ${view.encoding}${view.running ? ', still being written' : ''}`],
    ['size', `${formatBytes(view.total_bytes)} (${formatCount(view.total_bytes)} bytes)`],
    ...lineFacts(view),
    ['levels', levels.length > 0 ? levels.join(', ') : null],
    ['from', view.first_timestamp],
    ['to', view.last_timestamp],
    ['JSON', view.json && jsonFacts(view.json)],
  ];
  return rows
    .filter(([, value]) => value !== null)
    .map(([name, value]) => `${name.padEnd(10)}${escapeLine(value!)}\n`)
    .join('');
}

const ENDINGS = { lf: 'LF', crlf: 'CRLF', mixed: 'LF and CRLF', none: 'nothing' };

function jsonFacts(json: NonNullable<SummaryView['json']>): string {
  const length = json.length === undefined ? '' : ` of ${formatCount(json.length)}`;
  const sample =
    json.sampled_lines === undefined ? '' : ` (keys of ${plural(json.sampled_lines, 'sampled line')})`;
  return `${json.per_line ? `${json.type}s, one per line` : json.type}${length}${json.keys?.length ? `: ${json.keys.join(', ')}${sample}` : ''}`;
}

function errors(view: SummaryView): string {
  const { first_errors: found } = view;
  if (found.length === 0) return '';
  const width = Math.max(...found.map((error) => formatCount(error.line_number).length));
  const lines = found.map((error) => `  ${formatCount(error.line_number).padStart(width)}  ${error.text}\n`);
  return `First errors\n${lines.join('')}`;
}

function shapes(view: SummaryView): string {
  if (view.shapes.length === 0) return '';
  const width = Math.max(...view.shapes.map((shape) => formatCount(shape.count).length));
  const lines = view.shapes.map(
    (shape) =>
      `  ${formatCount(shape.count).padStart(width)}  ${shape.shape}  (line ${formatCount(shape.first_line)})\n`,
  );
  const head = view.shapes_exact ? 'Most frequent messages' : 'Most frequent messages (counts may be low)';
  return `${head}\n${lines.join('')}`;
}
