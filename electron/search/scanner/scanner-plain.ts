/** Does what the scanner's five modules in WebAssembly do, in simple TypeScript. Tests compare them. */
import { AT } from '../memory.ts';
import type { ByteLiteral } from './literal.ts';
import { type Neighbours, type ScannedLines, type Scanner, sourceOf } from './scanner.ts';

const [TAB, LF, CR, ESC, BACKSPACE, DELETE, C2] = [9, 10, 13, 27, 8, 127, 0xc2];

export function plainScanner(memory: WebAssembly.Memory): Scanner {
  const source = sourceOf(memory);
  return {
    count: (start, end) => count(source.subarray(start, end)),
    histogram(start, end) {
      const counts = new Uint32Array(256);
      for (const byte of source.subarray(start, end)) counts[byte]! += 1;
      return counts;
    },
    together(start, end, { bytes, fold }, first, second) {
      let count = 0;
      const is = (place: number, i: number) => (source[place]! | fold[i]!) === bytes[i];
      for (let at = start; at < end - ((end - start) % 16); at += 1)
        if (is(at, first) && is(at + second - first, second)) count += 1;
      return count;
    },
    find: (start, end, literal) => find(source, start, end, [literal]),
    findAny: (start, end, literals) => find(source, start, end, literals),
    seams: (start, end, neighbours, _onlyColours) => seams(source, start, end, neighbours),
    number(start, ends) {
      const bytes = new Uint8Array(memory.buffer);
      const lines = new Uint32Array(memory.buffer, AT.lines, ends.length);
      for (const [i, end] of ends.entries()) lines[i] = count(bytes.subarray(start, end & 0x0fff_ffff));
      return lines;
    },
    gather(start, end, places) {
      const bytes = new Uint8Array(memory.buffer);
      let to = AT.rendered;
      for (const place of places) {
        const from = Math.max(start, source.subarray(0, place).lastIndexOf(LF!) + 1);
        const line = source.subarray(from, Math.min(end, source.indexOf(LF!, place) + 1));
        bytes.set(line, to);
        to += line.length;
      }
      return to;
    },
  };
}

function count(bytes: Uint8Array): number {
  let newlines = 0;
  for (const byte of bytes) if (byte === LF) newlines += 1;
  return newlines;
}

function find(bytes: Uint8Array, start: number, end: number, literals: readonly ByteLiteral[]): ScannedLines {
  const lines: number[] = [];
  const places: number[] = [];
  let newlines = 0;
  for (let place = start; place < end; place += 1) {
    const matches = literals.some(
      (literal) =>
        place + literal.bytes.length <= end &&
        literal.bytes.every((byte, i) => (bytes[place + i]! | literal.fold[i]!) === byte),
    );
    if (matches && lines.at(-1) !== newlines) {
      lines.push(newlines);
      places.push(place);
    }
    if (bytes[place] === LF) newlines += 1;
  }
  return { count: lines.length, lines: Uint32Array.from(lines), places: Uint32Array.from(places) };
}

function seams(bytes: Uint8Array, start: number, end: number, { before, behind }: Neighbours): ScannedLines {
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

function latin1(bytes: Uint8Array, at: number, end: number): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset + at, Math.min(end - at, 4096)).toString('latin1');
}
