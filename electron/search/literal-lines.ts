/**
 * Which lines of a block hold a literal, found in the bytes. Where there are colours most lines are never stripped: only those
 * whose bytes hold the literal, and those where something that line text leaves out may stand in the middle of one.
 */
import type { Block } from './blocks.ts';
import { gatheredLines, joins, lineTextBlock } from './line-text-block.ts';
import { type ByteLiteral, CONTROLS, type Found, type Neighbours, type Scanner } from './scanner.ts';

export interface LinesFound extends Found {
  /** Where the places are. Its lines may be only some of the block's that was looked at; `lines` are numbers in that one. */
  block: Block;
}

/** Looks at blocks for lines that hold one of the literals. What it gives is good until the scanner is used again. */
export function literalLines(
  literals: readonly ByteLiteral[],
): (scanner: Scanner, block: Block) => LinesFound {
  const neighbours = neighboursOf(literals);
  return (scanner, block) => {
    // CR at the end of lines is in no literal's way.
    if (block.asIs || (block.kinds & CONTROLS) === 0) return linesWith(scanner, literals, block);
    return (
      fewLines(scanner, literals, neighbours, block) ??
      linesWith(scanner, literals, lineTextBlock(scanner, block))
    );
  };
}

/** Above this share of its lines stripping the whole block costs less. */
const MANY = 0.5;

function fewLines(
  scanner: Scanner,
  literals: readonly ByteLiteral[],
  neighbours: Neighbours,
  block: Block,
): LinesFound | null {
  if (block.part || joins(scanner, block)) return null;
  const seams = copied(scanner.seams(block.start, block.end, neighbours));
  const most = Math.max(16, block.newlines * MANY);
  if (seams.count > most) return null;
  const hits = copied(linesWith(scanner, literals, block));
  if (seams.count + hits.count > most) return null;
  const some = union([seams, hits]);
  const text = gatheredLines(scanner, block, some.places);
  const found = linesWith(scanner, literals, text);
  return { ...found, lines: found.lines.map((line) => some.lines[line]!) };
}

function linesWith(scanner: Scanner, literals: readonly ByteLiteral[], block: Block): LinesFound {
  const { area, start, end } = block;
  const [first, ...more] = literals.map((literal) => {
    const found = scanner.find(area, start, end, literal);
    return literals.length === 1 ? found : copied(found);
  });
  return { ...(more.length === 0 ? first! : union([first!, ...more])), block };
}

function copied({ count, lines, places }: Found): Found {
  return { count, lines: lines.slice(), places: places.slice() };
}

/** Above any place in the scanner's memory. */
const PLACES = 2 ** 23;

/** Each line once, in order, with the first of its places. */
function union(given: readonly Found[]): Found {
  const parts = given.filter(({ count }) => count > 0);
  // Most blocks have no seam, and sorting is most of what is done here.
  if (parts.length === 1) return parts[0]!;
  const all = new Float64Array(parts.reduce((sum, part) => sum + part.count, 0));
  let filled = 0;
  for (const { count, lines, places } of parts) {
    for (let i = 0; i < count; i += 1) all[filled + i] = lines[i]! * PLACES + places[i]!;
    filled += count;
  }
  all.sort();
  const lines = new Uint32Array(all.length);
  const places = new Uint32Array(all.length);
  let count = 0;
  for (const each of all) {
    const line = Math.floor(each / PLACES);
    if (count > 0 && lines[count - 1] === line) continue;
    lines[count] = line;
    places[count] = each % PLACES;
    count += 1;
  }
  return { count, lines: lines.subarray(0, count), places: places.subarray(0, count) };
}

const [TAB, LF, BACKSPACE, CR, DELETE] = [9, 10, 8, 13, 127];

function neighboursOf(literals: readonly ByteLiteral[]): Neighbours {
  const before = new Uint32Array(256);
  const behind = new Uint32Array(256);
  let place = 0;
  for (const { bytes, fold } of literals) {
    const mark = (table: Uint32Array, i: number) => {
      for (const byte of [bytes[i]!, bytes[i]! & ~fold[i]!]) table[byte]! |= 1 << (place % 32);
    };
    for (let i = 1; i < bytes.length; i += 1) {
      mark(before, i - 1);
      mark(behind, i);
      place += 1;
    }
  }
  // Something else that is left out follows: what is behind that is not looked for. Those that are a seam whatever is
  // around them, and the CR of a line's end, have nothing behind them.
  for (let byte = 0; byte <= DELETE!; byte += 1) {
    const left =
      (byte < 32 && byte !== TAB && byte !== LF && byte !== CR && byte !== BACKSPACE) || byte === DELETE;
    if (left) behind[byte] = 0xffff_ffff;
  }
  return { before, behind };
}
