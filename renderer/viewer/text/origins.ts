/** Names of the artifacts of a merged text; each row has the index of its artifact. */
import { createContext, useContext } from 'react';
import type { Row } from '../../../shared/api/rows.ts';

/** In the order of `Row.part`; null for a text of one artifact. */
export const OriginNames = createContext<readonly string[] | null>(null);

/** Most columns of a name. */
const NAME_COLUMNS = 20;
/** Columns of the colon and the blank after the number. */
const BESIDE_COLUMNS = 2;
/** Narrower views leave out the column; Rows.module.css has the same number. */
export const MIN_WIDTH_PX = 640;

/** Returns the columns of the names and numbers beside a merged text; 0 for others. `digits`: of its line numbers. */
export function useOriginColumns(digits: number): number {
  const names = useContext(OriginNames);
  if (!names) return 0;
  const longest = Math.max(...names.map((name) => name.length));
  return Math.min(NAME_COLUMNS, longest) + digits + BESIDE_COLUMNS;
}

/** The artifact's name and the line number in it, of a merged row. */
interface RowOrigin {
  name: string;
  line: number;
}

/** Returns null for a text that is not merged. */
export function originOf(row: Row | undefined, names: readonly string[] | null): RowOrigin | null {
  if (!names || row?.part === undefined || row.number === undefined) return null;
  return { name: names[row.part] ?? '', line: row.number };
}
