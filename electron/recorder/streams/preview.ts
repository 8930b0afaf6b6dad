/**
 * Cuts previews (CONTRACT 1) of whole lines and whole characters: the lines that explain a failed command, else 60 %
 * from the head and 40 % from the tail; a single part when the stream fits. Gaps show only as missing line numbers.
 */
import type { ContentType } from '../../../shared/artifact.ts';
import { charsWithin } from '../../../shared/text/clip.ts';
import { lineText } from '../../../shared/text/line-text.ts';
import { decoderFor, detectEncoding } from '../../reader/bytes/encoding.ts';
import { cutExplanation } from '../../reader/failure/cut.ts';
import type { Explanation } from '../../reader/failure/explanation.ts';
import type { RecordedStreamName, StreamCounts } from './outcome.ts';

export interface PreviewLimits {
  /** Most bytes of text, in UTF-8. */
  bytes: number;
  lines: number;
  /** A redrawn line counts as its last redraw; else as all of them. */
  collapseProgress: boolean;
}

interface Part {
  stream: RecordedStreamName;
  start_line: number;
  end_line: number;
  /** Its lines joined by `\n`, without a final one. */
  content: string;
  /** The reason it was chosen, in a preview that explains a failure. */
  why?: string;
  /** Only the beginning of its last line is in it, or only the end of its first. */
  clipped?: 'beginning' | 'end';
}

export interface Preview {
  parts: Part[];
  returned_lines: number;
  /** Bytes of the parts' text, in UTF-8. */
  returned_bytes: number;
  /** Whether part of the stream is missing: lines were left out, or a line was cut. */
  truncated: boolean;
  /** Distinct lines at error level that had no room, in a preview that explains a failure. */
  errors_left_out?: number;
}

interface PreviewedStream {
  name: RecordedStreamName;
  content_type: ContentType;
  total_lines: number;
  dropped_bytes: number;
  sample: Sample;
  explanation?: Explanation;
}

const HEAD_SHARE = 0.6;
/** The head has the beginning of a line that is too long, the tail its end. */
const [BEGINNING, END] = ['beginning', 'end'] as const;

/**
 * Returns the whole stream if it fits; else the lines that explain a failure if the stream has an explanation, or
 * head and tail. A binary stream has no preview: its content type says so.
 */
export function cutPreview(stream: PreviewedStream, limits: PreviewLimits): Preview {
  const usual = cutHeadAndTail(stream, limits);
  const { explanation } = stream;
  if (!usual.truncated || stream.content_type === 'binary' || !explanation?.cause) return usual;
  const { parts, lines, bytes, errors_left_out } = cutExplanation(explanation, limits);
  if (parts.length === 0) return usual;
  return {
    parts: parts.map(({ line: _, ...part }) => ({ stream: stream.name, ...part })),
    returned_lines: lines,
    returned_bytes: bytes,
    truncated: true,
    ...(errors_left_out > 0 ? { errors_left_out } : {}),
  };
}

function cutHeadAndTail(stream: PreviewedStream, limits: PreviewLimits): Preview {
  const { sample, total_lines: total } = stream;
  if (sample.totalBytes === 0) return { parts: [], returned_lines: 0, returned_bytes: 0, truncated: false };
  if (stream.content_type === 'binary') {
    return { parts: [], returned_lines: 0, returned_bytes: 0, truncated: true };
  }
  const { head, tail, isWhole } = sampledLines(sample, total);
  const fits = total <= limits.lines && sample.totalBytes <= limits.bytes;
  if (isWhole) {
    const text = lazily(head, limits);
    const whole = fits
      ? text.slice(0, head.length)
      : total <= limits.lines
        ? takeWhile(text, limits.bytes, limits.lines)
        : [];
    if (whole.length === head.length) return assemble(stream, [whole], false);
  }
  // A budget of two lines: one from the head, one from the tail.
  const headLines = Math.round(limits.lines * HEAD_SHARE);
  const headBytes = Math.floor(limits.bytes * HEAD_SHARE);
  const first = fromHead(lazily(head, limits), headBytes, headLines);
  const last = fromTail(lazily(tail, limits), limits.bytes - headBytes, limits.lines - headLines);
  const after = first.at(-1)?.number ?? 0;
  // Don't repeat lines that the head has whole; a huge line is in both, from either end.
  const rest = last.filter((line) => line.number > after || (line.number === after && line.isCut));
  // If they meet, the line end between them is one byte more.
  const meet = !rest[0]?.isCut && rest[0]?.number === after + 1 && !first.at(-1)?.isCut;
  if (meet && bytesOf([...first, ...rest]) > limits.bytes)
    (first.length > 1 ? first : rest).splice(first.length > 1 ? -1 : 0, 1);
  return assemble(stream, [first, rest], true);
}

