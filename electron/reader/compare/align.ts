/**
 * Finds which lines of two texts say the same. Lines that both texts have once are anchors (patience diff): first those
 * that differ in times and sizes at most, then, between them, those of equal messages. Blocks grow from anchors over
 * equal messages.
 */

import type { ReadingSteps } from '../failure/explanation.ts';
import { longestRising } from './differences.ts';
import type { Message } from './messages.ts';
import { type ComparedText, readMessages } from './read-messages.ts';

export interface Aligned {
  /** Rising in both texts. */
  blocks: Block[];
  /** Lines of messages that the other text does not have. */
  onlyFirst: LineRange[];
  onlySecond: LineRange[];
  /** The end of a text was not read, or not everything is given. */
  isPartial: boolean;
}

type Block = [first: number, second: number, count: number];
type LineRange = [from: number, to: number];

/** Longer texts are aligned up to here. */
const MOST_READ_BYTES = 32 * 1024 * 1024;
const ALL_LINES = { wholeBytes: Number.POSITIVE_INFINITY, mostDecoded: Number.POSITIVE_INFINITY };
/** Lines that are aligned, of each text. */
const MOST_LINES = 2_000_000;
const MOST_BLOCKS = 5000;
const MOST_RANGES = 5000;
/** Rounds of anchors within what the round before left. */
const MOST_ROUNDS = 8;

/** The messages of a text, in order. Equal numbers are equal steady parts, and equal messages. */
interface Lines {
  readonly line: number[];
  /** The message with its numbers and names, but without what differs in every run. */
  readonly steady: number[];
  readonly message: number[];
  readonly speaks: boolean[];
}

/** Neighbours in both lists of messages, by index. */
interface Span {
  readonly a: number;
  readonly b: number;
  readonly aEnd: number;
  readonly bEnd: number;
}

export function* aligning(
  first: ComparedText,
  second: ComparedText,
  mostBytes = MOST_READ_BYTES,
): ReadingSteps<Aligned> {
  const numbers = new Map<string, number>();
  let isPartial = false;
  const reading = (text: ComparedText, lines: Lines) => {
    const each = (line: number, { key, values, speaks }: Message) => {
      if (lines.line.length >= MOST_LINES) {
        isPartial = true;
        return false;
      }
      lines.line.push(line);
      const of = numberOf(numbers, key);
      const steady = values.map(({ text, kind }) => (kind === 'number' || kind === 'name' ? text : ''));
      // No key begins with a digit.
      lines.steady.push(steady.length === 0 ? of : numberOf(numbers, `${of}\t${steady.join('\t')}`));
      lines.message.push(of);
      lines.speaks.push(speaks);
      return false;
    };
    isPartial ||= text.size > mostBytes;
    const part = { ...text, size: Math.min(text.size, mostBytes) };
    return readMessages(part, { each, more: () => {} }, ALL_LINES);
  };
  const [a, b] = [noLines(), noLines()];
  // By turns: a line that both texts have is still remembered when the second one comes to it.
  const steps = [reading(first, a), reading(second, b)];
  for (let at = 0; steps.length > 0; at++) {
    const next = steps[at % steps.length]!;
    const { done, value } = next.next();
    if (done) steps.splice(steps.indexOf(next), 1);
    else yield value;
  }
  const pairs = matched(a, b);
  const blocks = blocksOf(a, b, pairs);
  const onlyFirst = onlyIn(a, b);
  const onlySecond = onlyIn(b, a);
  const isCut = [onlyFirst, onlySecond].some(({ length }) => length > MOST_RANGES);
  return {
    blocks: largest(blocks),
    onlyFirst: onlyFirst.slice(0, MOST_RANGES),
    onlySecond: onlySecond.slice(0, MOST_RANGES),
    isPartial: isPartial || isCut || blocks.length > MOST_BLOCKS,
  };
}

const noLines = (): Lines => ({ line: [], steady: [], message: [], speaks: [] });

function numberOf(numbers: Map<string, number>, text: string): number {
  const known = numbers.get(text);
  if (known !== undefined) return known;
  numbers.set(text, numbers.size);
  return numbers.size - 1;
}

/** For each message of the first text, the index of its counterpart in the second; -1 for none. */
function matched(a: Lines, b: Lines): Int32Array {
  const pairs = new Int32Array(a.line.length).fill(-1);
  let spans: Span[] = [{ a: 0, b: 0, aEnd: a.line.length, bEnd: b.line.length }];
  for (let round = 0; round < MOST_ROUNDS && spans.length > 0; round++) {
    const by = round % 2 === 0 ? 'steady' : 'message';
    spans = spans.flatMap((span) => matchIn(span, a, b, by, pairs));
  }
  return pairs;
}

