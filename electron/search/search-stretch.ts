/** Searching a stretch of a stream: the task that workers run. */
import { SpillwayError } from '../../shared/errors.ts';
import type { SearchQuery } from '../../shared/search-query.ts';
import type { ByteSource } from '../reader/bytes/source.ts';
import type { BlockIndex } from '../reader/lines/block-index.ts';
import { endsInLine, firstLineIn, lineAt } from '../reader/lines/line-positions.ts';
import type { Decoder } from '../reader/text/encoding.ts';
import { forEachBlock } from './blocks.ts';
import { LineSet, type LineSetParts } from './line-set.ts';
import { compileMatcher, type Matcher } from './matcher.ts';
import { createScanner, type Scanner } from './scanner.ts';

export interface StretchRequest {
  query: SearchQuery;
  raw: boolean;
  /** Null is the stream's beginning. */
  start: LineCut | null;
  /** Null is the stream's end. */
  end: LineCut | null;
}

export interface StretchResult {
  /** Matching lines, by number in the stream. */
  lines: LineSetParts;
  /** A line was too long to be searched whole. */
  in_parts: boolean;
}

let scanner: Scanner | undefined;
/** Compiling is not free, and the stretches of one search come one after the other. */
let last: { key: string; matcher: Matcher } | undefined;

/** A place where a line begins: after the first line end at or behind a block's start, or a byte offset. */
export type LineCut = { readonly block: number } | { readonly offset: number };

/** A line that takes longer gets nowhere, however many parts of it were looked at: nobody waits for one line of gigabytes. */
const LONG_LINE_MS = 1500;

/** The index must reach `start`. Throws `usage` for a pattern that is no expression. */
export function searchStretch(
  source: ByteSource,
  index: BlockIndex,
  decoder: Decoder,
  request: StretchRequest,
  /** Called with each block that was looked at, and whether the search gets on. */
  onBlock: (getsOn: boolean) => void = () => {},
): StretchResult {
  scanner ??= createScanner();
  const { query, raw } = request;
  const start = resolve(source, decoder, request.start) ?? 0;
  const end = resolve(source, decoder, request.end) ?? source.size;
  const key = JSON.stringify(query);
  if (last?.key !== key) last = { key, matcher: compileMatcher(query) };
  const { matcher } = last;
  const set = new LineSet();
  const pending: number[] = [];
  let line = start >= source.size ? 1 : lineAt(source, index, decoder.unit, start);
  const firstLine = line;
  let recent = 0;
  const using = scanner;
  let begun = 0;
  const inParts = forEachBlock(using, source, decoder, { start, end }, raw, (block) => {
    if (block.part?.first) begun = performance.now();
    // What is left of a line that matches need not be looked at.
    if (block.part === null || recent !== line) {
      matcher.match(using, block, (ordinal) => {
        const number = line + ordinal;
        if (number === recent) return;
        recent = number;
        pending.push(number);
      });
    }
    line += block.newlines;
    onBlock(block.part === null || performance.now() - begun < LONG_LINE_MS);
    if (pending.length > 65_536) set.append(pending.splice(0));
  });
  set.append(pending);
  if (!query.invert) return { lines: set.parts(), in_parts: inParts };
  const unended = end >= source.size && end > start && endsInLine(source, decoder.unit);
  return { lines: set.complement(firstLine, unended ? line : line - 1).parts(), in_parts: inParts };
}

function resolve(source: ByteSource, decoder: Decoder, cut: LineCut | null): number | null {
  if (cut === null || 'offset' in cut) return cut?.offset ?? null;
  const start = firstLineIn(source, decoder.unit, cut.block);
  if (start < 0) throw new SpillwayError('changed', 'the file changed while it was searched', 'search again');
  return start;
}
