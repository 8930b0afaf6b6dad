/**
 * Appends the kept end of a stream that outgrew its cap to its kept beginning, and returns the gap between them.
 *
 *   head of `cap - tail` bytes │ dropped │ last `tail` bytes        both cut at line ends where line ends were dropped
 *
 * UTF-16 is cut between code units: after half a unit every character would be another.
 *
 * Safe to repeat after a crash at any moment: the gap is recorded before the file changes.
 */
import {
  closeSync,
  constants,
  fstatSync,
  ftruncateSync,
  openSync,
  readdirSync,
  readSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { detectUnicode, ENCODING_SNIFF_BYTES, newlineUnit } from '../../reader/bytes/encoding.ts';
import { countPlain, lastNewline, type NewlineUnit, nextNewline } from '../../reader/lines/newlines.ts';
import type { Gap } from '../format/record.ts';

interface JoinOptions {
  folder: string;
  streamFile: string;
  /** The gap in the record; not null when an earlier join was interrupted. */
  gap: Gap | null;
  /** Most bytes of the end to keep; default: all that the segments hold. */
  tailBytes?: number;
  /** Line ends in the stream's file; counted when not given. */
  headLines?: number;
  /** Called before the file changes, to write the record. An exception ends the join. */
  onGap: (gap: Gap) => void;
}

/** Returns the gap, or null if nothing is missing. Throws the system's errors; may be called again after one. */
export function joinTail(options: JoinOptions): Gap | null {
  const { folder, streamFile } = options;
  const segments = tailSegments(folder, streamFile);
  if (segments.length === 0) return options.gap;
  const fd = openSync(join(folder, streamFile), constants.O_RDWR | FOLLOW_NOTHING);
  try {
    const { nlink } = fstatSync(fd);
    if (nlink > 1) throw Object.assign(new Error(`${streamFile} has another name, too`), { code: 'EMLINK' });
    const plan = options.gap === null ? planJoin(fd, segments, options) : planAgain(options.gap);
    if (plan.gap !== null && options.gap === null) options.onGap(plan.gap);
    // Truncate last: another process mending the same capture writes the same bytes to the same offsets.
    ftruncateSync(fd, copySegments(folder, segments, plan.tailStart, fd, plan.headEnd));
    removeTailSegments(folder, segments);
    return plan.gap;
  } finally {
    closeSync(fd);
  }
}

interface Plan {
  /** Bytes of the stream's file to keep. */
  headEnd: number;
  /** Offset in the stream of the first byte after the gap. */
  tailStart: number;
  gap: Gap | null;
}

const BLOCK_BYTES = 256 * 1024;
/** It may be a pipe, which an opener waits for, or a link. */
const FOLLOW_NOTHING = (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

function planAgain(gap: Gap): Plan {
  return { headEnd: gap.offset, tailStart: gap.offset + gap.bytes, gap };
}

function planJoin(fd: number, segments: readonly TailSegment[], options: JoinOptions): Plan {
  const first = segments[0]!;
  const last = segments.at(-1)!;
  const end = last.start + statSync(join(options.folder, last.name)).size;
  const unit = newlineUnit(detectUnicode(readBlock(fd, 0, ENCODING_SNIFF_BYTES)));
  // Segments hold whole code units (recorder/streams/stream-file.ts), so this does too.
  const headEnd = fstatSync(fd).size;
  const kept = Math.max(first.start, end - (options.tailBytes ?? Number.POSITIVE_INFINITY));
  // An interrupted join has already made the file longer than the head.
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

/**
 * Moves both sides of the gap to line ends, so that no line joins the head to a foreign tail. A side without a line end
 * is not moved.
 */
function cutAtLines(
  fd: number,
  gap: Gap,
  unit: NewlineUnit,
  lineEndFrom: (at: number) => number | null,
): Plan {
  const headCut = lastLineEnd(fd, gap.offset, unit);
  if (headCut === null) return planAgain(gap);
  const tailStart = gap.offset + gap.bytes;
  // Look one unit back: a tail that starts with a whole line is not cut.
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

/** Returns the offset after the first line end at or after `from`; null when there is none. */
function firstLineEnd(
  folder: string,
  segments: readonly TailSegment[],
  from: number,
  unit: NewlineUnit,
): number | null {
  for (const segment of segments) {
    const found = withFile(folder, segment, (fd) => {
      const size = fstatSync(fd).size;
      for (let at = Math.max(0, from - segment.start); at < size; at += BLOCK_BYTES) {
        const block = readBlock(fd, at, Math.min(BLOCK_BYTES, size - at));
        const end = nextNewline(block, 0, block.length, unit);
        if (end >= 0) return segment.start + at + end;
      }
      return null;
    });
    if (found !== null) return found;
  }
  return null;
}

/** Returns the offset after the last line end before `end`; null when there is none. */
function lastLineEnd(fd: number, end: number, unit: NewlineUnit): number | null {
  for (let to = end; to > 0; to -= BLOCK_BYTES) {
    const from = Math.max(0, to - BLOCK_BYTES);
    const at = lastNewline(readBlock(fd, from, to - from), 0, to - from, unit);
    if (at >= 0) return from + at;
  }
  return null;
}

function countLines(fd: number, from: number, to: number, unit: NewlineUnit): number {
  let lines = 0;
  for (let at = from; at < to; at += BLOCK_BYTES) {
    const block = readBlock(fd, at, Math.min(BLOCK_BYTES, to - at));
    lines += countPlain(block, 0, block.length, unit);
  }
  return lines;
}

/** Copies the segments' bytes from offset `from` on into the file `to` at `at`. Returns where they end in it. */
function copySegments(
  folder: string,
  segments: readonly TailSegment[],
  from: number,
  to: number,
  at: number,
): number {
  let position = at;
  for (const segment of segments) {
    // Another process that mends may have copied and removed the segment before.
    position = at + Math.max(0, segment.start - from);
    withFile(folder, segment, (fd) => {
      const size = fstatSync(fd).size;
      for (let offset = Math.max(0, from - segment.start); offset < size; offset += BLOCK_BYTES) {
        const block = readBlock(fd, offset, Math.min(BLOCK_BYTES, size - offset));
        for (let done = 0; done < block.length; )
          done += writeSync(to, block, done, block.length - done, position + done);
        position += block.length;
      }
    });
  }
  return position;
}

function withFile<T>(folder: string, { name }: TailSegment, use: (fd: number) => T): T {
  const fd = openSync(join(folder, name), constants.O_RDONLY | FOLLOW_NOTHING);
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

export interface TailSegment {
  name: string;
  /** Offset of its first byte in the stream. */
  start: number;
  /** Line ends in the stream before it. */
  line: number;
}

/**
 * Names and finds tail segments: while a stream larger than its cap is recorded, its latest bytes go into segment
 * files beside it, and the last two are kept. `<stream file>.tail.<byte>.<line>` tells where in the stream a segment
 * begins (bytes, and line ends), so the names alone suffice to join them after a crash.
 */
export function tailSegmentName(streamFile: string, start: number, line: number): string {
  return `${streamFile}.tail.${start}.${line}`;
}

/** Returns one stream's segments in order. Throws what the system throws. */
export function tailSegments(folder: string, streamFile: string): TailSegment[] {
  const prefix = `${streamFile}.tail.`;
  const found: TailSegment[] = [];
  for (const name of readdirSync(folder)) {
    if (!name.startsWith(prefix)) continue;
    const numbers = /^(\d+)\.(\d+)$/.exec(name.slice(prefix.length));
    if (numbers) found.push({ name, start: Number(numbers[1]), line: Number(numbers[2]) });
  }
  return found.sort((a, b) => a.start - b.start);
}

export function removeTailSegments(folder: string, segments: readonly TailSegment[]): void {
  for (const { name } of segments) rmSync(join(folder, name), { force: true });
}
