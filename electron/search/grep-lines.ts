/** Formats matching lines as `grep -n` does, with context; no line twice. */
import { countFitting } from '../../shared/line-set.ts';
import type { SearchQuery } from '../../shared/search-query.ts';
import { clipText } from '../../shared/text/clip.ts';
import { lineText } from '../../shared/text/line-text.ts';
import type { GrepMatch } from '../../shared/views.ts';
import type { Decoder } from '../reader/bytes/encoding.ts';
import type { OpenStream } from '../reader/bytes/open-stream.ts';
import type { BlockIndex } from '../reader/lines/block-index.ts';
import { CURSOR_BYTES, LineCursor, type RawLine } from '../reader/lines/line-cursor.ts';
import { lineStart, totalLines } from '../reader/lines/line-positions.ts';
import { EntryBounds, type EntryForm, type LineSpan } from '../reader/views/entry-bounds.ts';
import { LineRenderer, replayed } from '../reader/views/line-renderer.ts';
import { expressionOf } from './expression.ts';
import { findInLine, MatchFinder, type PlaceInLine } from './match-finder.ts';

export interface GrepLinesRequest {
  query: SearchQuery;
  raw: boolean;
  /** Matching lines, in order. */
  lines: readonly number[];
  /** The matching lines next to these on both sides, which context must not repeat. */
  beside?: { before: number | undefined; behind: number | undefined };
  /** Lines of context on either side. */
  context: number;
  /** If given, context grows to the borders of entries. */
  entries?: EntryForm | undefined;
  maxLineChars: number;
  /** Most characters of content. At least one match is returned, clipped if necessary. */
  maxChars: number;
  /** Don't locate the matches within their lines. */
  unmarked: boolean;
}

export interface GrepLinesResult {
  content: string;
  matches: GrepMatch[];
  start_line: number | null;
  end_line: number | null;
  start_offset: number | null;
  lines_shown: number;
  /** Entries that the matches are in. */
  entries_shown?: number;
  clipped_lines: number;
}

interface Shown {
  number: number;
  offset: number;
  text: string;
  clipped: boolean;
  match: Pick<GrepMatch, 'column' | 'offset' | 'match'> | null;
}

export function grepLines(
  stream: OpenStream,
  index: BlockIndex,
  decoder: Decoder,
  request: GrepLinesRequest,
  /** Called for each matching line, and for each part of a long one. */
  onProgress: () => void = () => {},
): GrepLinesResult {
  const reader = new GrepReader(stream, index, decoder, request, onProgress);
  const { context, maxChars, beside } = request;
  const total = totalLines(index, stream, decoder.unit);
  const bounds = request.entries && new EntryBounds(stream, index, decoder, request.entries);
  const around = (line: number): LineSpan => {
    const span = { first: Math.max(1, line - context), last: Math.min(total, line + context) };
    return bounds ? bounds.around(span) : span;
  };
  const entries = new Set<number>();
  const shown: Shown[] = [];
  const matches: GrepMatch[] = [];
  let chars = 0;
  for (const [i, line] of request.lines.entries()) {
    const span = around(line);
    const first = Math.max(span.first, (shown.at(-1)?.number ?? beside?.before ?? 0) + 1);
    // Context ends where the next match's context begins.
    const next = request.lines[i + 1] ?? beside?.behind;
    const last = Math.min(span.last, next === undefined ? Number.POSITIVE_INFINITY : next - 1);
    const block = reader.read(first, last, line);
    onProgress();
    const cost = block.reduce((sum, one) => sum + printed(one).length + 1, 0) + 3;
    if (chars + cost > maxChars && matches.length > 0) break;
    // Lines before a match may already be included as context of the match before.
    const before =
      i === 0
        ? reader.read(span.first, line - 1, 0)
        : [...shown.slice(Math.max(0, shown.length - (line - span.first))), ...block].filter(
            (one) => one.number < line && one.number >= span.first,
          );
    const after = reader.read(line + 1, span.last, 0);
    if (bounds) entries.add(context === 0 ? span.first : bounds.startOf(line));
    shown.push(...(chars + cost > maxChars ? squeezed(block, line, maxChars) : block));
    chars += cost;
    const found = block.find((one) => one.number === line)?.match;
    matches.push({
      line_number: line,
      column: found?.column ?? 1,
      offset: found?.offset ?? 0,
      match: found?.match ?? '',
      context_before: before.map((one) => one.text),
      context_after: after.map((one) => one.text),
    });
  }
  return {
    content: contentOf(shown),
    matches,
    start_line: shown[0]?.number ?? null,
    end_line: shown.at(-1)?.number ?? null,
    start_offset: shown[0]?.offset ?? null,
    lines_shown: shown.length,
    ...(bounds ? { entries_shown: entries.size } : {}),
    clipped_lines: shown.filter((one) => one.clipped).length,
  };
}

/** Formats as `grep -n`: `12:` before a match, `11-` before context, `--` where lines are left out. */
function contentOf(shown: readonly Shown[]): string {
  const lines: string[] = [];
  for (const [i, one] of shown.entries()) {
    if (i > 0 && one.number > shown[i - 1]!.number + 1) lines.push('--');
    lines.push(printed(one));
  }
  return lines.join('\n');
}

function printed({ number, match, text }: Shown): string {
  return `${number}${match ? ':' : '-'}${text}`;
}

/** Shortens a first match that is too long: drops its context and clips it. */
function squeezed(block: readonly Shown[], line: number, maxChars: number): Shown[] {
  return block.flatMap((one) => {
    if (one.number !== line) return [];
    const cut = clipText(one.text, Math.max(1, maxChars - 12));
    return [{ ...one, text: cut.text, clipped: one.clipped || cut.clipped }];
  });
}

