/** `spillway inspect`: the selected lines alone, or a summary as a report; what else is to be known goes to standard error. */
import { SpillwayError } from '../../shared/errors.ts';
import { type ModeArgument, viewMode } from '../../shared/view-mode.ts';
import type { InspectParams, View, ViewMode } from '../../shared/views.ts';
import { print, printJson, tell } from './output/print.ts';
import { forOutput, noteForPerson } from './output/safe-text.ts';
import { summaryReport } from './output/summary-report.ts';
import { viewNotes } from './output/view-notes.ts';
import { targetOf } from './target.ts';
import { withHost } from './with-host.ts';

export interface InspectOptions {
  mode?: ViewMode;
  lines?: number;
  start?: number;
  end?: number;
  pattern?: string;
  context?: number;
  maxMatches?: number;
  cursor?: string;
  caseSensitive?: boolean;
  fixed?: boolean;
  invert?: boolean;
  maxShapes?: number;
  stream?: InspectParams['stream'];
  encoding?: string;
  asText?: boolean;
  raw?: boolean;
  json?: boolean;
}

/** The exit status: 1 when grep found nothing. */
export async function inspect(given: string, options: InspectOptions): Promise<number> {
  const target = targetOf(given);
  const params = paramsOf(options);
  const mode = viewMode(params, (argument) => FLAGS[argument]);
  const search = mode === 'grep';
  if (search && params.pattern === undefined)
    throw new SpillwayError('usage', 'grep needs a pattern', 'say what to look for with --pattern');
  const view = await withHost((host) => host.inspect({ ...target, ...params, mode }), { search });
  if (options.json) await printJson(view);
  else await printView(view, options);
  return view.mode === 'grep' && view.match_count === 0 ? 1 : 0;
}

const FLAGS: Record<ModeArgument, string> = {
  lines: '--lines',
  start_line: '--start',
  end_line: '--end',
  pattern: '--pattern',
  context_lines: '--context',
  max_matches: '--max-matches',
  cursor: '--cursor',
  case_sensitive: '--case-sensitive',
  fixed: '--fixed',
  invert: '--invert',
  max_shapes: '--max-shapes',
  raw: '--raw',
};

async function printView(view: View, options: InspectOptions): Promise<void> {
  if (view.mode === 'summary') await print(forOutput(summaryReport(view), false));
  else if (view.lines_shown > 0) await print(forOutput(`${view.content}\n`, options.raw ?? false));
  for (const note of viewNotes(view, options)) await tell(noteForPerson(note));
}

function paramsOf(options: InspectOptions): Partial<InspectParams> {
  const { start, end, context, maxMatches, caseSensitive, maxShapes, asText, json: _, ...same } = options;
  const params = {
    ...same,
    start_line: start,
    end_line: end,
    context_lines: context,
    max_matches: maxMatches,
    case_sensitive: caseSensitive,
    max_shapes: maxShapes,
    as_text: asText,
  };
  return Object.fromEntries(Object.entries(params).filter(([, value]) => value !== undefined));
}
