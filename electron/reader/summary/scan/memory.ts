/** Lays out the memory that lines.wat and line-parts.wat share: lookup tables, the table of shapes, and lines. */
import { mayStartLevel } from '../../../../shared/text/level-starts.ts';
import { LENGTHS, SUFFIX_CAPITAL, SUFFIX_LENGTH } from '../../../../shared/text/level-words.ts';
import { CALENDAR_NAMES, SHAPE_BITS } from '../../shapes/shape.ts';

const WASM_PAGE_BYTES = 64 * 1024;
/** Longest line that is rendered here, in bytes. */
export const SCRATCH_BYTES = 1024 * 1024;
/** Most bytes of lines read at a time. */
export const MAX_SCANNED_BYTES = 4 * 1024 * 1024;

/** Addresses; the modules repeat them. */
export const AT = {
  ...{ kinds: 0, lengths: 0x400, suffixes: 0x1400, capitals: 0x1500, names: 0x1600, factor: 0x1700 },
  ...{ starts: 0x2000, slots: 0x4000, low: 0x2_4000, high: 0x3_4000, counts: 0x4_4000 },
  ...{ scratch: 0x7_0000, source: 0x19_0000 },
  // Behind the source, with room for reading past its end.
  ...{ cells: 0x5b_0000, widths: 0x9d_0000 },
};
const END = AT.widths + 0x1_0000;

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
