/**
 * Assigns keys to drawn rows, so that a row that comes into view reuses the elements of one that left it: while
 * following, changing a row's text costs half as much as making a new row.
 */
import { useRef } from 'react';

/** Returns a function from row to key. `drawn`: consecutive rows. */
export function useRowKeys(drawn: readonly { row: number }[]): (row: number) => number {
  const known = useRef<RowKeys | null>(null);
  known.current ??= new RowKeys();
  const first = drawn[0]?.row ?? 0;
  const keys = known.current.take(first, drawn.length);
  return (row) => keys[row - first] ?? -row;
}

export class RowKeys {
  #first = 0;
  #keys: readonly number[] = [];
  #unused = 0;

  /**
   * Returns the keys of `count` consecutive rows. A row drawn before keeps its key; the others reuse free keys in
   * order, so that the browser moves as few elements as possible.
   */
  take(first: number, count: number): readonly number[] {
    const end = first + count;
    const isKept = (row: number) => row >= first && row < end;
    const free = this.#keys.filter((_, index) => !isKept(this.#first + index));
    const keys: number[] = [];
    for (let row = first; row < end; row += 1)
      keys.push(this.#keys[row - this.#first] ?? free.shift() ?? this.#fresh());
    this.#first = first;
    this.#keys = keys;
    return keys;
  }

  #fresh(): number {
    this.#unused += 1;
    return this.#unused;
  }
}
