/** The twin of scan.wat in plain TypeScript: what it must give, said as simply as possible. */
import type { Area, ByteLiteral, Found, Neighbours, Scanner } from './scanner.ts';

const SOURCE_BYTES = 4 * 1024 * 1024;
const [TAB, LF, CR, ESC, BACKSPACE, DELETE, C2] = [9, 10, 13, 27, 8, 127, 0xc2];

export function plainScanner(): Scanner {
  const source = Buffer.alloc(SOURCE_BYTES + 128);
  const stripped = Buffer.alloc(SOURCE_BYTES + 64 * 1024);
  return {
    source,
    stripped,
    classify: (start, end) => classify(source.subarray(start, end)),
    find: (area: Area, start, end, literal) =>
      find(area === 'source' ? source : stripped, start, end, literal),
    strip: (start, end, at) => strip(source, start, end, stripped, at),
    seams: (start, end, neighbours) => seams(source, start, end, neighbours),
    gather: (start, end, places, at) => gather(source, start, end, places, stripped, at),
  };
}

function classify(bytes: Uint8Array): { kinds: number; newlines: number } {
  let kinds = 0;
  let newlines = 0;
  for (const [i, byte] of bytes.entries()) {
    const next = bytes[i + 1] ?? LF;
    if (byte === LF) newlines += 1;
    if (byte >= 128) kinds |= 1;
    if (byte === CR) kinds |= 2;
    const control = (byte < 32 && byte !== TAB && byte !== LF && byte !== CR) || byte === DELETE;
    if (control || (byte === CR && next !== LF) || (byte === C2 && (next & 0xe0) === 0x80)) kinds |= 4;
  }
  return { kinds: (kinds & 4) !== 0 ? kinds & ~2 : kinds, newlines };
}

function find(bytes: Uint8Array, start: number, end: number, literal: ByteLiteral): Found {
  const lines: number[] = [];
  const places: number[] = [];
  let newlines = 0;
  for (let place = start; place < end; place += 1) {
    const { length } = literal.bytes;
    const matches =
      place + length <= end &&
      literal.bytes.every((byte, i) => (bytes[place + i]! | literal.fold[i]!) === byte);
    if (matches && lines.at(-1) !== newlines) {
      lines.push(newlines);
      places.push(place);
    }
    if (bytes[place] === LF) newlines += 1;
  }
  return { count: lines.length, lines: Uint32Array.from(lines), places: Uint32Array.from(places) };
}

function strip(source: Uint8Array, start: number, end: number, out: Uint8Array, to: number) {
  let at = start;
  let written = to;
  while (at < end) {
    const byte = source[at]!;
    const next = at + 1 < end ? source[at + 1]! : LF;
    if (byte === BACKSPACE || (byte === C2 && (next & 0xe0) === 0x80)) break;
    if (byte === CR && next !== LF) break;
    if (byte === ESC) {
      const after = sequenceEnd(source, at, end);
      if (after < 0) break;
      at = after;
    } else {
      if (byte >= 32 ? byte !== DELETE : byte === TAB || byte === LF) out[written++] = byte;
      at += 1;
    }
  }
  return { stopped: at, at: written };
}

/** Behind a sequence that does nothing to the line's text; -1 when it might. */
function sequenceEnd(source: Uint8Array, at: number, end: number): number {
  const known = /^\x1b(?:\[[0-9:;]*m|\[0?K|\][^\x00-\x1f\xc2]*(?:\x07|\x1b\\))/.exec(latin1(source, at, end));
  return known ? at + known[0].length : -1;
}

function seams(bytes: Uint8Array, start: number, end: number, { before, behind }: Neighbours): Found {
  const lines: number[] = [];
  const places: number[] = [];
  let newlines = 0;
  for (let at = start; at < end; at += 1) {
    const byte = bytes[at]!;
    const next = bytes[at + 1]!;
    if (byte === LF) newlines += 1;
    if (lines.at(-1) === newlines || byte === TAB || byte === LF) continue;
    const text = byte >= 32 && byte !== DELETE && (byte !== C2 || (next & 0xe0) !== 0x80);
    if (text || (byte === CR && (at + 1 >= end || next === LF))) continue;
    let after = at + 1;
    if (byte === ESC) {
      const sequence = /^\x1b\[(?:[0-9:;]{0,15}m|0?K)/.exec(latin1(bytes, at, end));
      after = sequence ? at + sequence[0].length : -1;
    }
    const meet = at > start && after < end && (before[bytes[at - 1]!]! & behind[bytes[after]!]!) !== 0;
    if (after > 0 && byte !== BACKSPACE && byte !== CR && byte !== C2 && !meet) continue;
    lines.push(newlines);
    places.push(at);
  }
  return { count: lines.length, lines: Uint32Array.from(lines), places: Uint32Array.from(places) };
}

function gather(
  source: Uint8Array,
  start: number,
  end: number,
  places: Uint32Array,
  out: Uint8Array,
  to: number,
) {
  let at = to;
  for (const [done, place] of places.entries()) {
    let from = place;
    while (from > start && source[from - 1] !== LF) from -= 1;
    let lineEnd = place;
    while (lineEnd < end && source[lineEnd] !== LF) lineEnd += 1;
    const line = strip(source, from, lineEnd, out, at);
    if (line.stopped < lineEnd) return { done, at };
    out[line.at] = LF;
    at = line.at + 1;
  }
  return { done: places.length, at };
}

function latin1(bytes: Uint8Array, at: number, end: number): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset + at, Math.min(end - at, 4096)).toString('latin1');
}
