/** Fifty million short lines, `row 1` to `row 50000000`. */
import { generated } from './harness.ts';

export const ROWS = 50_000_000;
const PER_BLOCK = 100_000;
/** Bytes of `row 1\n` to `row 50000000\n`. */
const BYTES = 638_888_897;

export function fiftyMillion(): string {
  return generated('fifty-million.txt', BYTES, (block) => {
    const lines = Array.from({ length: PER_BLOCK }, (_, index) => `row ${block * PER_BLOCK + index + 1}\n`);
    return lines.join('');
  });
}
