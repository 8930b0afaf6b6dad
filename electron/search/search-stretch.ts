/** Searches a stretch of a stream: the task that workers run. */

import { SpillwayError } from '../../shared/errors.ts';
import { LineSet, type LineSetParts } from '../../shared/lines/line-set.ts';
import type { SearchQuery } from '../../shared/search-query.ts';
import { levelOf } from '../../shared/text/levels.ts';
import { lineText } from '../../shared/text/line-text.ts';
import type { ByteSource } from '../reader/bytes/byte-source.ts';
import type { BlockIndex } from '../reader/lines/block-index.ts';
import { endsInLine, firstLineIn, lineAt } from '../reader/lines/line-positions.ts';
import type { Decoder } from '../reader/text/encoding.ts';
import { replayed } from '../reader/views/line-renderer.ts';
import type { BlockSearch, LongLine } from './block-search.ts';
import { forEachBlock } from './blocks.ts';
import { findInLine, WHOLE_LINE_BYTES } from './lines/long-line.ts';
import { compileMatcher } from './query/matcher.ts';
import { compiled, expressionOf } from './query/query.ts';
import { warmUp } from './warm-up.ts';
import { createWorkspace, type Workspace } from './workspace.ts';

export interface StretchRequest {
  query: SearchQuery;
  raw: boolean;
  /** Null at the stream's start. */
  start: LineCut | null;
  /** Null at the stream's end. */
  end: LineCut | null;
}

export interface StretchResult {
  /** Matching lines, by their number in the stream. */
  lines: LineSetParts;
  /** True if a line was too long to be searched whole. */
  in_parts: boolean;
}

/** Where a line that is longer than a block tells its level. */
const LEVEL_BYTES = 64 * 1024;

let workspace: Workspace | undefined;
/** Cache: the stretches of one search come one after another, and compiling takes time. */
let last: { key: string; search: BlockSearch } | undefined;

/** Prepares the thread for its first search, step by step. */
export function* prepareSearch(): Generator<void> {
  workspace ??= createWorkspace();
  yield* warmUp(workspace);
}

/** The start of a line: after the first line end at or after a block's start, or a byte offset. */
export type LineCut = { readonly block: number } | { readonly offset: number };

/** Returns the matching lines. The index must reach `start`. Throws `usage` for an invalid pattern. */
export function searchStretch(
  source: ByteSource,
  index: BlockIndex,
  decoder: Decoder,
  request: StretchRequest,
  /** Called after each block. */
  onBlock: () => void = () => {},
): StretchResult {
  workspace ??= createWorkspace();
  const { query, raw } = request;
  const start = resolve(source, decoder, request.start) ?? 0;
  const end = resolve(source, decoder, request.end) ?? source.size;
  const key = JSON.stringify([query, raw]);
  if (last?.key !== key) last = { key, search: compileMatcher(workspace, query, raw) };
  const { search } = last;
  const set = new LineSet();
  let line = start >= source.size ? 1 : lineAt(source, index, decoder.unit, start);
  const firstLine = line;
  let inParts = false;
  const beginning = ({ offset, bytes }: { offset: number; bytes: number }) => {
    const first = Buffer.alloc(Math.min(bytes, LEVEL_BYTES));
    return lineText(decoder.decode(first.subarray(0, source.read(first, offset))));
  };
  forEachBlock(workspace.source, source, decoder, { start, end }, (block) => {
    const extent = { offset: block.line.offset, bytes: block.line.end - block.line.offset };
    const long = (): LongLine => {
      const { bytes, isEnd } = replayed(source, decoder, extent);
      const shown = () => lineText(decoder.decode(bytes));
      inParts ||= bytes.length < extent.bytes && (isEnd || extent.bytes > WHOLE_LINE_BYTES);
      return {
        text: shown,
        matches() {
          if (query.levels && !query.levels.some((level) => level === levelOf(beginning(extent))))
            return false;
          const { source: pattern, flags } = expressionOf(query);
          const expression = compiled(pattern, flags);
          if (isEnd && !raw) return expression.test(shown());
          return findInLine(source, decoder, extent, expression, raw, onBlock) !== null;
        },
      };
    };
    const { lines, newlines } = search.match(block, long, onBlock);
    set.append(lines, line);
    line += newlines;
    onBlock();
  });
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
