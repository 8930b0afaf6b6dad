/**
 * Counts lines in one pass over their bytes (lines.wat). Handles the rare cases here: new shapes, severities, the first
 * timestamp, lines that must be rendered.
 */

import { isAscii } from 'node:buffer';
import { randomBytes } from 'node:crypto';
import { cellWidth } from '../../../../shared/text/cell-line.ts';
import { LF } from '../../../../shared/text/codes.ts';
import { LENGTHS, LEVELS, SUFFIX_CAPITAL, SUFFIX_LENGTH } from '../../../../shared/text/level-words.ts';
import { isErrorLevel, isToldByDigits, mayStartLevel } from '../../../../shared/text/levels.ts';
import { lineText } from '../../../../shared/text/line-text.ts';
import { NO_FACTS, type TimeFacts } from '../../../../shared/text/line-time.ts';
import {
  addressEnd,
  CALENDAR_NAMES,
  curlyQuotedEnd,
  exampleEnd,
  isCalendarName,
  SHAPE_BITS,
} from '../../shapes/shape.ts';
import { MAX_TRACKED, ShapeTable, type ShapeWatcher } from '../../shapes/shape-table.ts';
import {
  hasC0,
  isBlankText,
  isTimely,
  LONG_LINE_BYTES,
  lengthWithoutC1,
  lineBytes,
  Tally,
  utf8Text,
} from '../tally.ts';
import cellsWasm from './cells.wat';
import knownWasm from './known-lines.wat';
import endsWasm from './line-end.wat';
import partsWasm from './line-parts.wat';
import linesWasm from './lines.wat';
import pathsWasm from './paths.wat';
import redrawnWasm from './redrawn.wat';
import wordsWasm from './words.wat';

/** Bytes read at a time, unless a line is longer. */
const STEP_BYTES = 256 * 1024;

export interface LineScanner {
  /** Returns an empty tally, in the memory of the one before. `watcher` is shown lines until the next start. */
  start(watcher?: ShapeWatcher, facts?: TimeFacts): Tally;
  /** Counts the lines of valid UTF-8 from `from` up to `to`, which must be the end of a line with LF. */
  scan(bytes: Uint8Array, from: number, to: number, tally: Tally): void;
  /** Counts the line of any bytes from `start` up to `end`, but not its line end. */
  scanOddLine(bytes: Uint8Array, start: number, end: number, tally: Tally): void;
}

/** Without SIMD, or if WebAssembly is forbidden, it works more slowly. */
export function createLineScanner(): LineScanner {
  try {
    return wasmScanner();
  } catch {
    return plainLineScanner();
  }
}

export function plainLineScanner(): LineScanner {
  const shapes = new ShapeTable();
  return {
    start(watcher, facts = NO_FACTS) {
      shapes.watcher = watcher ?? null;
      return new Tally(shapes, facts);
    },
    scan: countPlainLines,
    scanOddLine(bytes, start, end, tally) {
      if (end - start > LONG_LINE_BYTES) tally.countLongLine(bytes, start, end);
      else tally.countLine(Buffer.from(lineText(utf8Text(bytes, start, end))));
    },
  };
}

interface Lines {
  scan(from: number, to: number): void;
}

interface Counts {
  lines: { value: number };
  chars: { value: number };
  longest: { value: number };
  blank: { value: number };
  lf: { value: number };
  crlf: { value: number };
  wantsTime: { value: number };
  ascii: { value: number };
  most: { value: number };
}
const COUNTS = ['lines', 'chars', 'longest', 'blank', 'lf', 'crlf'] as const;

