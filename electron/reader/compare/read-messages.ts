/**
 * Reads the messages of a whole text with the scanner of its summary, which counts the shapes of lines. Of a long text,
 * only some lines of each shape become messages; the rest is counted.
 */
import { Buffer, isAscii, isUtf8 } from 'node:buffer';
import { LF } from '../../../shared/text/codes.ts';
import { decoderFor, streamingDecoder } from '../bytes/encoding.ts';
import { READING_STEP_BYTES, type ReadingSteps } from '../failure/explanation.ts';
import type { FailureText } from '../failure/log-lines.ts';
import type { ShapeWatcher } from '../shapes/shape-table.ts';
import { createLineScanner, type LineScanner } from '../summary/scan/line-scanner.ts';
import { lineBytes, type Tally, utf8Text } from '../summary/tally.ts';
import { type Message, MOST_TEXT_CHARS, messages } from './messages.ts';

/** Limits, which tests lower. */
export interface ReadLimits {
  /** In a longer text, LINES_SEEN lines of each shape become messages, and one in 256 of the others. */
  wholeBytes: number;
  /** Lines that become messages. */
  mostDecoded: number;
}

export const READ_LIMITS: ReadLimits = { wholeBytes: 4 * 1024 * 1024, mostDecoded: 400_000 };
const LINES_SEEN = 64;
/** After so many lines of a shape, ask whether they are enough. */
const ASKED_LINES = 32;
/** A count that no text reaches. */
const ALL = 2 ** 51;
/** Lines of a wanted shape that are looked at; if all have one message, so have the others. */
const SAME_LINES = 256;

/** In any encoding. */
export interface ComparedText extends FailureText {
  /** A label of the WHATWG encoding standard; UTF-8 when absent. */
  readonly encoding?: string;
  /** Number of its first line, for a part of a text; 1 when absent. */
  readonly firstLine?: number;
}

export interface MessageSink {
  /** Gets a line that is not blank. Returns true if it wants all lines of this kind. */
  each(line: number, message: Message): boolean;
  /** Whether further lines like this one add nothing but their number. */
  isEnough?(message: Message): boolean;
  /** Gets a hash of what a long line has behind the text of its message. */
  rest?(line: number, message: Message, rest: number): void;
  /** Gets the number of further lines with a message, which were not looked at. */
  more(message: Message, count: number): void;
}

export interface ReadText {
  lines: number;
  /** Some lines of messages with values were not looked at. */
  isSampled: boolean;
  /** More lines had to be looked at than may be: some messages are not known. */
  isOver: boolean;
}

/** The lines of a shape that were seen. Kept by its entry in the table of shapes. */
interface SeenShape {
  seen: number;
  isWanted: boolean;
  /** Its further lines are only counted. */
  isEnough: boolean;
  last: Message;
  isOne: boolean;
  /** Lines seen of each message, if there is more than one. */
  messages: Map<string, { message: Message; seen: number }> | null;
}

/** Scanners of this thread that nothing uses now. */
const scanners: LineScanner[] = [];

export function* readMessages(
  text: ComparedText,
  sink: MessageSink,
  limits: ReadLimits = READ_LIMITS,
): ReadingSteps<ReadText> {
  const isWhole = text.size <= limits.wholeBytes;
  const shift = (text.firstLine ?? 1) - 1;
  let shapes: SeenShape[] = [];
  let decoded = 0;
  let isOver = false;
  let isSampled = false;
  const watcher: ShapeWatcher = {
    most: isWhole ? ALL : LINES_SEEN,
    see(entry, bytes, start, end, line) {
      let shape = shapes[entry];
      if (shape?.isEnough) return false;
      if (shape?.isWanted && shape.isOne && shape.seen > SAME_LINES) {
        sink.each(line + shift, shape.last);
        return true;
      }
      if (decoded >= limits.mostDecoded && !isWhole) {
        isOver ||= shape === undefined || shape.isWanted;
        return false;
      }
      decoded++;
      const message = messages.of(bytes, start, end);
      if (!message) return false;
      if (!shape) {
        shape = { seen: 0, isWanted: false, isEnough: false, last: message, isOne: true, messages: null };
        shapes[entry] = shape;
      }
      noteMessage(shape, message);
      if (sink.each(line + shift, message)) shape.isWanted = true;
      if (end - start > MOST_TEXT_CHARS) sink.rest?.(line + shift, message, restOf(bytes, start, end));
      if (shape.isOne && !isWhole && shape.seen % ASKED_LINES === 0)
        shape.isEnough = !shape.isWanted && sink.isEnough?.(message) === true;
      return shape.isWanted && !isWhole;
    },
    isFull() {
      const isFull = decoded >= limits.mostDecoded && !isWhole;
      isOver ||= isFull;
      return isFull;
    },
    forget() {
      if (!isWhole) for (const [entry, shape] of shapes.entries()) if (shape) tellRest(shape, entry);
      shapes = [];
    },
  };
  const scanner = scanners.pop() ?? createLineScanner();
  const tally = scanner.start(watcher);
  const tellRest = (shape: SeenShape, entry: number) => {
    const rest = tally.shapes.countOf(entry) - shape.seen;
    // All lines of a wanted shape were seen.
    if (rest <= 0) return;
    isSampled ||= shape.last.values.some(({ kind }) => kind !== 'passing');
    if (!shape.messages) return sink.more(shape.last, rest);
    for (const { message, seen } of shape.messages.values()) {
      const share = Math.round((rest * seen) / shape.seen);
      if (share > 0) sink.more(message, share);
    }
  };
  try {
    if (yield* scanning(text, scanner, tally)) isSampled = true;
    watcher.forget();
  } finally {
    scanner.start();
    scanners.push(scanner);
  }
  return { lines: tally.lines, isSampled, isOver };
}

