/** Shows a terminal's output since a given time; a line that began earlier is shown only in its new part. */
import type { TerminalOutput } from '../../../shared/terminals.ts';
import { clipText } from '../../../shared/text/clip.ts';
import { LF } from '../../../shared/text/codes.ts';
import { newControl, parseControl } from '../../../shared/text/escape-sequences.ts';
import { lineText } from '../../../shared/text/line-text.ts';
import type { FailureView, LinesView } from '../../../shared/views.ts';
import type { OpenStream } from '../../reader/bytes/open-stream.ts';
import { openStream } from '../../reader/bytes/streams.ts';
import { offsetSince } from '../../store/contents/arrivals.ts';
import type { CaptureEntry } from '../../store/format/entry.ts';
import type { Document } from '../documents/document.ts';
import type { TargetDocuments } from '../documents/targets/target-documents.ts';
import type { RequestOptions } from '../host.ts';
import type { Texts } from '../views/texts.ts';
import {
  base,
  filesOf,
  NOTHING_NEW,
  type TerminalFields,
  terminalFacts,
  timesReach,
} from './terminal-view.ts';

interface SinceWanted {
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

/** How far before the moment a character or an escape sequence may have begun that it falls into. */
const BEFORE_BYTES = 8 * 1024;
/** How much of the line is looked at. */
const AFTER_BYTES = 256 * 1024;

const ESC = '\x1b';

/**
 * Returns the new part of a line that began earlier: its text from byte `offset` on. A character that
 * `offset` splits is new, as its last byte is.
 */
function newPartOfLine(
  stream: OpenStream,
  lineStart: number,
  offset: number,
  maxChars: number,
): { text: string; clipped: boolean; offset: number } {
  const from = Math.max(lineStart, offset - BEFORE_BYTES);
  const buffer = Buffer.alloc(Math.min(stream.size - from, offset - from + AFTER_BYTES));
  const bytes = buffer.subarray(0, stream.read(buffer, from));
  const lineEnd = bytes.indexOf(LF, offset - from);
  const line = lineEnd < 0 ? bytes : bytes.subarray(0, lineEnd);
  const start = wholeStart(line, offset - from);
  const { text, clipped } = clipText(lineText(line.subarray(start).toString()), maxChars);
  return { text, clipped: clipped || (lineEnd < 0 && bytes.length === AFTER_BYTES), offset: from + start };
}

/** Where what `at` falls into begins. */
function wholeStart(line: Buffer, at: number): number {
  const text = line.toString('latin1');
  const introduced = at > 0 ? text.lastIndexOf(ESC, at - 1) : -1;
  if (introduced >= 0 && parseControl(text, introduced, text.length, newControl()).end > at)
    return introduced;
  let start = at;
  while (start > 0 && at - start < 4 && isContinuation(line[start])) start -= 1;
  return isContinuation(line[start]) ? at : start;
}

function isContinuation(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0xc0) === 0x80;
}

interface LinesWanted {
  mode: 'head' | 'tail' | 'range';
  lines: number;
  start_line?: number;
  max_chars?: number;
}

/** Opens a terminal's recorded output as a document, and shows its lines with facts about the terminal. */
export class TerminalText {
  readonly #documents: TargetDocuments;
  readonly #texts: Texts;

  constructor(documents: TargetDocuments, texts: Texts) {
    this.#documents = documents;
    this.#texts = texts;
  }

  document(entry: CaptureEntry, options: RequestOptions): Promise<Document> {
    return this.#documents.get(targetOf(entry), options.access ?? 'person');
  }

  async lines(
    entry: CaptureEntry,
    wanted: LinesWanted,
    options: RequestOptions,
  ): Promise<LinesView & TerminalFields> {
    const view = await this.#texts.inspect({ ...wanted, ...targetOf(entry) }, options);
    return { ...(view as LinesView), ...terminalFacts(entry) };
  }

  /** The lines that explain a failure, of one command's output. */
  async explained(
    entry: CaptureEntry,
    range: { start_line: number; end_line: number },
    options: RequestOptions,
  ): Promise<FailureView> {
    const view = await this.#texts.inspect({ mode: 'failure', ...range, ...targetOf(entry) }, options);
    if (view.mode !== 'failure') throw new Error(`a view of mode ${view.mode} came`);
    return view;
  }

  /** The line (from 1) that the byte at `offset` is in. */
  lineIn(document: Document, offset: number, options: RequestOptions): Promise<number> {
    return this.#texts.lineIn(document, offset, options);
  }
}

function targetOf(entry: CaptureEntry) {
  // A terminal is text in UTF-8, whatever was printed there.
  return { artifact_id: entry.id, as_text: true, encoding: 'utf-8' };
}