/** Pairs the messages of a span by their anchors. Returns the spans between that are left. */
function matchIn(span: Span, a: Lines, b: Lines, by: 'steady' | 'message', pairs: Int32Array): Span[] {
  let { a: from, b: other, aEnd, bEnd } = span;
  const pair = (i: number, j: number) => {
    pairs[i] = j;
  };
  /** Whether neighbours of what is paired are paired, too. */
  let isSame = (i: number, j: number) => a[by][i] === b[by][j];
  const pairEnds = () => {
    while (from < aEnd && other < bEnd && isSame(from, other)) pair(from++, other++);
    while (aEnd > from && bEnd > other && isSame(aEnd - 1, bEnd - 1)) pair(--aEnd, --bEnd);
  };
  pairEnds();
  let { anchors, areTold } = anchorsOf({ a: from, b: other, aEnd, bEnd }, a[by], b[by]);
  if (!areTold && by === 'steady') {
    // What differs in its numbers is the same message, unless the numbers tell which line is which.
    isSame = (i, j) => a.message[i] === b.message[j];
    pairEnds();
    ({ anchors } = anchorsOf({ a: from, b: other, aEnd, bEnd }, a[by], b[by]));
  }
  if (from === aEnd || other === bEnd) return [];
  const left: Span[] = [];
  for (const [i, j] of [...anchors, [aEnd, bEnd] as const]) {
    // An anchor may lie in what the one before grew over.
    if (i < from || j < other) continue;
    let [top, topB] = [i, j];
    while (top > from && topB > other && isSame(top - 1, topB - 1)) pair(--top, --topB);
    if (top > from && topB > other) left.push({ a: from, b: other, aEnd: top, bEnd: topB });
    [from, other] = [i, j];
    while (from < aEnd && other < bEnd && (from === i || isSame(from, other))) pair(from++, other++);
  }
  return left;
}

interface Anchors {
  anchors: [number, number][];
  /** Whether they are no coincidences: most of what is once in a part is once in the other, in the same order. */
  areTold: boolean;
}

/** Pairs of what is once in each part, in the same order in both. */
function anchorsOf(span: Span, a: readonly number[], b: readonly number[]): Anchors {
  const inA = onceIn(a, span.a, span.aEnd);
  const inB = onceIn(b, span.b, span.bEnd);
  const both: [number, number][] = [];
  for (const [id, i] of inA) {
    const j = inB.get(id);
    if (i >= 0 && j !== undefined && j >= 0) both.push([i, j]);
  }
  const rising = longestRising(both.map(([, j]) => j));
  const fewer = Math.min(countOnce(inA), countOnce(inB));
  return { anchors: both.filter((_, at) => rising.has(at)), areTold: rising.size * 2 > fewer };
}

function countOnce(places: Map<number, number>): number {
  let count = 0;
  for (const place of places.values()) if (place >= 0) count++;
  return count;
}

/** Where each is; -1 if it is there more than once. In the order of their first places. */
function onceIn(ids: readonly number[], from: number, to: number): Map<number, number> {
  const places = new Map<number, number>();
  for (let i = from; i < to; i++) places.set(ids[i]!, places.has(ids[i]!) ? -1 : i);
  return places;
}

function blocksOf(a: Lines, b: Lines, pairs: Int32Array): Block[] {
  const blocks: Block[] = [];
  let before = -2;
  for (const [i, j] of pairs.entries()) {
    if (j < 0) continue;
    const last = blocks.at(-1);
    const [first, second] = [a.line[i]!, b.line[j]!];
    // Only blank lines are between them, as many in both.
    const areNext = before === i - 1 && pairs[before] === j - 1;
    if (last && areNext && first - last[0] === second - last[1]) last[2] = first - last[0] + 1;
    else blocks.push([first, second, 1]);
    before = i;
  }
  return blocks;
}

/** The largest blocks, in order. */
function largest(blocks: readonly Block[]): Block[] {
  if (blocks.length <= MOST_BLOCKS) return [...blocks];
  const kept = blocks.map((_, at) => at).sort((a, b) => blocks[b]![2] - blocks[a]![2] || a - b);
  const places = new Set(kept.slice(0, MOST_BLOCKS));
  return blocks.filter((_, at) => places.has(at));
}

/** Lines whose message the other text does not have; over blank lines and rules, ranges are joined. */
function onlyIn(lines: Lines, other: Lines): LineRange[] {
  const known = new Set(other.message);
  const ranges: LineRange[] = [];
  let isOpen = false;
  for (const [i, message] of lines.message.entries()) {
    const line = lines.line[i]!;
    if (known.has(message)) isOpen &&= !lines.speaks[i];
    else if (lines.speaks[i]) {
      const last = ranges.at(-1);
      if (last && isOpen) last[1] = line;
      else ranges.push([line, line]);
      isOpen = true;
    }
  }
  return ranges;
}
