/**
 * The line text of a block, or of some lines of it. Colours are stripped at memory speed; lines that are redrawn are rendered
 * one by one.
 */
import { isUtf8 } from 'node:buffer';
import { lineText } from '../../shared/text/line-text.ts';
import type { Block } from './blocks.ts';
import { CONTROLS, NOT_ASCII, type Scanner } from './scanner.ts';

/** The block with line text for its bytes. It takes the place of what was stripped before. */
export function lineTextBlock(scanner: Scanner, block: Block): Block {
  if (block.asIs) return block;
  const { start, end, kinds } = block;
  const stripped = strip(scanner, start, end, joins(scanner, block));
  return { ...block, area: 'stripped', start: 0, end: stripped, kinds: kinds & NOT_ASCII, asIs: true };
}

/** Only the lines that hold the given places, in rising order, one line each. The block's bytes are well-formed (`joins`). */
export function gatheredLines(scanner: Scanner, block: Block, places: Uint32Array): Block {
  const source = scanner.source as Buffer;
  const { start, end, kinds } = block;
  let to = 0;
  for (let rest = places; rest.length > 0; ) {
    const { done, at } = scanner.gather(start, end, rest, to);
    to = at;
    const place = rest[done];
    if (place === undefined) break;
    // This one is beyond the scanner.
    const lineStart = place === start ? start : Math.max(start, source.lastIndexOf(10, place - 1) + 1);
    to = render(scanner, lineStart, source.indexOf(10, place), to);
    rest = rest.subarray(done + 1);
  }
  return {
    area: 'stripped',
    start: 0,
    end: to,
    kinds: kinds & NOT_ASCII,
    newlines: places.length,
    part: null,
    asIs: true,
  };
}

/** Taking a sequence out of the block's bytes can join what it kept apart: they are broken UTF-8. */
export function joins(scanner: Scanner, { start, end, kinds }: Block): boolean {
  return (
    (kinds & NOT_ASCII) !== 0 && (kinds & CONTROLS) !== 0 && !isUtf8(scanner.source.subarray(start, end))
  );
}

function strip(scanner: Scanner, start: number, end: number, byLine: boolean): number {
  const source = scanner.source as Buffer;
  const stripped = scanner.stripped as Buffer;
  let at = start;
  let to = 0;
  while (at < end) {
    if (!byLine) {
      const step = scanner.strip(at, end, to);
      at = step.stopped;
      to = step.at;
      if (at >= end) break;
    }
    // The rest of this line is beyond the scanner: render it whole, from its beginning.
    const lineStart = at === start ? start : Math.max(start, source.lastIndexOf(10, at - 1) + 1);
    const newline = source.indexOf(10, at);
    const lineEnd = newline < 0 || newline >= end ? end : newline;
    const lineTo = to === 0 ? 0 : stripped.lastIndexOf(10, to - 1) + 1;
    to = render(scanner, lineStart, lineEnd, lineTo, lineEnd < end);
    at = lineEnd + 1;
  }
  return to;
}

/** Writes the text of `source[start, end)`, and a LF if it is `ended`, to `stripped[to…)`; gives where that ends. */
function render(scanner: Scanner, start: number, end: number, to: number, ended = true): number {
  const stripped = scanner.stripped as Buffer;
  const text = lineText((scanner.source as Buffer).toString('utf8', start, end));
  const at = to + stripped.write(text, to);
  if (!ended) return at;
  stripped[at] = 10;
  return at + 1;
}
