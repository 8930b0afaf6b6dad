/**
 * Maps rows of the list, from 0, to pixels and back. A row is a heading or an artifact. As rows have only two heights,
 * the layout stores figures for each group and none for each row.
 */

import { type Entry, newestEntryFirst } from '../library-store.ts';
import { type Group, type GroupBy, groupKeyOf } from './list-groups.ts';

export const ITEM_HEIGHT_PX = 48;
export const HEADING_HEIGHT_PX = 28;

interface Placed {
  group: Group;
  /** Its first row, and that row's top in pixels. */
  row: number;
  top: number;
}

/** A row: an artifact, or the heading of its group if `entry` is null. `index` counts from 0 in the group. */
export interface ListRow {
  group: Group;
  entry: Entry | null;
  index: number;
}

export class ListLayout {
  readonly rows: number;
  /** Pixels. */
  readonly height: number;
  readonly groupBy: GroupBy;
  readonly #placed: Placed[] = [];
  readonly #byKey = new Map<string, Placed>();

  constructor(groups: readonly Group[], groupBy: GroupBy) {
    let row = 0;
    let top = 0;
    for (const group of groups) {
      const placed = { group, row, top };
      this.#placed.push(placed);
      this.#byKey.set(group.key, placed);
      const items = shown(group);
      row += (group.headed ? 1 : 0) + items;
      top += headingOf(group) + items * ITEM_HEIGHT_PX;
    }
    this.rows = row;
    this.height = top;
    this.groupBy = groupBy;
  }

  /** Returns undefined outside the list. */
  at(row: number): ListRow | undefined {
    if (row < 0 || row >= this.rows) return undefined;
    const { group, row: first } = this.#last((placed) => placed.row <= row);
    const index = row - first - (group.headed ? 1 : 0);
    return { group, entry: index < 0 ? null : (group.entries[index] ?? null), index };
  }

  topOf(row: number): number {
    if (this.#placed.length === 0) return 0;
    const { group, row: first, top } = this.#last((placed) => placed.row <= row);
    const within = row - first;
    if (!group.headed) return top + within * ITEM_HEIGHT_PX;
    return within === 0 ? top : top + HEADING_HEIGHT_PX + (within - 1) * ITEM_HEIGHT_PX;
  }

  heightOf(row: number): number {
    return this.at(row)?.entry === null ? HEADING_HEIGHT_PX : ITEM_HEIGHT_PX;
  }

  /** Returns the row at a pixel, or the nearest row. */
  rowAt(pixel: number): number {
    if (this.rows === 0) return 0;
    const { group, row, top } = this.#last((placed) => placed.top <= Math.max(0, pixel));
    const heading = headingOf(group);
    const within = pixel - top - heading;
    if (within < 0) return row;
    const items = Math.min(Math.floor(within / ITEM_HEIGHT_PX), shown(group) - 1);
    return row + (group.headed ? 1 : 0) + items;
  }

  /** Returns -1 if it is not listed or folded away. */
  rowOf(entry: Entry): number {
    const placed = this.#byKey.get(groupKeyOf(entry, this.groupBy));
    if (!placed || placed.group.folded) return -1;
    const { entries, headed } = placed.group;
    const index = search(entries.length, (at) => newestEntryFirst(entries[at]!, entry) < 0);
    return entries[index] === entry ? placed.row + (headed ? 1 : 0) + index : -1;
  }

  /** Returns the row of the group's heading; -1 without one. */
  rowOfHeading(key: string): number {
    const placed = this.#byKey.get(key);
    return placed?.group.headed ? placed.row : -1;
  }

  #last(fits: (placed: Placed) => boolean): Placed {
    const index = search(this.#placed.length, (at) => fits(this.#placed[at]!));
    return this.#placed[Math.max(0, index - 1)]!;
  }
}

function shown(group: Group): number {
  return group.folded ? 0 : group.entries.length;
}

function headingOf(group: Group): number {
  return group.headed ? HEADING_HEIGHT_PX : 0;
}

/** Binary search: returns how many indexes from the start fit. */
function search(length: number, fits: (index: number) => boolean): number {
  let low = 0;
  let high = length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (fits(middle)) low = middle + 1;
    else high = middle;
  }
  return low;
}