function wasmScanner(): LineScanner {
  const memory = createScanMemory();
  const { buffer } = memory;
  const bytes = Buffer.from(buffer);
  const shapes = new ShapeTable(MAX_TRACKED, {
    slots: new Int32Array(buffer, AT.slots, MAX_TRACKED * 2),
    low: new Int32Array(buffer, AT.low, MAX_TRACKED),
    high: new Int32Array(buffer, AT.high, MAX_TRACKED),
    counts: new Float64Array(buffer, AT.counts, MAX_TRACKED),
  });
  let tally = new Tally(shapes, NO_FACTS);

  const js = {
    cellWidth,
    isTimely: (word: number, to: number) => isTimely(bytes, word, to),
    isCalendarName: (at: number, start: number, limit: number) => isCalendarName(bytes, at, start, limit),
    curlyQuotedEnd: (at: number, limit: number) => curlyQuotedEnd(bytes, at, limit),
    addressEnd: (from: number, colon: number, limit: number) => addressEnd(bytes, from, colon, limit),
    isBlank: (start: number, end: number) => isBlankText(bytes, start, end),
    newShape(low: number, high: number, start: number, end: number, line: number) {
      if (shapes.watcher?.isFull()) return;
      const entry = shapes.add(low, high, 1, line, bytes, start, exampleEnd(bytes, start, end));
      if (entry >= 0) shapes.show(entry, bytes, start, end, line);
    },
    again: (entry: number, start: number, end: number, line: number) =>
      shapes.show(entry, bytes, start, end, line),
    hasTime(start: number, end: number) {
      tally.keepTimestamp(bytes, start, end);
      return tally.firstTimestamp !== null;
    },
    hasLevel(start: number, end: number, from: number, to: number, line: number) {
      tally.lines = line;
      const level = tally.countLevel(bytes, start, end, from, to);
      if (isErrorLevel(level) || isToldByDigits) return 0;
      return level === null ? 1 : LEVELS.indexOf(level) + 2;
    },
    addLevel(level: number) {
      tally.levels[level - 2]!++;
    },
    odd(start: number, end: number, lf: number) {
      keep();
      countOddLine(bytes, start, end);
      tally.countEnding(bytes, lf);
      load();
    },
  };
  const env = { memory };
  const redrawn = instantiate(redrawnWasm, { env, cells: instantiate(cellsWasm, { env, js }) });
  const parts = instantiate(partsWasm, { env, js, redrawn });
  const known = createKnownLines(memory);
  const ends = instantiate(endsWasm, { env, js, parts, known });
  const words = instantiate(wordsWasm, { env });
  const paths = instantiate(pathsWasm, { env, parts, ends });
  const { scan } = instantiate(linesWasm, { env, js, parts, ends, words, paths }) as unknown as Lines;
  const counts = ends as unknown as Counts;

  /** Copies the counts to the tally, and back. */
  const keep = () => {
    for (const count of COUNTS) tally[count] = counts[count].value;
  };
  const load = () => {
    for (const count of COUNTS) counts[count].value = tally[count];
    counts.wantsTime.value = tally.firstTimestamp === null ? 1 : 0;
  };
  const scanAt = (at: number, length: number) => {
    // Rendering a line scans its text while another scan is under way.
    const ascii = counts.ascii.value;
    load();
    counts.ascii.value = isAscii(bytes.subarray(at, at + length)) ? 1 : 0;
    scan(at, at + length);
    counts.ascii.value = ascii;
    keep();
  };
  const countOddLine = (from: Uint8Array, start: number, end: number) => {
    if (end - start > LONG_LINE_BYTES) return tally.countLongLine(from, start, end);
    const text = Buffer.from(lineText(utf8Text(from, start, end)));
    if (text.length >= SCRATCH_BYTES) return tally.countLine(text);
    bytes.set(text, AT.scratch);
    bytes[AT.scratch + text.length] = LF;
    scanAt(AT.scratch, text.length + 1);
    tally.lf -= 1;
  };
  return {
    start(watcher, facts = NO_FACTS) {
      shapes.watcher = watcher ?? null;
      counts.most.value = watcher?.most ?? 0;
      return new Tally(shapes, facts);
    },
    scan(from, start, end, into) {
      tally = into;
      for (let at = start; at < end; ) {
        const step = from.lastIndexOf(LF, Math.min(end, at + STEP_BYTES) - 1) + 1;
        const behind = step > at ? step : from.indexOf(LF, at) + 1;
        if (behind - at > MAX_SCANNED_BYTES) countPlainLines(from, at, behind, tally);
        else {
          bytes.set(from.subarray(at, behind), AT.source);
          scanAt(AT.source, behind - at);
        }
        at = behind;
      }
    },
    scanOddLine(from, start, end, into) {
      tally = into;
      countOddLine(from, start, end);
    },
  };
}

/** The functions of known-lines.wat. */
export interface KnownLines {
  skip(from: number, to: number, columns: number, size: number): number;
  keep(at: number, shape: bigint, units: number, flags: number): number;
  readonly skipped: { readonly value: number };
  readonly seed: { value: bigint };
}

