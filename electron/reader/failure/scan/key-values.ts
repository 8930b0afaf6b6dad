/**
 * Counts the values of each key (`pool_size=16`, `version: 2.1`), bounded. Where a key has one value almost
 * everywhere, its other value is odd.
 */
import { HashSlots } from './hash-slots.ts';
import type { LinePlace } from './shape-table.ts';

const KEYS = 1 << 12;
const VALUES = 3;
const VARYING = 0xffff;

export class KeyValues {
  readonly #slots = new HashSlots(KEYS);
  readonly #values = new Int32Array(KEYS * VALUES);
  readonly #counts = new Uint16Array(KEYS * VALUES);
  readonly #lines = new Float64Array(KEYS * VALUES);
  readonly #offsets = new Float64Array(KEYS * VALUES);

  add(key: number, value: number, line: number, offset: number): void {
    let slot = this.#slots.find(key);
    if (slot < 0) slot = this.#slots.add(key);
    if (slot < 0) return;
    const at = slot * VALUES;
    if (this.#counts[at + VALUES - 1] === VARYING) return;
    for (let v = at; v < at + VALUES; v++) {
      if (this.#counts[v] === 0) {
        this.#values[v] = value;
        this.#counts[v] = 1;
        this.#lines[v] = line;
        this.#offsets[v] = offset;
        return;
      }
      if (this.#values[v] === value) {
        if (this.#counts[v]! < VARYING - 1) this.#counts[v]!++;
        return;
      }
    }
    this.#counts[at + VALUES - 1] = VARYING;
  }

  /** Places of values that came once or twice where another came often; `oddness` from 0 to 1. */
  odd(): (LinePlace & { oddness: number })[] {
    const places: (LinePlace & { oddness: number })[] = [];
    for (let slot = 0; slot < this.#slots.count; slot++) {
      const at = slot * VALUES;
      const counts = [this.#counts[at]!, this.#counts[at + 1]!, this.#counts[at + 2]!];
      if (counts[2] === VARYING) continue;
      const total = counts[0]! + counts[1]! + counts[2]!;
      for (let v = 0; v < VALUES; v++) {
        const count = counts[v]!;
        if (count === 0 || count > 2 || total < count * 4) continue;
        places.push({
          line: this.#lines[at + v]!,
          offset: this.#offsets[at + v]!,
          oddness: Math.min(1, Math.log2(total / count) / 8),
        });
      }
    }
    return places;
  }
}
