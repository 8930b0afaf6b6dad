/** Numbers the lines of a sample: its head from line 1 up, its tail from the last line down. */
import { decoderFor, detectEncoding } from '../../reader/text/encoding.ts';
import type { Sample } from './stream-sample.ts';

export interface SampledLine {
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
export function sampledLines(sample: Sample, totalLines: number): SampledLines {
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
