/** Searches a stretch of a stream: the task that workers run. */
import { SpillwayError } from '../../shared/errors.ts';
import { LineSet, type LineSetParts, SPAN } from '../../shared/line-set.ts';
import type { SearchQuery } from '../../shared/search-query.ts';
import { levelOf } from '../../shared/text/levels.ts';
import { lineText } from '../../shared/text/line-text.ts';
import type { Decoder } from '../reader/bytes/encoding.ts';
import type { OpenStream } from '../reader/bytes/open-stream.ts';
import type { BlockIndex } from '../reader/lines/block-index.ts';
import { endsInLine, firstLineIn, lineAt } from '../reader/lines/line-positions.ts';
import { replayed } from '../reader/views/line-renderer.ts';
import { BlockSearch, type LongLine } from './block-search.ts';
import { type Block, forEachBlock } from './blocks.ts';
import { expressionOf } from './expression.ts';
import { findInLine, MatchFinder, WHOLE_LINE_BYTES } from './match-finder.ts';
import { createWorkspace, fieldTest, planSearch, type Workspace } from './plan.ts';

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

/** The start of a line: after the first line end at or after a block's start, or a byte offset. */
export type LineCut = { readonly block: number } | { readonly offset: number };

/** Returns the matching lines in the indexed bytes. Throws `usage` for an invalid pattern. */
export function searchStretch(
  stream: OpenStream,
  index: BlockIndex,
  decoder: Decoder,
  request: StretchRequest,
  /** Called after each block. */
  onBlock: () => void = () => {},
): StretchResult {
  workspace ??= createWorkspace();
  const { query, raw } = request;
  const from = resolve(stream, index, decoder, request.start) ?? { offset: 0, newlines: 0 };
  const to = resolve(stream, index, decoder, request.end) ?? {
    offset: index.indexedBytes,
    newlines: index.newlines,
  };
  const range = { start: from.offset, end: to.offset, newlinesBefore: from.newlines, newlines: to.newlines };
  const key = JSON.stringify([query, raw]);
  if (last?.key !== key)
    last = { key, search: new BlockSearch(workspace, planSearch(workspace, query, raw)) };
  const { search } = last;
  const found = new GatheredLines();
  let line = from.newlines + 1;
  let inParts = false;
  const beginning = ({ offset, bytes }: { offset: number; bytes: number }) => {
    const first = Buffer.alloc(Math.min(bytes, LEVEL_BYTES));
    return lineText(decoder.decode(first.subarray(0, stream.read(first, offset))));
  };
  const long = (block: Block): LongLine => {
    const extent = { offset: block.line.offset, bytes: block.line.end - block.line.offset };
    const { bytes, isEnd } = replayed(stream, decoder, extent);
    const shown = () => lineText(decoder.decode(bytes));
    inParts ||= bytes.length < extent.bytes && (isEnd || extent.bytes > WHOLE_LINE_BYTES);
    return {
      text: shown,
      matches() {
        if (query.levels && !query.levels.some((level) => level === levelOf(beginning(extent)))) return false;
        const expression = expressionOf(query);
        if (
          query.where !== undefined &&
          !fieldTest(query.where, query.pattern === '' ? null : expression)(shown())
        )
          return false;
        const finder = new MatchFinder(expression);
        if (isEnd && !raw) return finder.first(shown(), 0, onBlock) !== null;
        return findInLine(stream, decoder, extent, finder, raw, onBlock) !== null;
      },
    };
  };
  forEachBlock(workspace.source, stream, index, decoder, range, (block) => {
    found.add(search.match(block, long, onBlock), line);
    line += block.newlines;
    onBlock();
  });
  const set = found.end();
  if (!query.invert) return { lines: set.parts(), in_parts: inParts };
  const unended = to.offset >= stream.size && to.offset > from.offset && endsInLine(stream, decoder.unit);
  return { lines: set.complement(from.newlines + 1, unended ? line : line - 1).parts(), in_parts: inParts };
}

/** Returns where a line starts, and the number of line ends before it; null for null. */
function resolve(
  stream: OpenStream,
  index: BlockIndex,
  { unit }: Decoder,
  cut: LineCut | null,
): { offset: number; newlines: number } | null {
  if (cut === null) return null;
  if ('offset' in cut) {
    const { offset } = cut;
    return {
      offset,
      newlines: offset >= stream.size ? index.newlines : lineAt(stream, index, unit, offset) - 1,
    };
  }
  const offset = firstLineIn(stream, unit, cut.block);
  if (offset < 0)
    throw new SpillwayError('changed', 'the file changed while it was searched', 'search again');
  return { offset, newlines: index.before(cut.block) + 1 };
}

/** Members of the open container, less its first number. A thread gathers for one search at a time. */
const low = new Uint16Array(SPAN);

/**
 * Collects rising line numbers, given block by block, into a set. A container is made when all its numbers are known:
 * uniting it from what each block adds took as long as finding the lines.
 */
class GatheredLines {
  readonly #set = new LineSet();
  /** Number of members of the open container, and its key. */
  #count = 0;
  #key = 0;

  /** Adds rising numbers, relative to `base` and above all given before. */
  add(lines: Uint32Array, base: number): void {
    for (let i = 0; i < lines.length; ) {
      const key = Math.floor((base + lines[i]!) / SPAN);
      if (key !== this.#key) {
        this.#close();
        this.#key = key;
      }
      const first = key * SPAN - base;
      const behind = first + SPAN;
      let count = this.#count;
      for (let line = lines[i]!; line < behind; line = lines[i]!) {
        low[count] = line - first;
        count += 1;
        i += 1;
        if (i === lines.length) break;
      }
      this.#count = count;
    }
  }

  /** Returns the set; nothing may be added afterwards. */
  end(): LineSet {
    this.#close();
    return this.#set;
  }

  #close(): void {
    if (this.#count > 0) this.#set.append(low.subarray(0, this.#count), this.#key * SPAN);
    this.#count = 0;
  }
}
