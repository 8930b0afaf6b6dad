/** Updates the set of passing lines from the host's events. */
import type { FilterState, LinesPart } from '../../shared/api/filters.ts';
import { type Container, SPAN, toBitmap, WORDS } from '../../shared/lines/line-container.ts';
import type { LineSet } from '../../shared/lines/line-set.ts';

/** Applies an event to the set. */
export function takeParts(lines: LineSet, { from_key, parts }: FilterState): void {
  lines.dropFrom(from_key);
  lines.appendSet({ keys: parts.map(({ key }) => key), containers: parts.map(containerOf) });
}

function containerOf({ form, data }: LinesPart): Container {
  const bytes = bytesOf(atob(data));
  if (form === 'bits') {
    const bits = new Uint32Array(WORDS);
    new Uint8Array(bits.buffer).set(bytes.subarray(0, SPAN / 8));
    return bits;
  }
  const numbers = new Uint16Array(bytes.buffer, 0, bytes.length >> 1);
  return form === 'members' ? numbers : toBitmap(numbers).map((word) => ~word);
}

/**
 * Avoids `Uint8Array.from`, which calls a function for each of 8,192 bytes, twenty times a second while a text grows.
 */
function bytesOf(binary: string): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(binary.length);
  for (let i = 0; i < binary.length; i += 1) bytes[i] = binary.charCodeAt(i);
  return bytes;
}
