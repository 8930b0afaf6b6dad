/**
 * Computes the statistics of one stretch of a stream, in one pass and with bounded memory. A stream is cut into
 * stretches of some 4 MiB, at line ends if it has any. Workers summarise them in any order; merge.ts merges them in
 * order.
 */

import { Buffer, isAscii, isUtf8 } from 'node:buffer';
import { NO_FACTS, type TimeFacts } from '../../../shared/text/line-time.ts';
import { characterStart, type Decoder, decoderFor, encodingNamed } from '../bytes/encoding.ts';
import type { OpenStream } from '../bytes/open-stream.ts';
import { BLOCK_BYTES } from '../lines/block-index.ts';
import { firstLineIn } from '../lines/line-positions.ts';
import { lastNewline, unitBytes } from '../lines/newlines.ts';
import type { Cut, Stretch } from '../lines/stretches.ts';
import { hasMark } from './json/json-facts.ts';
import { createLineScanner, type LineScanner } from './scan/line-scanner.ts';
import {
  firstWhole,
  type LinePart,
  lastWhole,
  lineBytes,
  MAX_REPLAY_BYTES,
  measureLine,
  type PartialSummary,
  timestampOf,
  utf8Text,
} from './tally.ts';

type StretchOptions = {
  /** A label of the WHATWG encoding standard; UTF-8 when absent. */
  encoding?: string;
  /** Whether the stretch is the beginning of the stream: then skip a byte order mark. */
  atStart?: boolean;
  /** Whether the stretch begins within a line. */
  continued?: boolean;
  /** Whether the stretch's last line, which lacks an LF, continues in the next one. */
  continues?: boolean;
  /** Facts that its times need and no line has. */
  facts?: TimeFacts;
  /** Gets the bytes, as valid UTF-8: the lines from `from` up to `to` begin in the stretch. */
  look?: (bytes: Buffer, from: number, to: number, errorLines: readonly number[]) => void;
};

/** The beginning of a divided line that decides its severity and shape. */
const PART_HEAD_BYTES = 1 << 16;

/** One for all stretches of a thread. */
let shared: LineScanner | undefined;
function sharedScanner(): LineScanner {
  shared ??= createLineScanner();
  return shared;
}

/** Throws only `bad_encoding`. */
export function summariseBytes(
  raw: Uint8Array,
  options: StretchOptions = {},
  scanner: LineScanner = sharedScanner(),
): PartialSummary {
  const bytes = utf8Of(raw, options);
  const facts = options.facts ?? NO_FACTS;
  const tally = scanner.start(undefined, facts);
  if (options.look) tally.errorLines = [];
  let from = 0;
  let head: LinePart | null = null;
  let headEnds = false;
  if (options.continued === true && bytes.length > 0) {
    const lf = bytes.indexOf(0x0a);
    headEnds = lf >= 0;
    head = linePart(bytes, 0, headEnds ? lf : bytes.length);
    from = headEnds ? lf + 1 : bytes.length;
    if (headEnds) tally.countEnding(bytes, lf);
  }
  // The scanner looks for clocks and long numbers alone.
  if (facts.countsFromStart || facts.hasPoints) tally.firstTimestamp = firstTimestamp(bytes, from, facts);
  const to = bytes.lastIndexOf(0x0a) + 1;
  if (to > from) scanner.scan(bytes, from, to, tally);
  const last = Math.max(from, to);
  let tail: LinePart | null = null;
  if (last < bytes.length) {
    if (options.continues === true) {
      tally.lines++;
      tail = linePart(bytes, last, bytes.length);
      const beginning = lineBytes(bytes, last, Math.min(bytes.length, last + PART_HEAD_BYTES));
      if (!tail.isBlank) tally.countFacts(beginning);
    } else scanner.scanOddLine(bytes, last, bytes.length, tally);
  }
  options.look?.(bytes, from, bytes.length, tally.errorLines ?? []);
  return {
    bytes: raw.length,
    lines: tally.lines,
    chars: tally.chars,
    longest: tally.longest,
    blank: tally.blank,
    lf: tally.lf,
    crlf: tally.crlf,
    levels: tally.levels,
    errors: tally.errors,
    firstTimestamp: tally.firstTimestamp,
    lastTimestamp: tally.firstTimestamp === null ? null : lastTimestamp(bytes, from, facts),
    shapes: tally.shapes.counts(),
    head,
    headEnds,
    tail,
  };
}

/** Returns the stretch as valid UTF-8, except for a character cut at its beginning or end. */
function utf8Of(raw: Uint8Array, options: StretchOptions): Buffer {
  const label = (options.encoding ?? 'utf-8').toLowerCase();
  const atStart = options.atStart === true;
  if (label !== 'utf-8' && label !== 'utf8') {
    const text = decoderFor(encodingNamed(label)).decode(raw);
    return Buffer.from(atStart ? text.replace(/^\uFEFF/, '') : text);
  }
  const bytes = asBuffer(atStart && hasMark(raw) ? raw.subarray(3) : raw);
  if (isAscii(bytes)) return bytes;
  const from = options.continued === true ? firstWhole(bytes, 0, bytes.length) : 0;
  const to = options.continues === true ? lastWhole(bytes, from, bytes.length) : bytes.length;
  return isUtf8(bytes.subarray(from, to)) ? bytes : Buffer.from(utf8Text(bytes, 0, bytes.length), 'utf8');
}

