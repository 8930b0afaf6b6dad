/** Chooses the most frequent messages among the shapes of a text. */
import { MAX_SHAPES } from '../../../shared/limits.ts';
import type { SummaryView } from '../../../shared/views.ts';
import { SHAPE_BYTES, shapeOf } from '../shapes/shape.ts';
import type { ShapeTable } from '../shapes/shape-table.ts';
import { fieldOfLine, isElement } from './json/json-fields.ts';
import { groupByMessage, MOST_PARSED, type RecordCache } from './json/json-messages.ts';

/** Shapes to choose from: the most frequent. */
const MOST_LOOKED_AT = 2 * MAX_SHAPES;
/** Lines of punctuation alone, such as brackets and rules, have no message. */
const SAYS_SOMETHING = /[\p{L}\p{N}\p{Extended_Pictographic}]/u;

const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/** `records` keeps what was found of each shape, for the next call. */
export function mostFrequent(
  shapes: ShapeTable,
  records: RecordCache,
  wanted: number,
): Pick<SummaryView, 'shapes' | 'shapes_exact'> {
  const top = shapes.top(MOST_LOOKED_AT);
  const groups = groupByMessage(top, records).map((group) => ({
    ...group,
    example: decoder.decode(group.example),
    bytes: group.example,
  }));
  const isGrouped = groups.some(({ message }) => message !== null);
  // A long line's example is only its beginning.
  const telling = messagesAmong(
    groups.filter(({ example, bytes }) => bytes.length > SHAPE_BYTES || SAYS_SOMETHING.test(example)),
  );
  return {
    shapes: telling.slice(0, wanted).map(({ message, count, firstLine, example, bytes }) => ({
      shape: message ?? shapeOf(bytes, 0, bytes.length).text,
      count,
      first_line: firstLine,
      example,
    })),
    // Lines of the other shapes may have the same messages.
    shapes_exact: shapes.exact && !(isGrouped && shapes.size > MOST_PARSED),
  };
}

/** Drops the other fields and the elements of indented JSON objects that have messages. */
function messagesAmong<T extends { example: string }>(groups: readonly T[]): readonly T[] {
  if (!groups.some(({ example }) => fieldOfLine(example)?.isMessage)) return groups;
  return groups.filter(({ example }) => {
    const field = fieldOfLine(example);
    return field === null ? !isElement(example) : field.isMessage;
  });
}
