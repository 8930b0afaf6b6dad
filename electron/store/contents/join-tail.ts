/**
 * Puts the kept end of a stream that outgrew its cap behind its kept beginning, and says what is missing between.
 *
 *   head of `cap - tail` bytes │ dropped │ last `tail` bytes        both cut at line ends where line ends were dropped
 *
 * UTF-16 is cut between its units, too: behind half a unit all that follows would be other characters.
 *
 * Can be repeated after a crash at any moment: the record learns of the gap before the file changes.
 */
import { closeSync, fstatSync, ftruncateSync, openSync, readSync, statSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { countPlain, lastNewline, type NewlineUnit, nextNewline } from '../../reader/lines/newlines.ts';
import { detectEncoding, newlineUnit } from '../../reader/text/encoding.ts';
import type { Gap } from '../format/record.ts';
import { removeTailSegments, type TailSegment, tailSegments } from './tail-segments.ts';

export interface JoinOptions {
  folder: string;
  streamFile: string;
  /** As the record has it: not null when an earlier join was broken off. */
  gap: Gap | null;
  /** Most bytes of the end that are kept; all that the segments hold when it is not given. */
  tailBytes?: number;
  /** Line ends in the stream's file, when they are known; else they are counted. */
  headLines?: number;
  /** Called before the file changes: writes the record. What it throws ends the join. */
  onGap: (gap: Gap) => void;
}

/** The gap, null when nothing is missing. Throws what the system throws, and can then be called again. */
export function joinTail(options: JoinOptions): Gap | null {
  const { folder, streamFile } = options;
  const segments = tailSegments(folder, streamFile);
  if (segments.length === 0) return options.gap;
  const fd = openSync(join(folder, streamFile), 'r+');
  try {
    const plan = options.gap === null ? planJoin(fd, segments, options) : planAgain(options.gap);
    if (plan.gap !== null && options.gap === null) options.onGap(plan.gap);
    // Cut last: whoever else mends the same at this moment has written the same bytes to the same places.
    ftruncateSync(fd, copySegments(folder, segments, plan.tailStart, fd, plan.headEnd));
    removeTailSegments(folder, segments);
    return plan.gap;
  } finally {
    closeSync(fd);
  }
}

interface Plan {
  /** Bytes of the stream's file that stay. */
  headEnd: number;
  /** Bytes of the stream before what follows them. */
  tailStart: number;
  gap: Gap | null;
}

const BLOCK = 256 * 1024;
/** They tell UTF-16 from the rest. */
const MARK_BYTES = 4;

function planAgain(gap: Gap): Plan {
  return { headEnd: gap.offset, tailStart: gap.offset + gap.bytes, gap };
}

function planJoin(fd: number, segments: readonly TailSegment[], options: JoinOptions): Plan {
  const first = segments[0]!;
  const last = segments.at(-1)!;
  const end = last.start + statSync(join(options.folder, last.name)).size;
  const unit = newlineUnit(detectEncoding(readBlock(fd, 0, MARK_BYTES)));
  // Of whole units, as every segment is (recorder/streams/stream-file.ts).
  const headEnd = fstatSync(fd).size;
  const kept = Math.max(first.start, end - (options.tailBytes ?? Number.POSITIVE_INFINITY));
  // A join that was broken off has made the file longer than the head was.
  if (kept <= headEnd) return { headEnd: first.start, tailStart: first.start, gap: null };
  const tailStart = kept + (kept % widthOf(unit));
  const known = unit === 'byte' ? options.headLines : undefined;
  const headLines = known ?? countLines(fd, 0, headEnd, unit);
  const linesBefore = linesBeforeTail(options.folder, segments, tailStart);
  const gap = {
    offset: headEnd,
    line: headLines,
    bytes: tailStart - headEnd,
    lines: linesBefore - headLines,
  };
  if (gap.lines === 0) return { headEnd, tailStart, gap };
  return cutAtLines(fd, gap, unit, (from) => firstLineEnd(options.folder, segments, from, unit));
}

/** Where a line begun in the head does not end in the tail, each is cut at a line end; unless it has none. */
function cutAtLines(
  fd: number,
  gap: Gap,
  unit: NewlineUnit,
  lineEndFrom: (at: number) => number | null,
): Plan {
  const headCut = lastLineEnd(fd, gap.offset, unit);
  if (headCut === null) return planAgain(gap);
  const tailStart = gap.offset + gap.bytes;
  // A tail that happens to begin with a line is whole: the line end before it is looked at, too.
  const tailCut = lineEndFrom(tailStart - widthOf(unit));
  const start = tailCut ?? tailStart;
  return planAgain({
    offset: headCut,
    line: gap.line,
    bytes: start - headCut,
    lines: gap.lines + (start === tailStart ? 0 : 1),
  });
}

function widthOf(unit: NewlineUnit): number {
  return unit === 'byte' ? 1 : 2;
}

function linesBeforeTail(folder: string, segments: readonly TailSegment[], tailStart: number): number {
  const holder = segments.findLast((segment) => segment.start <= tailStart)!;
  return withFile(folder, holder, (fd) => holder.line + countLines(fd, 0, tailStart - holder.start, 'byte'));
}

/** Bytes of the stream up to and with the first line end at or after `from`; null when there is none. */
function firstLineEnd(
  folder: string,
  segments: readonly TailSegment[],
  from: number,
  unit: NewlineUnit,
): number | null {
  for (const segment of segments) {
    const found = withFile(folder, segment, (fd) => {
      const size = fstatSync(fd).size;
      for (let at = Math.max(0, from - segment.start); at < size; at += BLOCK) {
        const block = readBlock(fd, at, Math.min(BLOCK, size - at));
        const end = nextNewline(block, 0, block.length, unit);
        if (end >= 0) return segment.start + at + end;
      }
      return null;
    });
    if (found !== null) return found;
  }
  return null;
}

/** Bytes up to and with the last line end before `end`; null when there is none. */
function lastLineEnd(fd: number, end: number, unit: NewlineUnit): number | null {
  for (let to = end; to > 0; to -= BLOCK) {
    const from = Math.max(0, to - BLOCK);
    const at = lastNewline(readBlock(fd, from, to - from), 0, to - from, unit);
    if (at >= 0) return from + at;
  }
  return null;
}

function countLines(fd: number, from: number, to: number, unit: NewlineUnit): number {
  let lines = 0;
  for (let at = from; at < to; at += BLOCK) {
    const block = readBlock(fd, at, Math.min(BLOCK, to - at));
    lines += countPlain(block, 0, block.length, unit);
  }
  return lines;
}

/** Where the copied bytes end in the file `to`. */
function copySegments(
  folder: string,
  segments: readonly TailSegment[],
  from: number,
  to: number,
  at: number,
): number {
  let position = at;
  for (const segment of segments) {
    // The one before may have gone already, for another process that mends had copied it.
    position = at + Math.max(0, segment.start - from);
    withFile(folder, segment, (fd) => {
      const size = fstatSync(fd).size;
      for (let offset = Math.max(0, from - segment.start); offset < size; offset += BLOCK) {
        const block = readBlock(fd, offset, Math.min(BLOCK, size - offset));
        for (let done = 0; done < block.length; )
          done += writeSync(to, block, done, block.length - done, position + done);
        position += block.length;
      }
    });
  }
  return position;
}

function withFile<T>(folder: string, { name }: TailSegment, use: (fd: number) => T): T {
  const fd = openSync(join(folder, name), 'r');
  try {
    return use(fd);
  } finally {
    closeSync(fd);
  }
}

function readBlock(fd: number, at: number, length: number): Buffer {
  const block = Buffer.allocUnsafe(length);
  let done = 0;
  while (done < length) {
    const got = readSync(fd, block, done, length - done, at + done);
    if (got === 0) break;
    done += got;
  }
  return block.subarray(0, done);
}
