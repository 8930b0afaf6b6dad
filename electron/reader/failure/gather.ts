/** Chooses, from counts alone, the places of a text that are worth reading again. */
import type { FailureScanner } from './scan/scanner.ts';
import type { LinePlace } from './scan/shape-table.ts';
import { WORD_GROUP } from './scan/words.ts';
import type { Scope } from './scope.ts';

/** A line that was not read yet, with what the counts say of it. */
export interface CountedPlace extends LinePlace {
  /** Slot of its shape, or -1. */
  shape: number;
  /** 0 to 1: it differs from the lines around it. */
  novelty: number;
}

const MOST_TELLING = 640;
const MOST_ERRORS = 160;
const MOST_NOVEL = 240;
/** With no more shapes than this, the first line of each is read. */
const FEW_SHAPES = 1500;

const WORTH: readonly (readonly [number, number])[] = [
  [WORD_GROUP.fatal, 4],
  [WORD_GROUP.error, 3],
  [WORD_GROUP.reason, 1.6],
  [WORD_GROUP.compare, 1.4],
  [WORD_GROUP.mark, 1],
  [WORD_GROUP.warn, 2],
  [WORD_GROUP.soft, 1.4],
  [WORD_GROUP.consequence, 0.3],
  [WORD_GROUP.unspaced, 2],
  [WORD_GROUP.label, 2.5],
  [WORD_GROUP.fileLine, 1],
];

/** Best first, at most some 700. */
export function gather(scanner: FailureScanner, scope: Scope): CountedPlace[] {
  const { shapes } = scanner;
  const found = new Map<number, CountedPlace>();
  const add = (place: LinePlace, shape: number, novelty: number) => {
    const known = found.get(place.line);
    if (known) {
      known.novelty = Math.max(known.novelty, novelty);
      if (known.shape < 0) known.shape = shape;
    } else found.set(place.line, { line: place.line, offset: place.offset, shape, novelty });
  };
  const coarse = coarseCounts(scanner);
  const novelties = new Float32Array(shapes.size);
  const telling: { slot: number; score: number }[] = [];
  const novel: { slot: number; score: number }[] = [];
  for (let slot = 0; slot < shapes.size; slot++) {
    const count = shapes.counts[slot]!;
    const like = coarse.get(shapes.coarse[slot]!)!;
    const unlike = like.lines <= 3 ? 1 : 1 - Math.sqrt((like.shapes - 1) / like.lines);
    const novelty = ((shapes.novelty[slot]! / 255) * unlike) / (1 + Math.log2(count));
    novelties[slot] = novelty;
    if (novelty > 0.25 || shapes.size <= FEW_SHAPES) novel.push({ slot, score: novelty });
    const words = shapes.words[slot]!;
    if (words === 0) continue;
    let score = 0;
    for (const [group, worth] of WORTH) if ((words & group) !== 0) score += worth;
    if ((words & WORD_GROUP.success) !== 0) score *= 0.7;
    if ((words & WORD_GROUP.quiet) !== 0) score *= 0.6;
    score = (score * (0.4 + 0.6 * (shapes.novelty[slot]! / 255) + novelty)) / (1 + 0.3 * Math.log2(count));
    if (score > 0) telling.push({ slot, score });
  }
  const first = (slot: number): LinePlace => ({
    line: shapes.firstLine[slot]!,
    offset: shapes.firstOffset[slot]!,
  });
  for (const slot of errorsIn(scope, shapes)) add(first(slot), slot, novelties[slot]!);
  for (const { slot } of best(telling, MOST_TELLING)) {
    add(first(slot), slot, novelties[slot]!);
    const last = { line: shapes.lastLine[slot]!, offset: shapes.lastOffset[slot]! };
    if (last.line !== shapes.firstLine[slot]) add(last, slot, novelties[slot]! * 0.7);
  }
  for (const place of shapes.late.slice(-MOST_NOVEL)) add(place, -1, 0);
  for (const { slot } of best(novel, shapes.size <= FEW_SHAPES ? FEW_SHAPES : MOST_NOVEL))
    add(first(slot), slot, novelties[slot]!);
  return [...found.values()];
}

/** Shapes at error level of the failing step, rare ones first. */
function errorsIn(scope: Scope, { isError, counts, firstLine, size }: FailureScanner['shapes']): number[] {
  const slots: number[] = [];
  for (let slot = 0; slot < size; slot++) {
    if (isError[slot] === 1 && scope.zoneOf(firstLine[slot]!) === 'failing') slots.push(slot);
  }
  return slots.sort((a, b) => counts[a]! - counts[b]!).slice(0, MOST_ERRORS);
}

function coarseCounts({ shapes }: FailureScanner): Map<number, { lines: number; shapes: number }> {
  const counts = new Map<number, { lines: number; shapes: number }>();
  for (let slot = 0; slot < shapes.size; slot++) {
    const key = shapes.coarse[slot]!;
    const known = counts.get(key);
    if (known) {
      known.lines += shapes.counts[slot]!;
      known.shapes++;
    } else counts.set(key, { lines: shapes.counts[slot]!, shapes: 1 });
  }
  return counts;
}

function best<T extends { score: number }>(list: T[], most: number): T[] {
  return list.sort((a, b) => b.score - a.score).slice(0, most);
}
