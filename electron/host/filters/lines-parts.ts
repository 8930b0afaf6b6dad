/** Encodes a set of lines for the window (shared/api/filters.ts), in the shortest of three forms. */
import type { LinesPart } from '../../../shared/api/filters.ts';
import { type Container, compact, memberCount, SPAN } from '../../../shared/lines/line-container.ts';
import type { LineSetParts } from '../../../shared/lines/line-set.ts';

/** From this many members on, a list of the missing lines is shorter than a bitmap. */
const DENSE_MIN = SPAN - 4096;

export function linesParts({ keys, containers }: LineSetParts): LinesPart[] {
  return keys.map((key, i) => partOf(key, containers[i]!));
}

function partOf(key: number, container: Container): LinesPart {
  if (container instanceof Uint16Array) return { key, form: 'members', data: base64(container) };
  if (memberCount(container) < DENSE_MIN) return { key, form: 'bits', data: base64(container) };
  const absent = compact(container.map((word) => ~word));
  return { key, form: 'absent', data: base64(absent) };
}

/** Assumes a little-endian machine, as all supported ones are. */
function base64(numbers: Container): string {
  return Buffer.from(numbers.buffer, numbers.byteOffset, numbers.byteLength).toString('base64');
}