function noteMessage(shape: SeenShape, message: Message): void {
  shape.seen++;
  if (message.key !== shape.last.key && shape.isOne) {
    shape.isOne = false;
    shape.messages = new Map([[shape.last.key, { message: shape.last, seen: shape.seen - 1 }]]);
  }
  shape.last = message;
  if (!shape.messages) return;
  const known = shape.messages.get(message.key);
  if (known) known.seen++;
  else if (shape.messages.size < MOST_OF_SHAPE) shape.messages.set(message.key, { message, seen: 1 });
}

/** Messages of one shape whose shares are counted: names of files alone may have one shape. */
const MOST_OF_SHAPE = 64;
/** Bytes of a longer line that are looked at. */
const LONG_LINE_BYTES = 64 * 1024;

/** Hashes the letters behind a line's text that are in no number: what differs in digits and hashes is alike. */
function restOf(bytes: Uint8Array, start: number, end: number): number {
  let hash = 0x811c9dc5 | 0;
  for (let i = start + MOST_TEXT_CHARS; i < end; i++) {
    const code = bytes[i]! | 32;
    const isHex = (code >= 48 && code <= 57) || (code >= 97 && code <= 102);
    if (!isHex) hash = Math.imul(hash ^ code, 0x01000193);
  }
  return hash;
}

/** Passes valid UTF-8 to the scanner, in pieces that end with a line. Returns whether a line was too long. */
function* scanning(text: ComparedText, scanner: LineScanner, tally: Tally): ReadingSteps<boolean> {
  const step = Math.min(READING_STEP_BYTES, Math.max(1, text.size));
  const chunk = Buffer.allocUnsafe(step);
  const label = decoderFor(text.encoding ?? 'utf-8').encoding;
  const decode = label === 'utf-8' ? null : streamingDecoder(label);
  let carry: Buffer = Buffer.alloc(0);
  let isInLong = false;
  let hasLong = false;
  const takeLong = (bytes: Buffer) => {
    hasLong = true;
    tally.lines++;
    tally.countFacts(Buffer.from(lineBytes(bytes, 0, Math.min(bytes.length, LONG_LINE_BYTES))));
  };
  for (let at = 0; at < text.size; ) {
    const got = text.read(chunk, at);
    if (got <= 0) break;
    at += got;
    let bytes: Buffer = chunk.subarray(0, got);
    if (decode) bytes = Buffer.from(decode(bytes));
    if (isInLong) {
      const end = bytes.indexOf(LF);
      isInLong = end < 0;
      bytes = bytes.subarray(isInLong ? bytes.length : end + 1);
    }
    const last = bytes.lastIndexOf(LF);
    if (last >= 0) {
      let from = 0;
      if (carry.length > 0) {
        from = bytes.indexOf(LF) + 1;
        scanLines(Buffer.concat([carry, bytes.subarray(0, from)]), scanner, tally);
        carry = Buffer.alloc(0);
      }
      if (last >= from) scanLines(bytes.subarray(from, last + 1), scanner, tally);
    }
    const rest = bytes.subarray(last + 1);
    if (rest.length > 0) carry = Buffer.concat([carry, rest]);
    if (carry.length > READING_STEP_BYTES) {
      takeLong(carry);
      carry = Buffer.alloc(0);
      isInLong = true;
    }
    yield at;
  }
  if (carry.length > LONG_LINE_BYTES) takeLong(carry);
  else if (carry.length > 0) {
    const bytes = validUtf8(carry);
    scanner.scanOddLine(bytes, 0, bytes.length, tally);
  }
  return hasLong;
}

function scanLines(bytes: Buffer, scanner: LineScanner, tally: Tally): void {
  const valid = validUtf8(bytes);
  scanner.scan(valid, 0, valid.length, tally);
}

function validUtf8(bytes: Buffer): Buffer {
  return isAscii(bytes) || isUtf8(bytes) ? bytes : Buffer.from(utf8Text(bytes, 0, bytes.length));
}
