/** Reads whole lines as text, for files. */
import type { ByteSource } from '../bytes/byte-source.ts';
import type { BlockIndex } from '../lines/block-index.ts';
import { CURSOR_BYTES, LineCursor } from '../lines/line-cursor.ts';
import { lineStart } from '../lines/line-positions.ts';
import type { Decoder } from '../text/encoding.ts';
import { LineRenderer } from './line-renderer.ts';

/** Characters of one line; the rest is left out. */
const MAX_LINE_CHARS = 8 * 1024 * 1024;
/** Reading on to a near line is cheaper than looking it up. */
const NEAR_LINES = 50;

export interface PlainLine {
  text: string;
  clipped: boolean;
}

/** The given lines, rising; fewer when they have more than `maxChars`, but at least one. The index must reach them. */
export function plainLines(
  source: ByteSource,
  index: BlockIndex,
  decoder: Decoder,
  { lines, maxChars }: { lines: readonly number[]; maxChars: number },
): PlainLine[] {
  const renderer = new LineRenderer(source, decoder, { raw: false, styled: false, maxChars: MAX_LINE_CHARS });
  const buffer = Buffer.allocUnsafeSlow(CURSOR_BYTES);
  const found: PlainLine[] = [];
  let cursor: LineCursor | null = null;
  let next = 0;
  let chars = 0;
  for (const number of lines) {
    if (!cursor || number - next > NEAR_LINES) {
      const position = lineStart(source, index, decoder.unit, number);
      cursor = new LineCursor(source, decoder.unit, { position, number }, index, buffer);
    }
    let line = cursor.next();
    while (line && line.number < number) line = cursor.next();
    if (!line) break;
    next = number + 1;
    const { text, clipped } = renderer.show(line);
    found.push({ text, clipped });
    chars += text.length + 1;
    if (chars > maxChars || renderer.spent) break;
  }
  return found;
}
