/** Writes the tables that several.wat reads and describes. */
import { AT } from '../memory.ts';
import type { ByteLiteral } from './literal.ts';

/** Most literals that are found in one pass: each has a bit. */
export const MAX_LITERALS = 8;
/** Bytes of a literal that are looked for first. */
export const WINDOW_BYTES = 3;
const VECTOR_BYTES = 16;
const ENTRIES = (1 + WINDOW_BYTES) * VECTOR_BYTES;

/** Bytes that literals take in the memory. */
export function roomOf(literals: readonly ByteLiteral[]): number {
  return literals.reduce((sum, { bytes }) => sum + roundedUp(bytes.length), 0);
}

/** Returns the bits of a byte that tell the literals apart. */
export function maskOf(literals: readonly ByteLiteral[]): number {
  return literals.some(({ fold }) => fold.some((bit) => bit !== 0)) ? 0xdf : 0xff;
}

/** Returns what the tables know of a byte, 0 to 15. */
export function byteHash(byte: number, mask: number): number {
  const left = byte & mask;
  return (left ^ (left >> 4)) & 15;
}

export function loadSeveral(memory: Uint8Array, literals: readonly ByteLiteral[]): void {
  const tables = memory.subarray(AT.several, AT.several + ENTRIES).fill(0);
  const entries = new DataView(memory.buffer, AT.several + ENTRIES);
  const mask = maskOf(literals);
  tables.fill(mask, 0, VECTOR_BYTES);
  let used = 0;
  for (const [i, { bytes, fold, rare }] of literals.entries()) {
    memory.set(bytes, AT.literal + used);
    memory.set(fold, AT.fold + used);
    for (const [field, value] of [AT.literal + used, AT.fold + used, bytes.length, rare.window].entries())
      entries.setUint32(i * VECTOR_BYTES + field * 4, value, true);
    used += roundedUp(bytes.length);
    for (let place = 0; place < WINDOW_BYTES; place += 1) {
      const table = tables.subarray((1 + place) * VECTOR_BYTES, (2 + place) * VECTOR_BYTES);
      const byte = bytes[rare.window + place];
      // A literal of two bytes has none here: any will do.
      if (byte === undefined) for (let hash = 0; hash < VECTOR_BYTES; hash += 1) table[hash]! |= 1 << i;
      else table[byteHash(byte, mask)]! |= 1 << i;
    }
  }
}

function roundedUp(length: number): number {
  return Math.ceil(length / VECTOR_BYTES) * VECTOR_BYTES;
}
