/** Facts about UTF-8 that is not ASCII alone. */

/**
 * Returns the UTF-16 code units of valid UTF-8; -1 if there is a C1 control (U+0080-9F). A character cut at the end
 * counts as whole; one cut at the beginning does not count.
 */
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

/** Whether there is a control other than tab, in text without line ends. */
export function hasC0(bytes: Uint8Array, start: number, end: number): boolean {
  for (let i = start; i < end; i++) {
    const byte = bytes[i]!;
    if (byte < 0x20 ? byte !== 0x09 : byte === 0x7f) return true;
  }
  return false;
}

/** The first byte from `start` on that is not the rest of a character. */
export function firstWhole(bytes: Uint8Array, start: number, end: number): number {
  let i = start;
  while (i < end && i < start + 3 && (bytes[i]! & 0xc0) === 0x80) i++;
  return i;
}

/** The end of the last character that is whole, unless that is more than three bytes before `end`. */
export function lastWhole(bytes: Uint8Array, start: number, end: number): number {
  for (let i = end - 1; i >= start && i >= end - 3; i--) {
    const byte = bytes[i]!;
    if (byte < 0x80) return end;
    if (byte >= 0xc0) {
      const size = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2;
      return i + size > end ? i : end;
    }
  }
  return end;
}
