/**
 * Which lines of a block hold a literal, found in the bytes. Where there are colours most lines are never stripped: only those in
 * which something that line text leaves out may stand in the middle of a literal, and those whose bytes hold one, unless that
 * is certain to be text and nobody wants to go on with the line.
 */
import type { Block } from './blocks.ts';
import { doubtOf } from './doubt.ts';
import { copied, filtered, union } from './found.ts';
import { gatheredLines, joins, lineTextBlock } from './line-text-block.ts';
import { neighboursOf } from './neighbours.ts';
import { type ByteLiteral, CONTROLS, type Found, type Scanner } from './scanner.ts';

export interface LinesFound extends Found {
  /** Where the places are. Its lines may be only some of the block's that was looked at; `lines` are numbers in that one. */
  block: Block;
}

type Looking<T> = (scanner: Scanner, block: Block) => T;

/** Looks at blocks for lines that hold one of the literals. What it gives is good until the scanner is used again. */
export function literalLines(literals: readonly ByteLiteral[]): Looking<LinesFound> {
  return inText<LinesFound>(literals, (scanner, block, seams, most) => {
    const hits = copied(linesWith(scanner, literals, block));
    if (seams.count + hits.count > most) return null;
    return stripped(scanner, literals, block, union([seams, hits]));
  });
}

/** The same for whoever wants to know which lines they are and no more. */
export function linesHolding(literals: readonly ByteLiteral[]): Looking<Pick<Found, 'count' | 'lines'>> {
  const inDoubt = doubtOf(literals);
  return inText<Pick<Found, 'count' | 'lines'>>(literals, (scanner, block, seams, most) => {
    const hits = linesWith(scanner, literals, block);
    const doubtful = inDoubt(scanner.source, hits, most);
    if (seams.count + doubtful.count > most) return null;
    const look = union([seams, doubtful]);
    if (look.count === 0) return hits;
    const looked = new Set(look.lines);
    const sure = filtered(hits, (line) => !looked.has(line));
    return union([sure, stripped(scanner, literals, block, look)]);
  });
}

/** Above this share of its lines stripping the whole block costs less. */
const MANY = 0.5;

/** Looks at the bytes where they are the text, and where `few` gives null, at the text of all lines. */
function inText<T>(
  literals: readonly ByteLiteral[],
  few: (scanner: Scanner, block: Block, seams: Found, most: number) => T | null,
): Looking<T | LinesFound> {
  const neighbours = neighboursOf(literals);
  return (scanner, block) => {
    const { asIs, kinds, part, start, end, newlines } = block;
    // CR at the end of lines is in no literal's way.
    if (asIs || (kinds & CONTROLS) === 0) return linesWith(scanner, literals, block);
    if (!part && !joins(scanner, block)) {
      const most = Math.max(16, newlines * MANY);
      const seams = copied(scanner.seams(start, end, neighbours));
      const found = seams.count > most ? null : few(scanner, block, seams, most);
      if (found) return found;
    }
    return linesWith(scanner, literals, lineTextBlock(scanner, block));
  };
}

/** Of the lines that hold the given places, those whose text holds a literal. */
function stripped(scanner: Scanner, literals: readonly ByteLiteral[], block: Block, some: Found): LinesFound {
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