/** Bytes of the lines, joined by line ends. */
function bytesOf(lines: readonly TextLine[]): number {
  return lines.reduce((sum, { text }) => sum + Buffer.byteLength(text) + 1, -1);
}

interface TextLine {
  number: number;
  text: string;
  isCut: boolean;
}

/** Converts lines on demand, as most of a sample is never shown. */
function lazily(lines: readonly SampledLine[], { collapseProgress }: PreviewLimits): TextLines {
  const made: TextLine[] = [];
  const at = (index: number): TextLine => {
    const line = lines[index]!;
    made[index] ??= {
      number: line.number,
      text: collapseProgress ? lineText(line.raw) : withFrames(line.raw),
      isCut: line.isCut,
    };
    return made[index];
  };
  return {
    length: lines.length,
    at,
    slice: (from, to) => Array.from({ length: to - from }, (_, i) => at(from + i)),
  };
}

interface TextLines {
  readonly length: number;
  at(index: number): TextLine;
  slice(from: number, to: number): TextLine[];
}

function takeWhile(lines: TextLines, bytes: number, most: number): TextLine[] {
  let used = 0;
  let count = 0;
  while (count < lines.length && count < most) {
    used += Buffer.byteLength(lines.at(count).text) + (count > 0 ? 1 : 0);
    if (used > bytes) break;
    count += 1;
  }
  return lines.slice(0, count);
}

function fromHead(lines: TextLines, bytes: number, most: number): TextLine[] {
  const taken = takeWhile(lines, bytes, most);
  if (taken.length > 0 || lines.length === 0 || most === 0) return taken;
  const line = lines.at(0);
  const text = line.text.slice(0, charsWithin(line.text, bytes));
  return text === '' ? [] : [{ ...line, text, isCut: true }];
}

function fromTail(lines: TextLines, bytes: number, most: number): TextLine[] {
  let used = 0;
  let count = 0;
  while (count < lines.length && count < most) {
    used += Buffer.byteLength(lines.at(lines.length - 1 - count).text) + (count > 0 ? 1 : 0);
    if (used > bytes) break;
    count += 1;
  }
  if (count > 0 || lines.length === 0 || most === 0) return lines.slice(lines.length - count, lines.length);
  const line = lines.at(lines.length - 1);
  const text = line.text.slice(line.text.length - charsWithinEnd(line.text, bytes));
  return text === '' ? [] : [{ ...line, text, isCut: true }];
}

function charsWithinEnd(text: string, bytes: number): number {
  // Every character takes at least a byte, so look at no more than `bytes` code units from the end.
  let from = Math.max(0, text.length - bytes);
  const code = text.charCodeAt(from);
  if (from > 0 && code >= 0xdc00 && code <= 0xdfff) from += 1;
  let over = Buffer.byteLength(text.slice(from)) - bytes;
  while (over > 0) {
    const character = String.fromCodePoint(text.codePointAt(from)!);
    over -= Buffer.byteLength(character);
    from += character.length;
  }
  return text.length - from;
}

/** Removes colours and titles but keeps redraws: each piece between carriage returns, as a person saw it. */
function withFrames(raw: string): string {
  const end = raw.endsWith('\r') ? raw.length - 1 : raw.length;
  return raw
    .slice(0, end)
    .split('\r')
    .map((frame) => lineText(frame))
    .join('\r');
}