function asBuffer({ buffer, byteOffset, length }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, length);
}

function linePart(bytes: Uint8Array, start: number, end: number): LinePart {
  const endsWithCr = end > start && bytes[end - 1] === 0x0d;
  const cr = bytes.indexOf(0x0d, start);
  const redrawn = cr >= 0 && cr < (endsWithCr ? end - 1 : end);
  return {
    ...(redrawn ? { length: 0, isBlank: false } : measureLine(bytes, start, end)),
    bytes: end - start,
    endsWithCr,
    redrawn,
    // Copy the bytes: a worker transfers the memory of its answer, and a Buffer's `slice` shares it with the next
    // stretch.
    end: new Uint8Array(bytes.subarray(Math.max(start, end - MAX_REPLAY_BYTES), end)),
  };
}

/** Searches from the end; the stretch has a timestamp. */
function lastTimestamp(bytes: Uint8Array, from: number, facts: TimeFacts): string | null {
  let end = bytes.length;
  while (end > from) {
    const start = Math.max(from, bytes.lastIndexOf(0x0a, end - 1) + 1);
    const found = timestampIn(bytes, start, end, facts);
    if (found !== null) return found;
    end = start - 1;
  }
  return null;
}

function firstTimestamp(bytes: Uint8Array, from: number, facts: TimeFacts): string | null {
  for (let start = from; start < bytes.length; ) {
    const lf = bytes.indexOf(0x0a, start);
    const end = lf < 0 ? bytes.length : lf;
    const found = timestampIn(bytes, start, end, facts);
    if (found !== null) return found;
    start = end + 1;
  }
  return null;
}

/** Returns the time of the line from `start` up to `end`, as it is written. */
function timestampIn(bytes: Uint8Array, start: number, end: number, facts: TimeFacts): string | null {
  if (end <= start) return null;
  const text = lineBytes(bytes, start, Math.min(end, start + PART_HEAD_BYTES));
  return timestampOf(text, 0, text.length, facts);
}

// Summarises one stretch of a stream: turns its cuts into byte offsets, reads its bytes, and passes them on.

export interface SummariseRequest {
  stretch: Stretch;
  facts: TimeFacts;
  /** Only these bytes of the stream are read; both ends are starts of lines. */
  within?: { from: number; to: number } | undefined;
}

/** Reused, as a stretch is several megabytes. */
let buffer = Buffer.alloc(0);

export function summariseStretch(
  stream: OpenStream,
  decoder: Decoder,
  { stretch, facts, within }: SummariseRequest,
  look?: StretchOptions['look'],
): PartialSummary {
  const cuts = [stretch.start, stretch.end].map((cut, i) => {
    const at = cut ? resolveCut(stream, decoder, cut) : { offset: i === 0 ? 0 : stream.size, inLine: false };
    if (!within || (at.offset > within.from && at.offset < within.to)) return at;
    return { offset: at.offset <= within.from ? within.from : within.to, inLine: false };
  });
  const [start, end] = cuts as [Resolved, Resolved];
  const length = Math.max(0, end.offset - start.offset);
  if (buffer.length < length) buffer = Buffer.allocUnsafeSlow(length);
  const bytes = buffer.subarray(0, length);
  stream.read(bytes, start.offset);
  return summariseBytes(bytes, {
    encoding: decoder.encoding,
    atStart: start.offset === 0,
    continued: start.inLine,
    continues: end.inLine,
    facts,
    ...(look ? { look } : {}),
  });
}

type Resolved = ReturnType<typeof resolveCut>;

/** Returns a cut's offset, and whether it is inside a line. Both stretches at a cut get the same answer. */
function resolveCut(stream: OpenStream, decoder: Decoder, cut: Cut): { offset: number; inLine: boolean } {
  const base = cut.block * BLOCK_BYTES;
  if (cut.at === 'line') {
    const start = firstLineIn(stream, decoder.unit, cut.block);
    return start < 0 ? { offset: base, inLine: true } : { offset: start, inLine: false };
  }
  // Move to the start of a character; don't count as inside a line if one begins exactly here.
  const around = Buffer.alloc(Math.min(16, stream.size - base + 8));
  stream.read(around, base - 8);
  const offset = base - 8 + characterStart(around, 8, decoder.encoding);
  const unit = unitBytes(decoder.unit);
  const before = around.subarray(offset - base + 8 - unit, offset - base + 8);
  return { offset, inLine: lastNewline(before, 0, unit, decoder.unit) < 0 };
}
