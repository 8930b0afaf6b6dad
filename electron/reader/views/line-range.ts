/** Makes the views head, tail and range: whole lines of a stream, joined, and their position (CONTRACT 5). */
import { MAX_LINE_CHARS, MAX_VIEW_LINES, MAX_WHOLE_LINE_CHARS } from '../../../shared/limits.ts';
import { clipText } from '../../../shared/text/clip.ts';
import type { Decoder } from '../bytes/encoding.ts';
import type { OpenStream } from '../bytes/open-stream.ts';
import type { BlockIndex } from '../lines/block-index.ts';
import { LineCursor, linesAt, type RawLine } from '../lines/line-cursor.ts';
import { lineStart, totalLines } from '../lines/line-positions.ts';
import { LineRenderer, type ShownLine } from './line-renderer.ts';

export interface LinesRequest {
  /** From 1. */
  first: number;
  /** Lines wanted, at most MAX_VIEW_LINES. */
  count: number;
  raw: boolean;
  maxLineChars?: number | undefined;
  /** Longest content. */
  maxChars?: number | undefined;
  /** Whether to keep the last lines, rather than the first, if `maxChars` cuts the content. */
  keepEnd?: boolean | undefined;
}

interface LinesResult {
  start_line: number | null;
  end_line: number | null;
  start_offset: number | null;
  lines_shown: number;
  clipped_lines: number;
  content: string;
  total_lines: number;
  next_start_line: number | null;
  /** Whether a redrawn line was too long to replay whole. */
  replayed_part: boolean;
}

interface Taken extends Pick<ShownLine, 'text' | 'clipped'> {
  number: number;
  offset: number;
}

/** The index must cover the stream. */
export function viewLines(
  stream: OpenStream,
  index: BlockIndex,
  decoder: Decoder,
  request: LinesRequest,
): LinesResult {
  const total = totalLines(index, stream, decoder.unit);
  const last = Math.min(total, request.first + Math.min(request.count, MAX_VIEW_LINES) - 1);
  const renderer = new LineRenderer(stream, decoder, {
    raw: request.raw,
    styled: false,
    maxChars: request.maxLineChars ?? MAX_LINE_CHARS,
  });
  const budget = new CharBudget(request.maxChars ?? Number.POSITIVE_INFINITY, request.keepEnd ?? false);
  if (request.first <= last) {
    const position = lineStart(stream, index, decoder.unit, request.first);
    const cursor = new LineCursor(stream, decoder.unit, { position, number: request.first }, index);
    for (let line = cursor.next(); line && line.number <= last; line = cursor.next()) {
      if (!budget.add(take(renderer, line)) || renderer.spent) break;
    }
  }
  const lines = budget.lines;
  const end = lines.at(-1)?.number ?? null;
  return {
    start_line: lines[0]?.number ?? null,
    end_line: end,
    start_offset: lines[0]?.offset ?? null,
    lines_shown: lines.length,
    clipped_lines: lines.reduce((count, line) => count + (line.clipped ? 1 : 0), 0),
    content: lines.map((line) => line.text).join('\n'),
    total_lines: total,
    next_start_line: end !== null && end < total ? end + 1 : null,
    replayed_part: renderer.replayedPart,
  };
}

function take(renderer: LineRenderer, line: RawLine): Taken {
  const { text, clipped } = renderer.show(line);
  return { text, clipped, number: line.number, offset: line.offset };
}

/** Collects whole lines up to a number of characters; clips a single line that is longer. */
class CharBudget {
  readonly #limit: number;
  readonly #keepEnd: boolean;
  #lines: Taken[] = [];
  #chars = 0;
  /** Lines dropped at the front. */
  #skip = 0;

  constructor(limit: number, keepEnd: boolean) {
    this.#limit = limit;
    this.#keepEnd = keepEnd;
  }

  get lines(): Taken[] {
    return this.#lines.slice(this.#skip);
  }

  /** Adds a line; returns false if no more lines fit. */
  add(line: Taken): boolean {
    const first = this.#lines.length === this.#skip;
    const cost = line.text.length + (first ? 0 : 1);
    if (this.#chars + cost <= this.#limit) {
      this.#push(line, cost);
      return true;
    }
    if (this.#keepEnd) {
      while (this.#skip < this.#lines.length && this.#chars + line.text.length + 1 > this.#limit) {
        this.#chars -= this.#lines[this.#skip]!.text.length + 1;
        this.#skip += 1;
      }
      if (this.#skip === this.#lines.length) this.#chars = 0;
      this.#push(
        clipped(line, this.#limit),
        this.#skip === this.#lines.length ? line.text.length : line.text.length + 1,
      );
      return true;
    }
    if (first) this.#push(clipped(line, this.#limit), cost);
    return false;
  }

  #push(line: Taken, cost: number): void {
    this.#lines.push(line);
    this.#chars += cost;
  }
}

function clipped(line: Taken, limit: number): Taken {
  const cut = clipText(line.text, limit);
  return { ...line, text: cut.text, clipped: line.clipped || cut.clipped };
}

// Reads whole lines as text, for files.

interface PlainLine {
  text: string;
  clipped: boolean;
}

/**
 * Returns the lines with these rising numbers: at least one, but no more than fit `maxChars`. The index must reach
 * them.
 */
export function plainLines(
  stream: OpenStream,
  index: BlockIndex,
  decoder: Decoder,
  { lines, maxChars }: { lines: readonly number[]; maxChars: number },
): PlainLine[] {
  const renderer = new LineRenderer(stream, decoder, {
    raw: false,
    styled: false,
    maxChars: MAX_WHOLE_LINE_CHARS,
  });
  const found: PlainLine[] = [];
  let chars = 0;
  for (const line of linesAt(stream, index, decoder.unit, lines)) {
    const { text, clipped } = renderer.show(line);
    found.push({ text, clipped });
    chars += text.length + 1;
    if (chars > maxChars || renderer.spent) break;
  }
  return found;
}