function assemble(stream: PreviewedStream, pieces: readonly TextLine[][], omits: boolean): Preview {
  const shown = pieces.filter((lines) => lines.length > 0);
  const [head] = pieces;
  const isCut = shown.some((lines) => lines.some((line) => line.isCut));
  const [first, second] = shown;
  // Join head and tail if no line between them was left out.
  const meets = !isCut && first && second && second[0]!.number === first.at(-1)!.number + 1;
  const joined = meets ? [[...first, ...second]] : shown;
  const parts = joined.map((lines) => ({
    stream: stream.name,
    start_line: lines[0]!.number,
    end_line: lines.at(-1)!.number,
    content: lines.map((line) => line.text).join('\n'),
    ...(lines.some((line) => line.isCut) ? { clipped: lines === head ? BEGINNING : END } : {}),
  }));
  const numbers = new Set(joined.flat().map((line) => line.number));
  return {
    parts,
    returned_lines: numbers.size,
    returned_bytes: parts.reduce((sum, part) => sum + Buffer.byteLength(part.content), 0),
    truncated: stream.dropped_bytes > 0 || isCut || (omits && numbers.size < stream.total_lines),
  };
}

/** Numbers the lines of a sample: its head from line 1 up, its tail from the last line down. */
interface SampledLine {
  /** From 1. */
  number: number;
  /** Without its line end. */
  raw: string;
  /** Part of the line is missing. */
  isCut: boolean;
}

interface SampledLines {
  head: SampledLine[];
  tail: SampledLine[];
  /** Whether the head has every line of the stream. */
  isWhole: boolean;
}

/** `totalLines` as CONTRACT 1 counts them. */
function sampledLines(sample: Sample, totalLines: number): SampledLines {
  const { head, tail, totalBytes } = sample;
  const decoder = decoderFor(detectEncoding(head));
  const tailStart = totalBytes - tail.length;
  if (tailStart <= head.length) {
    const whole = Buffer.concat([head, tail.subarray(head.length - tailStart)]);
    const lines = numbered(withoutMark(decoder.decode(whole)), 1);
    return { head: lines, tail: lines, isWhole: true };
  }
  const first = numbered(withoutMark(decoder.decode(head, true)), 1);
  const open = head.at(-1) === 10 ? null : first.at(-1)!;
  if (open !== null) {
    if (sample.headLineEnd === null) open.isCut = true;
    else bridge(open, decoder.decode(startingWhole(sample.headLineEnd, decoder.encoding)));
  }
  const rest = decoder.decode(startingWhole(tail, decoder.encoding));
  const last = numbered(rest, 1);
  // The first of them may be incomplete: treat it as cut unless it was redrawn.
  if (last[0] !== undefined) last[0].isCut = !last[0].raw.includes('\r');
  const shift = totalLines - last.length;
  for (const line of last) line.number += shift;
  const lines = last.length > 1 ? last.slice(1) : last;
  return { head: first, tail: lines, isWhole: false };
}

function numbered(text: string, start: number): SampledLine[] {
  const raws = text.split('\n');
  if (raws.at(-1) === '') raws.pop();
  return raws.map((raw, i) => ({ number: start + i, raw, isCut: false }));
}

/** Handles a line that is longer than the head: keeps the last redraw of a redrawn line, else its beginning. */
function bridge(line: SampledLine, end: string): void {
  const redrawn = end.lastIndexOf('\r', end.length - 2);
  if (redrawn < 0) {
    line.isCut = true;
    return;
  }
  line.raw = end.slice(end.indexOf('\r') + 1);
}

/** Drops the rest of a character that began before. */
function startingWhole(bytes: Buffer, encoding: string): Buffer {
  if (encoding !== 'utf-8') return bytes;
  let at = 0;
  while (at < 3 && at < bytes.length && (bytes[at]! & 0xc0) === 0x80) at += 1;
  return bytes.subarray(at);
}

