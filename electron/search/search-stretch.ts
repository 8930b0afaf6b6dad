/** Searches a stretch of a stream: the task that workers run. */

import { closeSync, fstatSync, openSync } from 'node:fs';
import { SpillwayError } from '../../shared/errors.ts';
import { LineSet, type LineSetParts, SPAN } from '../../shared/line-set.ts';
import { levelOf } from '../../shared/text/levels.ts';
import { lineText } from '../../shared/text/line-text.ts';
import { type Decoder, decoderFor } from '../reader/bytes/encoding.ts';
import type { OpenStream, StreamHandle } from '../reader/bytes/open-stream.ts';
import { openStream } from '../reader/bytes/streams.ts';
import { BlockIndex, countStretch } from '../reader/lines/block-index.ts';
import { endsInLine, firstLineIn, lineAt, lineStart } from '../reader/lines/line-positions.ts';
import { replayed } from '../reader/views/line-renderer.ts';
import { prepareCharset } from './automaton/alphabet.ts';
import { BlockSearch, type LongLine } from './block-search.ts';
import { type Block, forEachBlock } from './blocks.ts';
import { expressionOf } from './expression.ts';
import { findInLine, MatchFinder, WHOLE_LINE_BYTES } from './match-finder.ts';
import { createWorkspace, fieldTest, type LineQuery, planSearch, type Workspace } from './plan.ts';

export interface StretchRequest {
  query: LineQuery;
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
  const comparesNeighbours = query.begins !== undefined || query.repeats !== undefined;
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
        if (comparesNeighbours) return search.judge(beginning(extent));
        const expression = expressionOf(query);
        if (query.where !== undefined && !fieldTest(query, query.pattern === '' ? null : expression)(shown()))
          return false;
        const finder = new MatchFinder(expression);
        if (isEnd && !raw) return finder.first(shown(), 0, onBlock) !== null;
        return findInLine(stream, decoder, extent, finder, raw, onBlock) !== null;
      },
    };
  };
  if (comparesNeighbours) {
    const offset = lineStart(stream, index, decoder.unit, from.newlines);
    search.judge(from.newlines === 0 ? '' : beginning({ offset, bytes: from.offset - offset }).trimEnd());
  }
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

// Runs a search's code before the first search: V8 reads and compiles it then, and not while somebody waits. A thread's
// first search of 1 GiB takes 50 ms less processor time. Running it more often than once would cost more than it
// gives: V8 optimises for texts like these, and does so again for the real one.

/** One pattern for each way through the search. */
const PATTERNS = ['absent', 'line', 'warm|text', 'w\\w+m\\s\\d'];
/** Classes that take V8 long to tell, the first time; with flags. Few expressions need the last. */
const [WORD, SPACE, LETTERS] = [
  ['\\w', 'i'],
  ['\\s', 'i'],
  ['\\p{L}', 'iu'],
] as const;
const LINE = 'Warming: 1 line of text, wärm 2\n';
const COLOURED = 'Warming: 1 line of \x1b[1mtext\x1b[0m, warm 2\n';
const FEW_LINES = 24;
const FILE_BYTES = 4096;
/** More than a set of lines keeps as a list. */
const MANY_LINES = 20_000;

/** Prepares the thread, step by step. */
export function* prepareSearch(): Generator<void> {
  const fd = ownFile();
  try {
    yield* prepareCharset(...WORD);
    yield* prepareCharset(...SPACE);
    for (const pattern of PATTERNS) {
      if (fd !== null) yield search(beginningOf(fd), pattern);
      yield search(textOf(LINE, FEW_LINES), pattern);
      yield search(textOf(COLOURED, FEW_LINES), pattern);
      yield search(textOf(LINE, MANY_LINES), pattern);
    }
    yield* prepareCharset(...LETTERS);
  } finally {
    if (fd !== null) closeSync(fd);
  }
}

/** Opens the file that this thread runs: reading files has code of its own. Returns null if there is none. */
function ownFile(): number | null {
  try {
    return openSync(process.argv[1]!, 'r');
  } catch {
    return null;
  }
}

function beginningOf(fd: number): StreamHandle {
  return { type: 'file', fd, size: Math.min(FILE_BYTES, fstatSync(fd).size) };
}

function textOf(line: string, count: number): StreamHandle {
  const bytes = Buffer.from(line.repeat(count));
  return { type: 'bytes', bytes, size: bytes.length };
}

function search(handle: StreamHandle, pattern: string): void {
  const counted = openStream(handle);
  const index = new BlockIndex();
  index.append(countStretch(counted, 0, counted.size, 'byte'), counted.size);
  const query = { pattern, case_sensitive: false, fixed: false, invert: false };
  const request = { query, raw: false, start: null, end: null };
  // V8 gives objects that were posted to a thread other hidden classes than those made here.
  const posted = structuredClone({ handle, index: index.handle(), request, encoding: 'utf-8' });
  const decoder = decoderFor(posted.encoding);
  searchStretch(openStream(posted.handle), new BlockIndex(posted.index), decoder, posted.request);
}
