/** Counts the values of one field over a text, stretch by stretch, with a bound on how many differ. */

import { fieldReader, linePattern, textOfField } from '../../../shared/text/fields.ts';
import { lineText } from '../../../shared/text/line-text.ts';
import type { FieldValues } from '../../../shared/views.ts';
import { shapeOf } from '../shapes/shape.ts';

/** Most values that are counted one by one; further ones only count as lines. */
const MOST_VALUES = 20_000;
const VALUE_CHARS = 200;
/** A longer line is not read. */
const LINE_BYTES = 4 << 20;

export interface WantedField {
  name: string;
  /** A person's patterns of lines: their named groups are fields. */
  groups: readonly string[];
}

interface Counted {
  count: number;
  firstLine: number;
}

export interface StretchValues {
  /** Lines that have the field. */
  lines: number;
  /** Lines whose value was one too many. */
  uncounted: number;
  values: [value: string, counted: Counted][];
}

/** Counts in the lines from `from` up to `to`; the first is line 1. */
export function countValues(
  bytes: Buffer,
  from: number,
  to: number,
  { name, groups }: WantedField,
): StretchValues {
  const patterns = groups.map(linePattern);
  const read = fieldReader(name, patterns);
  const text = textOfField(name, patterns);
  const values = new Map<string, Counted>();
  let [lines, uncounted] = [0, 0];
  let named = text === null ? from : bytes.indexOf(text, from);
  let number = 0;
  for (let start = from; start < to; ) {
    const lf = bytes.indexOf(0x0a, start);
    const end = lf < 0 || lf > to ? to : lf;
    number += 1;
    if (text !== null && named >= 0 && named < start) named = bytes.indexOf(text, start);
    const mayHave = text === null || (named >= start && named < end);
    if (text !== null && (named < 0 || named >= to)) break;
    const value =
      mayHave && end - start <= LINE_BYTES ? read(lineText(bytes.toString('utf8', start, end))) : null;
    if (value !== null) {
      lines += 1;
      const kept = value.slice(0, VALUE_CHARS);
      const counted = values.get(kept);
      if (counted) counted.count += 1;
      else if (values.size < MOST_VALUES) values.set(kept, { count: 1, firstLine: number });
      else uncounted += 1;
    }
    start = end + 1;
  }
  return { lines, uncounted, values: [...values] };
}

/** Adds up the counts of stretches, given in their order. */
export class ValueTotal {
  readonly #values = new Map<string, Counted>();
  #lines = 0;
  #uncounted = 0;

  /** @param linesBefore lines of the stretches before */
  add({ lines, uncounted, values }: StretchValues, linesBefore: number): void {
    this.#lines += lines;
    this.#uncounted += uncounted;
    for (const [value, { count, firstLine }] of values) {
      const known = this.#values.get(value);
      if (known) known.count += count;
      else if (this.#values.size < MOST_VALUES)
        this.#values.set(value, { count, firstLine: linesBefore + firstLine });
      else this.#uncounted += count;
    }
  }

  /** The most frequent values, and the shapes of all. */
  result(field: string, most: number): FieldValues {
    const sorted = [...this.#values].sort(([, a], [, b]) => b.count - a.count || a.firstLine - b.firstLine);
    const numbers = sorted.filter(([value]) => value !== '' && Number.isFinite(Number(value)));
    const all = numbers.map(([value]) => Number(value));
    return {
      field,
      lines: this.#lines,
      distinct: this.#values.size,
      exact: this.#uncounted === 0,
      values: sorted
        .slice(0, most)
        .map(([value, { count, firstLine }]) => ({ value, count, first_line: firstLine })),
      shapes: shapesOf(sorted, most),
      range:
        all.length === 0 || all.length < sorted.length
          ? null
          : { least: all.reduce((a, b) => Math.min(a, b)), most: all.reduce((a, b) => Math.max(a, b)) },
    };
  }
}

function shapesOf(sorted: readonly [string, Counted][], most: number): FieldValues['shapes'] {
  const shapes = new Map<string, FieldValues['shapes'][number]>();
  for (const [value, { count, firstLine }] of sorted) {
    const bytes = Buffer.from(value);
    const shape = shapeOf(bytes, 0, bytes.length).text;
    const known = shapes.get(shape);
    if (known) {
      known.count += count;
      known.first_line = Math.min(known.first_line, firstLine);
    } else shapes.set(shape, { shape, count, first_line: firstLine, example: value });
  }
  return [...shapes.values()].sort((a, b) => b.count - a.count || a.first_line - b.first_line).slice(0, most);
}
