/** Facts about UTF-8 that is not ASCII alone. */
import { isUtf8 } from 'node:buffer';

/** UTF-16 code units of valid UTF-8. A character cut at the end counts as whole, one cut at the beginning not at all. */
export function utf16Length(bytes: Uint8Array, start: number, end: number): number {
  let units = 0;
  for (let i = start; i < end; i++) {
    const byte = bytes[i]!;
    if ((byte & 0xc0) !== 0x80) units += byte >= 0xf0 ? 2 : 1;
  }
  return units;
}

/** As `utf16Length`; -1 when there is a C1 control (U+0080-9F). */
export function lengthWithoutC1(bytes: Uint8Array, start: number, end: number): number {
  let units = 0;
  for (let i = start; i < end; i++) {
    const byte = bytes[i]!;
    if ((byte & 0xc0) === 0x80) continue;
    if (byte === 0xc2 && i + 1 < end && bytes[i + 1]! < 0xa0) return -1;
    units += byte >= 0xf0 ? 2 : 1;
  }
  return units;
}

/** Whether the bytes are valid UTF-8. */
export function isValid(bytes: Uint8Array, start: number, end: number): boolean {
  return isUtf8(bytes.subarray(start, end));
}

/** Whether there is a control other than tab, and up to what is asked no line ending. */
export function hasC0(bytes: Uint8Array, start: number, end: number): boolean {
  for (let i = start; i < end; i++) {
    const byte = bytes[i]!;
    if (byte < 0x20 ? byte !== 0x09 : byte === 0x7f) return true;
  }
  return false;
}
