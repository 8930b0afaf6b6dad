/**
 * Runs a search's code before the first search, so that V8 has compiled it for speed. Without this, a thread's first
 * search of 1 GiB takes 150 ms more processor time.
 */
import { closeSync, fstatSync, openSync } from 'node:fs';
import type { ByteSource } from '../reader/bytes/byte-source.ts';
import { openSource } from '../reader/bytes/source.ts';
import { BLOCK_BYTES, BlockIndex } from '../reader/lines/block-index.ts';
import { countSegment } from '../reader/lines/count-segment.ts';
import { decoderFor } from '../reader/text/encoding.ts';
import { searchStretch } from './search-stretch.ts';

/** One pattern for each way through the search. */
const PATTERNS = ['absent', 'line', 'warm|text', 'w\\w+m\\s\\d'];
/** A class that takes V8 long to tell, the first time. */
const LARGE_CLASS = '\\p{L}+ing$';
const LINE = 'Warming: 1 line of text, wärm 2\n';
const COLOURED = 'Warming: 1 line of \x1b[1mtext\x1b[0m, warm 2\n';
const FEW_LINES = 24;
const FILE_BYTES = 4096;
/** More than fit in one block, and than a set of lines keeps as a list. */
const MANY_LINES = 20_000;
/** V8 optimises a function after some hundred calls, and a loop after some ten thousand rounds. */
const [FEW_TIMES, OFTEN] = [3, 300];
/** Searches in a step, which takes a few milliseconds. */
const IN_A_STEP = 100;

/** Prepares the thread, step by step. */
export function* prepareSearch(): Generator<void> {
  const fd = ownFile();
  try {
    for (const pattern of PATTERNS) {
      if (fd !== null) yield* search(beginningOf(fd), pattern, OFTEN);
      yield* search(textOf(LINE, FEW_LINES), pattern, OFTEN);
      yield* search(textOf(COLOURED, FEW_LINES), pattern, OFTEN);
      yield* search(textOf(LINE, MANY_LINES), pattern, FEW_TIMES);
    }
    yield* search(textOf(LINE, FEW_LINES), LARGE_CLASS, 1);
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

function beginningOf(fd: number): ByteSource {
  return openSource({ type: 'file', fd, size: Math.min(FILE_BYTES, fstatSync(fd).size) });
}

function textOf(line: string, count: number): ByteSource {
  const bytes = Buffer.from(line.repeat(count));
  return openSource({ type: 'bytes', bytes, size: bytes.length });
}

function* search(source: ByteSource, pattern: string, times: number): Generator<void> {
  const index = new BlockIndex();
  const { newlines, controls } = countSegment(source, 0, source.size, 'byte');
  for (const [i, count] of newlines.entries())
    index.append(Math.min(BLOCK_BYTES, source.size - i * BLOCK_BYTES), count, controls[i] === 1);
  const decoder = decoderFor('utf-8');
  const query = { pattern, case_sensitive: false, fixed: false, invert: false };
  for (let i = 1; i <= times; i += 1) {
    searchStretch(source, index, decoder, { query, raw: false, start: null, end: null });
    if (times !== OFTEN || i % IN_A_STEP === 0) yield;
  }
}
