/**
 * Keys for the rows that are drawn, so that a row that comes into view takes over the elements of one that left it:
 * while a text is followed, changing its words costs half of making it anew.
 */
import { useRef } from 'react';

/** The number of keys grows by so many: another number gives all rows other elements. */
const STEP = 32;

/**
 * Returns the key of a row.
 * @param drawn rows that follow one another and are drawn at once
 */
export function useRowKeys(drawn: number): (row: number) => number {
  const keys = useRef(STEP);
  if (drawn > keys.current) keys.current = Math.ceil(drawn / STEP) * STEP;
  const count = keys.current;
  return (row) => row % count;
}
