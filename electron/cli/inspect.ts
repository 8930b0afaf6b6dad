/** `spillway inspect`: the selected lines alone, or a summary as a report; what else is to be known goes to standard error. */
import { type OfferedMode, viewMode } from '../../shared/view-mode.ts';
import type { InspectParams, View } from '../../shared/views.ts';
import { print, printJson, tell } from './print.ts';
import { forOutput, noteForPerson } from './safe-text.ts';
import { summaryReport } from './summary-report.ts';
import { targetOf } from './target.ts';
import { withHost } from './with-host.ts';

export interface InspectOptions {
  mode?: OfferedMode;
  lines?: number;
  start?: number;
  end?: number;
  maxShapes?: number;
  stream?: InspectParams['stream'];
  encoding?: string;
  asText?: boolean;
  raw?: boolean;
  json?: boolean;
}

export async function inspect(given: string, options: InspectOptions): Promise<number> {
  const target = targetOf(given);
  const params = paramsOf(options);
  const mode = viewMode(params, (argument) => FLAGS[argument]);
  const view = await withHost((host) => host.inspect({ ...target, ...params, mode }));
  if (options.json) {
    await printJson(view);
  } else if (view.mode === 'summary') {
    await print(forOutput(summaryReport(view), false));
    await notes(view, []);
  } else {
    if (view.lines_shown > 0) await print(forOutput(`${view.content}\n`, options.raw ?? false));
    await notes(view, linesNotes(view, options));
  }
  return 0;
}

const FLAGS = {
  lines: '--lines',
  start_line: '--start',
  end_line: '--end',
  max_shapes: '--max-shapes',
  raw: '--raw',
} as const;

function paramsOf(options: InspectOptions): Partial<InspectParams> & { mode?: OfferedMode } {
  const { mode, lines, start, end, maxShapes, stream, encoding, asText, raw } = options;
  const params = {
    mode,
    lines,
    start_line: start,
    end_line: end,
    max_shapes: maxShapes,
    stream,
    encoding,
    as_text: asText,
    raw,
  };
  return Object.fromEntries(Object.entries(params).filter(([, value]) => value !== undefined));
}

async function notes(view: View, others: string[]): Promise<void> {
  for (const note of [...(view.note === undefined ? [] : [view.note]), ...others])
    await tell(noteForPerson(note));
}

function linesNotes(view: Exclude<View, { mode: 'summary' }>, options: InspectOptions): string[] {
  const { clipped_lines: clipped, lines_shown: shown, next_start_line: next } = view;
  const said: string[] = [];
  if (clipped > 0) {
    said.push(
      `${clipped === 1 ? 'one line is' : `${clipped} lines are`} clipped: \`spillway read\` with --offset gives all of a line`,
    );
  }
  const wanted = options.lines ?? (options.end === undefined ? 0 : options.end - (options.start ?? 1) + 1);
  if (view.mode !== 'tail' && next !== null && shown < wanted) {
    said.push(`these are ${shown} lines, the most at once: go on with --start ${next}`);
  }
  return said;
}