/** An empty table in the memory, at `AT.known`. Throws where WebAssembly is forbidden, or has no SIMD. */
export function createKnownLines(memory: WebAssembly.Memory): KnownLines {
  const known = instantiate(knownWasm, { env: { memory } }) as unknown as KnownLines;
  known.seed.value = randomBytes(8).readBigInt64LE();
  return known;
}

function instantiate(module: Uint8Array, imports: object) {
  const compiled = new WebAssembly.Module(module as Uint8Array<ArrayBuffer>);
  return new WebAssembly.Instance(compiled, imports as never).exports;
}

/** As `LineScanner.scan`, one line after the other: without SIMD, and for lines too long for the memory. */
function countPlainLines(bytes: Uint8Array, from: number, to: number, tally: Tally): void {
  for (let start = from; start < to; ) {
    const end = bytes.indexOf(0x0a, start);
    if (end - start > LONG_LINE_BYTES && hasControls(bytes, start, end))
      tally.countLongLine(bytes, start, end);
    else tally.countLine(lineBytes(bytes, start, end));
    tally.countEnding(bytes, end);
    start = end + 1;
  }
}

function hasControls(bytes: Uint8Array, start: number, end: number): boolean {
  const textEnd = bytes[end - 1] === 0x0d ? end - 1 : end;
  return hasC0(bytes, start, textEnd) || lengthWithoutC1(bytes, start, textEnd) < 0;
}

// Lays out the memory that lines.wat and line-parts.wat share: lookup tables, the table of shapes, and lines.

const WASM_PAGE_BYTES = 64 * 1024;
/** Longest line that is rendered here, in bytes. */
const SCRATCH_BYTES = 1024 * 1024;
/** Most bytes of lines read at a time. */
const MAX_SCANNED_BYTES = 4 * 1024 * 1024;

/** Addresses; the modules repeat them. */
export const AT = {
  ...{ kinds: 0, lengths: 0x400, suffixes: 0x1400, capitals: 0x1500, names: 0x1600, factor: 0x1700 },
  ...{ starts: 0x2000, slots: 0x4000, low: 0x2_4000, high: 0x3_4000, counts: 0x4_4000 },
  ...{ scratch: 0x7_0000, source: 0x19_0000 },
  // Behind the source, with room for reading past its end.
  ...{ cells: 0x5b_0000, widths: 0x9d_0000, known: 0x9e_0000 },
};
/** Behind the known lines is an entry's room. */
const END = AT.known + 0x4_0000 + WASM_PAGE_BYTES;

/** Slots of the table of calendar names, and the bits that number them. */
const NAME_SLOTS = 64;
const NAME_SHIFT = 26;

/** Makes the memory and fills in the lookup tables. */
export function createScanMemory(): WebAssembly.Memory {
  const memory = new WebAssembly.Memory({ initial: END / WASM_PAGE_BYTES });
  const { buffer } = memory;
  new Uint16Array(buffer, AT.kinds, 256).set(SHAPE_BITS);
  new Uint32Array(buffer, AT.lengths, LENGTHS.length).set(LENGTHS);
  new Uint8Array(buffer, AT.suffixes, 256).set(SUFFIX_LENGTH);
  new Uint8Array(buffer, AT.capitals, 256).set(SUFFIX_CAPITAL);
  const factor = factorWithoutCollisions();
  new Int32Array(buffer, AT.factor, 1)[0] = factor;
  const names = new Int32Array(buffer, AT.names, NAME_SLOTS);
  for (const name of CALENDAR_NAMES) names[slotOf(name, factor)] = name;
  const starts = new Uint8Array(buffer, AT.starts, 8192);
  for (let two = 0; two < 65536; two += 1) {
    if (mayStartLevel(two >> 8, two & 255, 0x2d)) starts[two >> 3]! |= 1 << (two & 7);
  }
  return memory;
}

function factorWithoutCollisions(): number {
  for (let factor = 0x9e37_79b1; ; factor += 2) {
    const slots = new Set([...CALENDAR_NAMES].map((name) => slotOf(name, factor)));
    if (slots.size === CALENDAR_NAMES.size) return factor | 0;
  }
}

function slotOf(name: number, factor: number): number {
  return Math.imul(name, factor) >>> NAME_SHIFT;
}
