/** The twin of scan.wat in plain TypeScript: what it must give, said as simply as possible. */
import type { Area, ByteLiteral, Found, Scanner } from './scanner.ts';

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
  return { kinds, newlines };
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
  const text = Buffer.from(source.buffer, source.byteOffset + at, Math.min(end - at, 4096)).toString(
    'latin1',
  );
  const known = /^\x1b(?:\[[0-9:;]*m|\[0?K|\][^\x00-\x1f\xc2]*(?:\x07|\x1b\\))/.exec(text);
  return known ? at + known[0].length : -1;
}
