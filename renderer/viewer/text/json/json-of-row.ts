/** Parses a row that is a JSON object, once. */
import type { Row } from '../../../../shared/api/rows.ts';
import { type JsonLine, jsonLine } from '../../../../shared/text/json/json-line.ts';

const known = new WeakMap<Row, JsonLine | null>();

/**
 * Returns the row as a JSON object; null for other rows, broken JSON and coloured text. A row has at most the first
 * MAX_LINE_CHARS of its line, so this takes microseconds; a longer line's object ends there.
 */
export function jsonOfRow(row: Row): JsonLine | null {
  let line = known.get(row);
  if (line === undefined) {
    line = row.missing || row.runs ? null : jsonLine(row.text, row.clipped);
    known.set(row, line);
  }
  return line;
}
