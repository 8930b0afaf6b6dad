/**
 * Counts and finds line ends. WebAssembly SIMD counts as fast as memory is read (13 GB/s measured, against 4.4 for
 * `Buffer.indexOf` per line and 1.0 for a byte loop). Its test has a twin without it.
 */
import coloursWasm from './colours.wat';
import { CONTROLS, type Controls, SeamTable, UNKNOWN_BYTE } from './controls.ts';
import wasm from './newlines.wat';

// Buffer's own search is a memchr; a plain typed array's is a loop.
const bufferIndexOf = Buffer.prototype.indexOf;
const bufferLastIndexOf = Buffer.prototype.lastIndexOf;

/** How a line ends in memory: the byte 0x0A, or that unit in UTF-16. */
export type NewlineUnit = 'byte' | 'utf16le' | 'utf16be';

export interface NewlineCounter {
  /** Fill it, then count in it. Has COUNTER_BYTES and LOOKAHEAD_BYTES, and is reused. */
  readonly buffer: Uint8Array;
  /** Returns the line ends in `buffer[start, end)`. For UTF-16, `start` is a unit's first byte. */
  count(start: number, end: number, unit: NewlineUnit): number;
  /**
   * Counts line ends and detects controls in UTF-8 text. The LOOKAHEAD_BYTES after it must hold the bytes that follow,
   * or `UNKNOWN_BYTE`: a sequence before that counts as a control if any byte could make it one.
   */
  look(start: number, end: number): ByteFacts;
  /** Tells `look` which byte of the stream is before `buffer`; UNKNOWN_BYTE until then. */
  precede(byte: number): void;
  /** Returns the seams of the colours that `look` met since the last call, each once, rising. */
  takeSeams(): Uint16Array;
}

/** Facts about bytes. */
interface ByteFacts {
  newlines: number;
  controls: Controls;
}

export const COUNTER_BYTES = 1024 * 1024;
/** The longest sequence that counts as a colour, less its first byte, and the byte after it. */
export const LOOKAHEAD_BYTES = 35;
const PAGE_BYTES = 64 * 1024;
/** The table of seams is after the input and the page after it; colours.wat repeats the address. */
const SEAMS_AT = 2 * PAGE_BYTES + COUNTER_BYTES;

interface Exports {
  memory: { buffer: ArrayBuffer };
  count8(start: number, end: number): number;
  count16(start: number, end: number, unit: number): number;
  look8(start: number, end: number): number;
}

/** The exports of colours.wat. */
interface ColourExports {
  coloured(start: number, end: number): number;
}

/** Node and Electron have SIMD on every machine that they run on. */
export function createNewlineCounter(): NewlineCounter {
  const module = new WebAssembly.Module(wasm as Uint8Array<ArrayBuffer>);
  const instance = new WebAssembly.Instance(module, {});
  const exports = instance.exports as unknown as Exports;
  const colours = new WebAssembly.Module(coloursWasm as Uint8Array<ArrayBuffer>);
  const { coloured } = new WebAssembly.Instance(colours, { env: instance.exports })
    .exports as unknown as ColourExports;
  const memory = new Uint8Array(exports.memory.buffer);
  const seams = new SeamTable(memory.subarray(SEAMS_AT, SEAMS_AT + PAGE_BYTES));
  memory[PAGE_BYTES - 1] = UNKNOWN_BYTE;
  return {
    buffer: memory.subarray(PAGE_BYTES, PAGE_BYTES + COUNTER_BYTES + LOOKAHEAD_BYTES),
    count(start, end, unit) {
      if (unit === 'byte') return exports.count8(PAGE_BYTES + start, PAGE_BYTES + end);
      return exports.count16(PAGE_BYTES + start, PAGE_BYTES + end, unit === 'utf16le' ? 0x000a : 0x0a00);
    },
    look(start, end) {
      const packed = exports.look8(PAGE_BYTES + start, PAGE_BYTES + end);
      if ((packed & 1) === 0) return { newlines: packed >>> 1, controls: CONTROLS.none };
      const counted = coloured(PAGE_BYTES + start, PAGE_BYTES + end);
      return { newlines: counted >>> 1, controls: (counted & 1) === 0 ? CONTROLS.colours : CONTROLS.others };
    },
    precede: (byte) => {
      memory[PAGE_BYTES - 1] = byte;
    },
    takeSeams: () => seams.take(),
  };
}

export function countPlain(bytes: Uint8Array, start: number, end: number, unit: NewlineUnit): number {
  const part = bytes.subarray(0, end);
  let total = 0;
  for (let at = nextNewline(part, start, end, unit); at >= 0; at = nextNewline(part, at, end, unit))
    total += 1;
  return total;
}

/** Returns the offset after the first line end in `bytes[start, end)`; -1 when there is none. */
export function nextNewline(bytes: Uint8Array, start: number, end: number, unit: NewlineUnit): number {
  if (unit === 'byte') {
    const at = bufferIndexOf.call(bytes as Buffer, 10, start);
    return at < 0 || at >= end ? -1 : at + 1;
  }
  const low = unit === 'utf16le' ? 0 : 1;
  for (let at = start; at + 1 < end; at += 2) {
    if (bytes[at + low] === 10 && bytes[at + 1 - low] === 0) return at + 2;
  }
  return -1;
}

/** Returns the offset after the last line end in `bytes[start, end)`; -1 when there is none. */
export function lastNewline(bytes: Uint8Array, start: number, end: number, unit: NewlineUnit): number {
  if (unit === 'byte') {
    if (end <= start) return -1;
    const at = bufferLastIndexOf.call(bytes as Buffer, 10, end - 1);
    return at < start ? -1 : at + 1;
  }
  const low = unit === 'utf16le' ? 0 : 1;
  for (let at = end - 2; at >= start; at -= 2) {
    if (bytes[at + low] === 10 && bytes[at + 1 - low] === 0) return at + 2;
  }
  return -1;
}

/** Returns the offset of an ASCII character in bytes that begin with a whole unit; -1 when it is missing. */
export function unitIndexOf(bytes: Uint8Array, code: number, unit: NewlineUnit): number {
  if (unit === 'byte') return bufferIndexOf.call(bytes as Buffer, code);
  const low = unit === 'utf16le' ? 0 : 1;
  for (let at = 0; at + 1 < bytes.length; at += 2) {
    if (bytes[at + low] === code && bytes[at + 1 - low] === 0) return at;
  }
  return -1;
}

/** Bytes of a line end. */
export function unitBytes(unit: NewlineUnit): 1 | 2 {
  return unit === 'byte' ? 1 : 2;
}
