/**
 * Keys for the rows that are drawn, so that a row that comes into view takes over the elements of one that left it:
 * while a text is followed, changing its words costs half of making it anew.
 */

export class RowKeys {
  #first = 0;
  #keys: readonly number[] = [];
  #unused = 0;

  /**
   * Returns the keys of `count` rows that follow one another. A row that was among the last ones keeps its key; the
   * others take over the keys that became free, in their order, so that the browser needs to move as few as possible.
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
