/** Shows a terminal's output since a given time; a line that began earlier is shown only in its new part. */
import type { TerminalOutput } from '../../../shared/terminals.ts';
import type { LinesView } from '../../../shared/views.ts';
import { openStream } from '../../reader/bytes/streams.ts';
import { offsetSince } from '../../store/contents/since.ts';
import type { CaptureEntry } from '../../store/format/entry.ts';
import type { Document } from '../documents/document.ts';
import type { RequestOptions } from '../host.ts';
import { newPartOfLine } from './new-part.ts';
import type { TerminalText } from './terminal-text.ts';
import { base, filesOf, NOTHING_NEW, terminalFacts, timesReach } from './terminal-view.ts';

export interface SinceWanted {
  /** Milliseconds since the epoch. */
  time: number;
  lines: number;
  max_chars?: number;
  maxLineChars: number;
}

export async function sinceView(
  text: TerminalText,
  entry: CaptureEntry,
  { time, maxLineChars, ...wanted }: SinceWanted,
  options: RequestOptions,
): Promise<TerminalOutput> {
  const document = await text.document(entry, options);
  const { offset, size } = await arrivedSince(document, entry, time, options);
  const start = await text.lineIn(document, offset, options);
  const view: LinesView = await text.lines(entry, { mode: 'range', start_line: start, ...wanted }, options);
  const facts = terminalFacts(entry);
  if (offset >= size) return { ...NOTHING_NEW, ...base(view), ...facts };
  if (view.start_offset === null || view.start_line !== start || view.start_offset >= offset)
    return { ...view, ...facts, mode: 'since' };
  return { ...(await withoutOldPart(document, view, offset, maxLineChars, options)), ...facts };
}

/** Returns the offset of the first byte that arrived since `time`, and the size of the stream. */
function arrivedSince(document: Document, entry: CaptureEntry, time: number, options: RequestOptions) {
  return document.use({ need: 'everything', ...options }, async (generation) => {
    const stream = openStream(generation.stream);
    const gap = entry.record.streams[0]?.gap ?? null;
    await timesReach(entry, stream.size);
    const stored = { stream, gap };
    const offset = filesOf(entry).withTimes((times) => offsetSince(times, 0, time, stored));
    return { offset, size: stream.size };
  });
}

function withoutOldPart(
  document: Document,
  view: LinesView,
  offset: number,
  maxLineChars: number,
  options: RequestOptions,
) {
  return document.use({ need: 'nothing', ...options }, async (generation) => {
    const stream = openStream(generation.stream);
    const part = newPartOfLine(stream, view.start_offset ?? 0, offset, maxLineChars);
    const [, ...rest] = view.content.split('\n');
    return {
      ...view,
      mode: 'since' as const,
      start_offset: part.offset,
      content: [part.text, ...rest].join('\n'),
      truncated: true,
      note: [view.note, `line ${view.start_line} had begun before: only what is new of it is shown`]
        .filter(Boolean)
        .join('; '),
    };
  });
}
