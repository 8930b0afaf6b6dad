/** Describes a text whose lines are JSON objects: the keys of a sample of its lines. */
import { clipText } from '../../../../shared/text/clip.ts';
import { jsonLine } from '../../../../shared/text/json/json-line.ts';
import { lineText } from '../../../../shared/text/line-text.ts';
import type { Decoder } from '../../text/encoding.ts';
import type { SummaryTotal } from '../merge.ts';
import { type JsonFacts, MAX_KEY_CHARS, MAX_KEYS } from './json-facts.ts';
import { keysOf, MOST_PARSED, recordOf } from './json-messages.ts';

/** The beginning of a stream. */
interface Beginning {
  bytes: Uint8Array;
  /** Whether these are all bytes of the stream. */
  isWhole: boolean;
  decoder: Decoder;
}

/**
 * Returns the facts if most lines are JSON objects, else null. The sample is the whole lines of the beginning, and the
 * first line of each frequent message.
 */
export function jsonLinesFacts(total: SummaryTotal, beginning: Beginning): JsonFacts | null {
  const shapes = total.shapes.top(MOST_PARSED);
  const records = shapes.flatMap((shape) => {
    const record = recordOf(shape, total.records);
    return record === null ? [] : [{ ...record, count: shape.count }];
  });
  const lines = records.reduce((sum, { count }) => sum + count, 0);
  if (lines === 0 || lines * 2 <= total.lines - total.blank) return null;
  const found = objectsIn(beginning);
  const keys = new Set([...found, ...records.map((record) => record.keys)].flat());
  const named = [...keys].slice(0, MAX_KEYS).map((key) => clipText(key, MAX_KEY_CHARS).text);
  const isSample = !beginning.isWhole;
  return {
    type: 'object',
    keys: named,
    per_line: true,
    ...(isSample ? { sampled_lines: found.length + records.length } : {}),
  };
}

/** Returns the keys of each whole line that is a JSON object. */
function objectsIn({ bytes, isWhole, decoder }: Beginning): string[][] {
  const lines = decoder
    .decode(bytes)
    .replace(/^\uFEFF/, '')
    .split('\n');
  if (!isWhole) lines.pop();
  return lines.flatMap((raw) => {
    const line = raw.includes('{') ? jsonLine(lineText(raw)) : null;
    return line === null ? [] : [keysOf(line)];
  });
}
