/** Reads whole lines as text, for files. */
import { MAX_WHOLE_LINE_CHARS } from '../../../shared/limits.ts';
import type { OpenStream } from '../bytes/open-stream.ts';
import type { BlockIndex } from '../lines/block-index.ts';
import { linesAt } from '../lines/lines-at.ts';
import type { Decoder } from '../text/encoding.ts';
import { LineRenderer } from './line-renderer.ts';

interface PlainLine {
  text: string;
  clipped: boolean;
}

/**
 * Returns the lines with these rising numbers: at least one, but no more than fit `maxChars`. The index must reach
 * them.
 */
export function plainLines(
  stream: OpenStream,
  index: BlockIndex,
  decoder: Decoder,
  { lines, maxChars }: { lines: readonly number[]; maxChars: number },
): PlainLine[] {
  const renderer = new LineRenderer(stream, decoder, {
    raw: false,
    styled: false,
    maxChars: MAX_WHOLE_LINE_CHARS,
  });
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
