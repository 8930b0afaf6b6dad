/** Makes byte windows: parts of a stream by offset that never split a character (CONTRACT 5). */
import { SpillwayError } from '../../../shared/errors.ts';
import { characterStart, type Decoder } from '../bytes/encoding.ts';
import type { OpenStream } from '../bytes/open-stream.ts';
import type { BlockIndex } from '../lines/block-index.ts';
import { lineAt } from '../lines/line-positions.ts';
import { countPlain, unitBytes } from '../lines/newlines.ts';

interface WindowResult {
  offset: number;
  bytes_shown: number;
  start_line: number | null;
  end_line: number | null;
  lines_shown: number;
  content: string;
  next_offset: number | null;
}

/**
 * Returns `limit` bytes from `offset`. Both ends move back to the start of a character; at least one character is
 * returned. Throws `out_of_range` for an offset below 0 or past the end. The lines are null where the index does not
 * cover them.
 */
export function readWindow(
  stream: OpenStream,
  index: BlockIndex,
  decoder: Decoder,
  request: { offset: number; limit: number },
): WindowResult {
  const { size } = stream;
  if (request.offset < 0 || request.offset > size) {
    throw new SpillwayError(
      'out_of_range',
      `offset ${request.offset} is outside the stream, which has ${size} bytes`,
      `give an offset from 0 to ${size}`,
    );
  }
  // Room for a whole character on both sides.
  const margin = 4;
  const base = Math.max(0, request.offset - margin - (request.offset % 2));
  const bytes = Buffer.alloc(Math.min(size, request.offset + request.limit + margin) - base);
  stream.read(bytes, base);
  const start = base + characterStart(bytes, request.offset - base, decoder.encoding);
  const end = windowEnd(bytes, base, start, Math.min(size, request.offset + request.limit), decoder);
  const shown = bytes.subarray(start - base, end - base);
  const text = decoder.decode(shown);
  const utf16 = decoder.unit !== 'byte';
  const isCounted = end > start && index.indexedBytes >= end;
  const startLine = isCounted ? lineAt(stream, index, decoder.unit, start) : null;
  const endLine = isCounted ? lineAt(stream, index, decoder.unit, end - 1) : null;
  const ends = countPlain(shown, 0, Math.max(0, shown.length - unitBytes(decoder.unit)), decoder.unit);
  return {
    offset: start,
    bytes_shown: end - start,
    start_line: startLine,
    end_line: endLine,
    lines_shown: end > start ? ends + 1 : 0,
    content: start === 0 && utf16 && text.charCodeAt(0) === 0xfeff ? text.slice(1) : text,
    next_offset: end < size ? end : null,
  };
}

function windowEnd(bytes: Uint8Array, base: number, start: number, end: number, decoder: Decoder): number {
  if (end - base >= bytes.length) return end;
  const { encoding } = decoder;
  if (encoding !== 'utf-8' && decoder.unit === 'byte') {
    return base + forwardEnd(bytes, start - base, end - base, decoder);
  }
  const whole = base + characterStart(bytes, end - base, encoding);
  if (whole > start) return whole;
  // The limit is smaller than the character: return it whole, so the reader can go on.
  for (let next = end + 1; next - base < bytes.length; next += 1) {
    if (characterStart(bytes, next - base, encoding) === next - base) return next;
  }
  return base + bytes.length;
}

/**
 * For encodings that can't be read backwards: returns the last character end up to `end`, or the first one after it.
 */
function forwardEnd(bytes: Uint8Array, start: number, end: number, decoder: Decoder): number {
  const isWhole = (to: number) => {
    const part = bytes.subarray(start, to);
    return decoder.decode(part, true).length === decoder.decode(part).length;
  };
  for (let to = end; to > start && to > end - 4; to -= 1) if (isWhole(to)) return to;
  for (let to = end + 1; to < bytes.length; to += 1) if (isWhole(to)) return to;
  return end > start ? end : bytes.length;
}
