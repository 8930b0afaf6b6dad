/** `inspect`: one view of a document, by its mode. A new mode is one file beside this one and its line in VIEWS. */

import type { ViewMode } from '../../../shared/arguments/argument.ts';
import { impliedMode } from '../../../shared/arguments/modes.ts';
import type { Surface } from '../../../shared/arguments/surface.ts';
import { DEFAULT_VIEW_LINES, MAX_VIEW_LINES } from '../../../shared/limits.ts';
import type { InspectParams, View } from '../../../shared/views.ts';
import { binaryNote } from '../../reader/bytes/content-type.ts';
import type { Document, Need } from '../documents/document.ts';
import type { Generation, LineNumbers } from '../documents/generation.ts';
import {
  COUNTED_BYTES,
  type CountingContext,
  linesCounted,
  NO_LINES,
  type StreamFields,
  streamFields,
  type ViewContext,
} from './context.ts';
import { failureView, NO_FAILURE } from './failure.ts';
import { grepQuery, grepView, NOT_SEARCHED } from './grep.ts';
import { checkRange, lastOfHead, lastOfRange, linesView } from './lines.ts';
import { EMPTY_OUTLINE, outlineView, sectionBounds } from './outline.ts';
import { EMPTY_SUMMARY, summaryView } from './summary.ts';
import { type LineBounds, timeBounds } from './time-bounds.ts';

interface ModeView {
  /** Throws `usage` for a question that no stream could answer. Called before anything is read. */
  checkParams?(params: InspectParams, surface: Surface): void;
  /** Throws `out_of_range` for lines that the stream can't have. */
  checkLines?(params: InspectParams, numbers: LineNumbers): void;
  /**
   * Returns the last stored line that it can show; null if that depends on how many there are. With gaps, a line's
   * number tells nothing about where it is stored.
   */
  lastLine(params: InspectParams, hasGaps: boolean): number | null;
  /** It counts lines while it reads them: nothing need be indexed before. */
  counts?: boolean;
  /** The generation is text, or shown as text, and is indexed unless the mode itself counts lines. */
  show(
    fields: StreamFields,
    generation: Generation,
    params: InspectParams,
    context: CountingContext,
  ): Promise<View>;
  /** The view of a binary stream, without the fields that all modes share. */
  empty: object;
}

const ANY_LINE = () => null;

const VIEWS: Record<ViewMode, ModeView> = {
  head: { lastLine: lastOfHead, show: linesView('head'), empty: {} },
  tail: { lastLine: ANY_LINE, show: linesView('tail'), empty: {} },
  range: {
    checkLines: checkRange,
    lastLine: (params, hasGaps) => (hasGaps ? null : lastOfRange(params)),
    show: linesView('range'),
    empty: {},
  },
  grep: { checkParams: grepQuery, lastLine: ANY_LINE, show: grepView, empty: NOT_SEARCHED },
  summary: { lastLine: ANY_LINE, counts: true, show: summaryView, empty: EMPTY_SUMMARY },
  failure: { checkLines: checkRange, lastLine: ANY_LINE, show: failureView, empty: NO_FAILURE },
  outline: { lastLine: ANY_LINE, counts: true, show: outlineView, empty: EMPTY_OUTLINE },
};

function isBounded({ since, until, around, section }: InspectParams): boolean {
  return [since, until, around, section].some((one) => one !== undefined);
}

function narrower(a: LineBounds, b: LineBounds): LineBounds {
  return { first: Math.max(a.first, b.first), last: Math.min(a.last, b.last) };
}

function noneWithin({ first, last }: LineBounds): string {
  if (first > last) return 'no line is of that time';
  return `these are lines ${first} to ${last}, and the range is outside of them`;
}

/** The lines that a mode shows of those between the bounds. */
function boundTo({ first, last }: LineBounds, mode: ViewMode, params: InspectParams): InspectParams {
  const { start_line: start = 1, end_line: end = last, lines, ...rest } = params;
  const [from, to] = [Math.max(first, start), Math.min(last, end)];
  const count = Math.min(lines ?? DEFAULT_VIEW_LINES, MAX_VIEW_LINES);
  if (mode === 'head') return { ...rest, start_line: from, end_line: Math.min(to, from + count - 1) };
  if (mode === 'tail') return { ...rest, start_line: Math.max(from, to - count + 1), end_line: to };
  return { ...rest, ...(lines === undefined ? {} : { lines }), start_line: from, end_line: to };
}

/** Throws `usage` and `out_of_range`. */
export async function inspectDocument(
  document: Document,
  params: InspectParams,
  context: ViewContext,
): Promise<View> {
  const mode = params.mode ?? impliedMode(params);
  const { checkParams, checkLines, lastLine, counts = false, show, empty } = VIEWS[mode];
  checkParams?.(params, context.surface);
  const asText = (generation: Generation) => generation.contentType !== 'binary' || params.as_text === true;
  const need: Need = (generation) => {
    const hasGaps = generation.gaps.length > 0;
    const last = isBounded(params) || params.entries ? null : lastLine(params, hasGaps);
    // Unpack no more than is shown, and one line to tell that there is more.
    if (generation.isGrowing && last !== null) return { line: last + 1 };
    if (!asText(generation) && !hasGaps && generation.size > COUNTED_BYTES) return 'nothing';
    return counts && !hasGaps && asText(generation) ? 'nothing' : 'everything';
  };
  return document.use({ need, ...context }, async (generation, artifact, count) => {
    const counting = { ...context, artifact, count };
    const fields = streamFields(document, generation, artifact);
    checkLines?.(params, generation.numbers);
    if (asText(generation)) {
      const named =
        params.section === undefined ? null : await sectionBounds(generation, params.section, counting);
      const timed = await timeBounds(generation, params, context.pool);
      const bounds = named && timed ? narrower(named, timed) : (named ?? timed);
      const within = bounds ? boundTo(bounds, mode, params) : params;
      const showing = bounds && mode !== 'grep' && mode !== 'failure' ? linesView('range') : show;
      const view =
        bounds && within.start_line! > within.end_line! && mode !== 'grep'
          ? ({ ...fields, ...NO_LINES, ...empty, truncated: true, note: noneWithin(bounds) } as View)
          : await showing(fields, generation, within, counting);
      // Lines that were not stored are in no view.
      return { ...view, mode, truncated: view.truncated || generation.gaps.length > 0 } as View;
    }
    const note = binaryNote(generation.head, generation.size, context.surface);
    const counted = linesCounted(generation);
    return { ...fields, ...counted, ...NO_LINES, ...empty, mode, truncated: true, note } as View;
  });
}
