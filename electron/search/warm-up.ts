/**
 * Runs a search's code before the first search: V8 reads and compiles it then, and not while somebody waits. A thread's
 * first search of 1 GiB takes 50 ms less processor time. Running it more often than once would cost more than it
 * gives: V8 optimises for texts like these, and does so again for the real one.
 */
import { closeSync, fstatSync, openSync } from 'node:fs';
import { decoderFor } from '../reader/bytes/encoding.ts';
import type { StreamHandle } from '../reader/bytes/handles.ts';
import { openStream } from '../reader/bytes/streams.ts';
import { BlockIndex, countStretch } from '../reader/lines/block-index.ts';
import { prepareCharset } from './automaton/alphabet.ts';
import { searchStretch } from './search-stretch.ts';

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
