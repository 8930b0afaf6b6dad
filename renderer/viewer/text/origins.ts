/** Names of the artifacts that a merged text was made from: each of its rows says which one it is from. */
import { createContext, useContext } from 'react';
import type { Row } from '../../../shared/api/rows.ts';

/** In the order of `Row.part`; null for a text of one artifact. */
export const OriginNames = createContext<readonly string[] | null>(null);

/** Columns of the longest name that is shown whole. */
const NAME_COLUMNS = 20;
/** The colon and the blank behind the number. */
const BESIDE_COLUMNS = 2;
/** Narrower views leave out the column; Rows.module.css has the same number. */
export const MIN_WIDTH_PX = 640;

/** Columns of the names and numbers beside a merged text; 0 for others. `digits`: those of its line numbers. */
export function useOriginColumns(digits: number): number {
  const names = useContext(OriginNames);
  if (!names) return 0;
  const longest = Math.max(...names.map((name) => name.length));
  return Math.min(NAME_COLUMNS, longest) + digits + BESIDE_COLUMNS;
}

/** The name and the line number of a merged row in its own artifact. */
export interface RowOrigin {
  name: string;
  line: number;
}

/** Null for a row of a text that is not merged. */
export function originOf(row: Row | undefined, names: readonly string[] | null): RowOrigin | null {
  if (!names || row?.part === undefined || row.number === undefined) return null;
  return { name: names[row.part] ?? '', line: row.number };
}