class GrepReader {
  readonly #stream: OpenStream;
  readonly #index: BlockIndex;
  readonly #decoder: Decoder;
  readonly #request: GrepLinesRequest;
  readonly #renderer: LineRenderer;
  readonly #finder: MatchFinder | null;
  readonly #onProgress: () => void;
  /** Shared by all reads of this page. */
  readonly #buffer = Buffer.allocUnsafeSlow(CURSOR_BYTES);

  constructor(
    stream: OpenStream,
    index: BlockIndex,
    decoder: Decoder,
    request: GrepLinesRequest,
    onProgress: () => void,
  ) {
    this.#stream = stream;
    this.#index = index;
    this.#decoder = decoder;
    this.#request = request;
    this.#onProgress = onProgress;
    this.#renderer = new LineRenderer(stream, decoder, {
      raw: request.raw,
      styled: false,
      maxChars: request.maxLineChars,
    });
    const isLocated = !request.query.invert && !request.unmarked;
    this.#finder = isLocated ? new MatchFinder(expressionOf(request.query)) : null;
  }

  /** Returns the lines from `first` to `last`; locates the match in line `matching`. */
  read(first: number, last: number, matching: number): Shown[] {
    const shown: Shown[] = [];
    if (first > last) return shown;
    const position = lineStart(this.#stream, this.#index, this.#decoder.unit, first);
    const from = { position, number: first };
    const cursor = new LineCursor(this.#stream, this.#decoder.unit, from, this.#index, this.#buffer);
    for (let line = cursor.next(); line && line.number <= last; line = cursor.next()) {
      if (line.number === matching) shown.push(this.#matched(line));
      else {
        const { text, clipped } = this.#renderer.show(line);
        shown.push({ number: line.number, offset: line.offset, text, clipped, match: null });
      }
    }
    return shown;
  }

  #matched(line: RawLine): Shown {
    const { maxLineChars } = this.#request;
    const { bytes, offset, decoded, text, at, length, column } = this.#placeIn(line);
    // Clip around the match, with a third of the room before it.
    const from =
      text.length <= maxLineChars ? 0 : wholeCharacter(text, Math.max(0, at - Math.floor(maxLineChars / 3)));
    const cut = clipText(text.slice(from), maxLineChars);
    const clipped = cut.clipped || from > 0 || bytes.length < line.bytes;
    const marked = line.offset === 0 && decoded.startsWith('\ufeff') ? 1 : 0;
    // Columns correspond to bytes only if nothing was left out or redrawn.
    const own = decoded.slice(marked);
    const exact = own === text || own === `${text}\r`;
    const before = exact ? this.#bytesBefore(bytes, decoded, marked + at) : 0;
    return {
      number: line.number,
      offset: line.offset,
      text: cut.text,
      clipped,
      match: {
        column: column + 1,
        offset: offset + before,
        match: clipText(length < 0 ? text : wholeMatch(text, at, at + length), maxLineChars).text,
      },
    };
  }

  /** Locates the match in the line; a negative length means that its place is unknown. */
  #placeIn(line: RawLine): PlaceInLine {
    const { raw } = this.#request;
    const nowhere = { at: 0, length: -1, column: 0, offset: line.offset };
    const { bytes, isEnd } = replayed(this.#stream, this.#decoder, line);
    if (this.#finder && (!isEnd || (raw && bytes.length < line.bytes))) {
      const found = findInLine(this.#stream, this.#decoder, line, this.#finder, raw, this.#onProgress);
      if (found) return found;
    }
    const decoded = this.#decoder.decode(bytes, bytes.length < line.bytes);
    const marked = line.offset === 0 && decoded.startsWith('\ufeff') ? decoded.slice(1) : decoded;
    const text = raw ? marked : lineText(marked);
    const found = this.#finder?.first(text, 0, this.#onProgress);
    const place = found ? { at: found.index, length: found.length, column: found.index } : {};
    return { ...nowhere, bytes, decoded, text, ...place };
  }

  /** Returns how many bytes the first `chars` characters of a line take. */
  #bytesBefore(bytes: Uint8Array, decoded: string, chars: number): number {
    if (this.#decoder.unit !== 'byte') return chars * 2;
    // U+FFFD stands for broken bytes of another length.
    const before = decoded.slice(0, chars);
    if (this.#decoder.encoding === 'utf-8' && !before.includes('\ufffd')) return Buffer.byteLength(before);
    const fits = (size: number) => this.#decoder.decode(bytes.subarray(0, size)).length <= chars;
    return countFitting(bytes.length + 1, fits) - 1;
  }
}

/** Extends the match to whole characters (outside Unicode mode, `.` matches half of a surrogate pair). */
function wholeMatch(text: string, start: number, end: number): string {
  if (start === end) return '';
  const from = isPair(text, start - 1) ? start - 1 : start;
  return text.slice(from, isPair(text, end - 1) ? end + 1 : end);
}

function isPair(text: string, at: number): boolean {
  const [high, low] = [text.charCodeAt(at), text.charCodeAt(at + 1)];
  return high >= 0xd800 && high <= 0xdbff && low >= 0xdc00 && low <= 0xdfff;
}

/** Moves an offset out of the middle of a surrogate pair. */
function wholeCharacter(text: string, at: number): number {
  const code = text.charCodeAt(at);
  return code >= 0xdc00 && code <= 0xdfff ? at + 1 : at;
}
