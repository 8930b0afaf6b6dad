/** Keeps the keys of the rows that a component draws. */
import { useRef } from 'react';
import { RowKeys } from './row-keys.ts';

/** Returns a function from row to key. `drawn`: consecutive rows. */
export function useRowKeys(drawn: readonly { row: number }[]): (row: number) => number {
  const known = useRef<RowKeys | null>(null);
  known.current ??= new RowKeys();
  const first = drawn[0]?.row ?? 0;
  const keys = known.current.take(first, drawn.length);
  return (row) => keys[row - first] ?? -row;
}