function withoutMark(text: string): string {
  return text.startsWith('\uFEFF') ? text.slice(1) : text;
}

// Keeps a stream's beginning and end in memory: enough to cut previews from when nothing could be stored, and to tell
// its content type. Bounded, whatever the stream's size.

/** Bytes of the head, and of the tail. Redrawn lines take many times more than the text they show. */
export const SAMPLE_BYTES = 256 * 1024;

export interface Sample {
  /** The first bytes. */
  head: Buffer;
  /** If the head ends within a line that has ended: the last bytes of that line; else null. */
  headLineEnd: Buffer | null;
  /** The last bytes. In a stream no larger than both, head and tail overlap or touch. */
  tail: Buffer;
  totalBytes: number;
  /** Line ends. */
  newlines: number;
}

export class StreamSample {
  readonly #limit: number;
  readonly #head: Buffer[] = [];
  #headBytes = 0;
  /** Two halves used in turn: the older is full, the newer is being filled. */
  #older: Buffer | null = null;
  #newer: Buffer | null = null;
  #newerBytes = 0;
  #lineEnd: Buffer = Buffer.alloc(0);
  #lineEnded = false;

  /** `limit`: bytes of the beginning that are kept. */
  constructor(limit = SAMPLE_BYTES) {
    this.#limit = limit;
  }

  /** The chunk's memory may be used again afterwards. */
  push(chunk: Uint8Array): void {
    const room = this.#limit - this.#headBytes;
    if (room > 0) {
      const part = Buffer.from(chunk.subarray(0, room));
      this.#head.push(part);
      this.#headBytes += part.length;
    }
    if (room >= chunk.length) return;
    const rest = room > 0 ? chunk.subarray(room) : chunk;
    if (!this.#lineEnded) this.#followLine(rest);
    this.#keepTail(rest);
  }

  /** Restores the sample of a stream of `total` bytes from its first bytes. */
  resume(head: Buffer, total: number): void {
    this.#head.push(head);
    this.#headBytes = total > head.length ? this.#limit : head.length;
  }

  /** The first bytes, SAMPLE_BYTES or so. */
  head(): Buffer {
    return this.#head.length === 1 ? this.#head[0]! : Buffer.concat(this.#head);
  }

  take(counts: Pick<StreamCounts, 'bytes' | 'newlines'>): Sample {
    const head = this.head();
    const newer = this.#newer?.subarray(0, this.#newerBytes) ?? Buffer.alloc(0);
    const tail = this.#older === null ? newer : Buffer.concat([this.#older, newer]);
    return {
      head,
      headLineEnd: this.#lineEnded ? this.#lineEnd : null,
      tail,
      totalBytes: counts.bytes,
      newlines: counts.newlines,
    };
  }

  /** Keeps the last bytes of the line in which the head ends: the last redraw counts. */
  #followLine(rest: Uint8Array): void {
    const end = Buffer.prototype.indexOf.call(rest, 10);
    const part = end < 0 ? rest : rest.subarray(0, end);
    const kept = Buffer.concat([this.#lineEnd, part.subarray(Math.max(0, part.length - LINE_BYTES))]);
    this.#lineEnd = kept.subarray(Math.max(0, kept.length - LINE_BYTES));
    this.#lineEnded = end >= 0;
  }

  #keepTail(rest: Uint8Array): void {
    let at = Math.max(0, rest.length - 2 * SAMPLE_BYTES);
    while (at < rest.length) {
      if (this.#newer === null || this.#newerBytes === SAMPLE_BYTES) {
        const free = this.#older ?? Buffer.allocUnsafe(SAMPLE_BYTES);
        this.#older = this.#newer;
        this.#newer = free;
        this.#newerBytes = 0;
      }
      const part = rest.subarray(at, at + SAMPLE_BYTES - this.#newerBytes);
      this.#newer.set(part, this.#newerBytes);
      this.#newerBytes += part.length;
      at += part.length;
    }
  }
}

/** Bytes kept of the end of a long line. */
const LINE_BYTES = 64 * 1024;
