/** Reads whole lines as text, for files. */
import type { OpenStream } from '../bytes/open-stream.ts';
import type { BlockIndex } from '../lines/block-index.ts';
import { linesAt } from '../lines/lines-at.ts';
import type { Decoder } from '../text/encoding.ts';
import { LineRenderer } from './line-renderer.ts';

/** Characters of one line; the rest is left out. */
const MAX_LINE_CHARS = 8 * 1024 * 1024;

export interface PlainLine {
  text: string;
  clipped: boolean;
}

/** The given lines, rising; fewer when they have more than `maxChars`, but at least one. The index must reach them. */
export function plainLines(
  stream: OpenStream,
  index: BlockIndex,
  decoder: Decoder,
  { lines, maxChars }: { lines: readonly number[]; maxChars: number },
): PlainLine[] {
  const renderer = new LineRenderer(stream, decoder, { raw: false, styled: false, maxChars: MAX_LINE_CHARS });
  const found: PlainLine[] = [];
  let chars = 0;
  for (const line of linesAt(stream, index, decoder.unit, lines)) {
    const { text, clipped } = renderer.show(line);
    found.push({ text, clipped });
    chars += text.length + 1;
    if (chars > maxChars || renderer.spent) break;
  }
  return found;
}
