/**
 * Orders lines for previews: explaining lines by score, each discounted where similar lines came before it; between
 * them context, the end and the beginning.
 */
import { Buffer } from 'node:buffer';
import { isErrorLevel } from '../../../shared/text/levels.ts';
import { findCause, isPlain, tellsOfFailure } from './cause.ts';
import type { LineKind } from './evidence.ts';
import type { Explanation, RankedLine } from './explanation.ts';
import type { LogLine, LogLines } from './log-lines.ts';
import type { FailedText, Scope } from './scope.ts';
import type { Weighed } from './weigh.ts';

/** Text that is ranked, in bytes: enough for the largest preview. */
const RANKED_BYTES = 48 * 1024;
/**
 * Shares of a preview's bytes, by its size. Up to 4 KB a line beside others is worth more than one more part; larger
 * previews make up for that.
 */
const STAGES = [
  { bytes: 1400, shares: { pick: 0.78, context: 0.09, tail: 0.09, head: 0.04 } },
  { bytes: 2100, shares: { pick: 0.62, context: 0.15, tail: 0.12, head: 0.11 } },
  { bytes: 4200, shares: { pick: 0.35, context: 0.35, tail: 0.15, head: 0.15 } },
  { bytes: RANKED_BYTES, shares: { pick: 0.62, context: 0.15, tail: 0.12, head: 0.11 } },
];
type Queue = 'pick' | 'context' | 'tail' | 'head';
const HEAD_LINES = 400;
/** Lines of the failing step at error level that are kept: as many bytes as lines of other kinds. */
const MOST_ERROR_BYTES = RANKED_BYTES;
/** A longer one counts so much, as previews shorten it. */
const LONG_ERROR_BYTES = 480;

export function choose(candidates: readonly Weighed[], text: FailedText): Explanation {
  const { lines } = text;
  const picks = pickInTurn(candidates);
  const found = findCause(picks, text);
  const cause = found?.cause ?? null;
  if (found) picks.unshift(...picks.splice(picks.indexOf(found.pick), 1));
  const errors = errorsOf(candidates);
  const first = cause ? lines.get(cause.line_number) : undefined;
  const explaining = [...(first ? [first] : []), ...picks.map(({ line }) => line)];
  const why = whyOf(picks, candidates);
  const ranked = rank(explaining, contextOf(picks, lines), errors, text).map(({ line, queue }, rank) => ({
    ...line,
    rank,
    why: why(line.number, queue),
  }));
  return {
    cause,
    ranked,
    blank: blankNear(ranked, lines),
    totalLines: lines.total,
    essential: new Set(errors.map(({ number }) => number)),
    tellsOfFailure: tellsOfFailure(found, lines),
    isPlain: found !== null && isPlain(found),
  };
}

/** Takes lines in turn from four queues, so that each gets its share of the bytes; `errors` in any case. */
function rank(
  explaining: readonly LogLine[],
  context: Iterator<LogLine>,
  errors: readonly LogLine[],
  { lines, scope }: FailedText,
): { line: LogLine; queue: Queue }[] {
  const queues: Record<Queue, Iterator<LogLine>> = {
    pick: explaining[Symbol.iterator](),
    context,
    tail: endOf(scope, lines),
    head: headOf(lines),
  };
  // More lines alike tell nothing new. Without steps the head may be all that tells what usual lines look like.
  const mostAlike = { pick: 8, context: 3, tail: 1, head: scope.hasSteps ? 1 : 2 };
  const open = new Set<Queue>(['pick', 'context', 'tail', 'head']);
  const used: Record<Queue, number> = { pick: 0, context: 0, tail: 0, head: 0 };
  const ranked: { line: LogLine; queue: Queue }[] = [];
  let bytes = 0;
  const taken = new Set<number>();
  const shapes = new Map<string, number>();
  const take = (line: LogLine, queue: Queue, shape = shapeOf(line.text)) => {
    ranked.push({ line, queue });
    taken.add(line.number);
    bytes += sizeOf(line);
    used[queue] += sizeOf(line);
    shapes.set(shape, (shapes.get(shape) ?? 0) + 1);
  };
  while (open.size > 0 && bytes < RANKED_BYTES) {
    const { shares } = STAGES.find((stage) => bytes < stage.bytes)!;
    const queue = [...open].reduce((a, b) => (used[b] / shares[b] < used[a] / shares[a] ? b : a));
    const { value: line, done } = queues[queue].next();
    if (done) {
      open.delete(queue);
      continue;
    }
    if (taken.has(line.number)) continue;
    const shape = shapeOf(line.text);
    if ((shapes.get(shape) ?? 0) < mostAlike[queue]) {
      take(line, queue, shape);
      for (const between of gapsBeside(line.number, taken, lines)) take(between, 'context');
    }
    // Lines that explain get the bytes of the repeated one, unless steps tell which lines those are.
    else if (!scope.hasSteps) used[queue] += sizeOf(line);
  }
  for (const line of errors) if (!taken.has(line.number)) take(line, 'pick');
  return ranked;
}

const MOST_PICKS = 240;
const MOST_POOLED = 600;
/** How much a line's chance counts beside how many like it came before. */
const CHANCE_WORTH = 0.5;
/** A line costs its characters, and so many besides, to this power. */
const LINE_COST = 40;
const LENGTH_COST = 0.4;
/** A line's worth is multiplied by these for each earlier pick of the same pattern, and of the same frame. */
const SAME_PATTERN = 0.35;
const SAME_FRAME = 0.55;

/** Returns the candidates, best first. Each is worth less for every line like it that was picked before. */
function pickInTurn(candidates: readonly Weighed[]): Weighed[] {
  const pool = candidates
    .toSorted((a, b) => b.chance - a.chance)
    .slice(0, MOST_POOLED)
    .map((one) => ({ one, worth: worthOfPick(one), frame: frameOfText(one.line.text) }))
    .sort((a, b) => b.worth - a.worth);
  const patterns = new Map<string, number>();
  const frames = new Map<string, number>();
  const picks: Weighed[] = [];
  while (picks.length < MOST_PICKS && pool.length > 0) {
    let at = 0;
    let most = 0;
    // Best first: none of the others can be worth more.
    for (let i = 0; i < pool.length && pool[i]!.worth > most; i++) {
      const { one, worth, frame } = pool[i]!;
      const alike = Math.max(0, (frames.get(frame) ?? 0) - 1);
      const value = worth * SAME_PATTERN ** (patterns.get(one.pattern) ?? 0) * SAME_FRAME ** alike;
      if (value <= most) continue;
      most = value;
      at = i;
    }
    const [{ one, frame }] = pool.splice(at, 1) as [(typeof pool)[number]];
    picks.push(one);
    patterns.set(one.pattern, (patterns.get(one.pattern) ?? 0) + 1);
    frames.set(frame, (frames.get(frame) ?? 0) + 1);
  }
  return picks;
}

/** A long line takes the place of several short ones. */
function worthOfPick({ chance, line }: Weighed): number {
  return Math.exp(chance * CHANCE_WORTH) / (line.text.length + LINE_COST) ** LENGTH_COST;
}

const FRAME_WORD = /[\p{L}\p{N}_]+(?:[./\-@~+:][\p{L}\p{N}_]+)*/gu;
const MOST_FRAME_CHARS = 240;
/** Too few words to tell lines of one kind from unlike ones, such as settings. */
const LEAST_FRAME_WORDS = 4;

/** Returns what remains of a line without its words. A test suite or a trace prints many lines with one frame. */
function frameOfText(text: string): string {
  let words = 0;
  const frame = text.slice(0, MOST_FRAME_CHARS).replace(FRAME_WORD, () => {
    words++;
    return 'w';
  });
  return words < LEAST_FRAME_WORDS ? text : frame.replace(/\s+/g, ' ');
}

const sizeOf = ({ text }: LogLine) => Buffer.byteLength(text) + 1;

/** Lines that differ in numbers alone have one shape. */
const shapeOf = (text: string) => {
  const begin = text.slice(0, 200);
  return begin.replace(begin.includes('/') ? NUMBERED_OR_PATH : NUMBERED, '0');
};
const NUMBERED_OR_PATH = /\p{L}*\d[\p{L}\d]*|\S*\/\S*/gu;

/**
 * Returns the different lines at error level in the failing step, the most telling first: one of each pattern, then one of
 * each shape, then all that differ in more than numbers.
 */
function errorsOf(candidates: readonly Weighed[]): LogLine[] {
  const errors = candidates
    .filter(
      ({ placed: { zone, level, isVerdict } }) => zone === 'failing' && (isVerdict || isErrorLevel(level)),
    )
    .sort((a, b) => a.line.number - b.line.number);
  const turns = [
    firstsBy(errors, ({ pattern }) => pattern),
    firstsBy(errors, ({ placed }) => shapeOf(placed.message)),
    firstsBy(errors, ({ placed }) => placed.message.trim().replace(NUMBERED, '0')),
  ];
  // A difference in a prefix is none.
  const distinct = new Set(turns[2]);
  const byChance = (some: readonly Weighed[]) =>
    some.filter((one) => distinct.has(one)).toSorted((a, b) => b.chance - a.chance);
  let left = MOST_ERROR_BYTES;
  return [...new Set(turns.flatMap(byChance))]
    .map(({ line }) => line)
    .filter((line) => {
      left -= Math.min(sizeOf(line), LONG_ERROR_BYTES);
      return left >= 0;
    });
}

const NUMBERED = /\p{L}*\d[\p{L}\d]*/gu;

function firstsBy(list: readonly Weighed[], key: (one: Weighed) => string): Weighed[] {
  return [...new Map(list.toReversed().map((one) => [key(one), one])).values()];
}

/** The last lines of the failing step, then of the text. */
function* endOf({ last }: Scope, lines: LogLines): Iterator<LogLine> {
  for (let n = last; lines.get(n); n--) if (lines.get(n)!.text.trim() !== '') yield lines.get(n)!;
  yield* lines.fromEnd();
}

const WHY: Record<LineKind, string> = {
  fatal: 'fatal error',
  exception: 'exception',
  label: 'error',
  error: 'error',
  reason: 'reason',
  compare: 'difference',
  mark: 'failed',
  warn: 'warning',
  soft: 'left out or assumed',
  value: 'odd value',
  none: '',
};

/** Returns why a line was chosen; null where its place alone speaks for it. */
function whyOf(
  picks: readonly Weighed[],
  candidates: readonly Weighed[],
): (number: number, queue: Queue) => string | null {
  const patterns = new Map<string, number>();
  for (const { pattern } of candidates) patterns.set(pattern, (patterns.get(pattern) ?? 0) + 1);
  const known = new Map(picks.map((one) => [one.line.number, one]));
  return (number, queue) => {
    const one = known.get(number);
    if (!one) return queue === 'pick' ? 'reason' : null;
    // The head or the tail may come first to a line that is telling by itself.
    if (queue !== 'pick' && one.evidence.weight < 1) return null;
    return reasonOf(one, patterns.get(one.pattern)! > 1);
  };
}

/** A value that is rarer is worth saying. */
const LEAST_RARE = 0.3;

function reasonOf({ evidence, rare, novelty, beside }: Weighed, isRepeated: boolean): string | null {
  if (evidence.isConsequence) return 'consequence';
  if (evidence.weight >= 1) return WHY[evidence.kind];
  if (beside > 0) return evidence.differs ? 'difference' : 'beside a failure';
  if (rare > LEAST_RARE && !isRepeated) return 'unusual value';
  return novelty > 0 && !isRepeated ? 'unlike other lines' : null;
}

/** Blank lines directly after a ranked one. */
function blankNear(ranked: readonly RankedLine[], lines: LogLines): Set<number> {
  const next = ranked.map(({ number }) => number + 1);
  return new Set(next.filter((number) => lines.get(number)?.text.trim() === ''));
}

/** Around the best eight that differ: the next two lines and the one before, in turn. */
function* contextOf(picks: readonly Weighed[], lines: LogLines): Iterator<LogLine> {
  const byPattern = new Map(picks.toReversed().map((one) => [one.pattern, one]));
  const best = picks.filter((one) => byPattern.get(one.pattern) === one).slice(0, 8);
  for (const steps of [
    [1, -1],
    [2, 3, -2],
    [4, 5, 6, -3, -4],
  ]) {
    for (const { line } of best) {
      for (const step of steps) {
        const near = lines.get(line.number + step);
        if (near && near.text.trim() !== '') yield near;
      }
    }
  }
}

function* headOf(lines: LogLines): Iterator<LogLine> {
  if (lines.total === 0) return;
  lines.load({ line: 1, offset: 0 }, 0, 16 * 1024);
  for (let n = 1; n <= HEAD_LINES; n++) {
    const line = lines.get(n);
    if (!line) return;
    if (line.text.trim() !== '') yield line;
  }
}

/** A part costs an agent about so much: a label, and an entry in the reply's head. */
const PART_BYTES = 110;
/** Lines of a gap that is filled. */
const MOST_GAP_LINES = 6;

/**
 * Returns the lines that alone keep the one at `number` apart from others that are taken, on either side. Where they
 * are few, two parts cost more than the lines between them.
 */
export function gapsBeside(number: number, taken: ReadonlySet<number>, lines: LogLines): LogLine[] {
  return [...gap(number, -1, taken, lines), ...gap(number, 1, taken, lines)];
}

function gap(number: number, step: 1 | -1, taken: ReadonlySet<number>, lines: LogLines): LogLine[] {
  const between: LogLine[] = [];
  let bytes = 0;
  for (let n = number + step; !taken.has(n); n += step) {
    const line = lines.get(n);
    if (!line || between.length === MOST_GAP_LINES) return [];
    bytes += Buffer.byteLength(line.text) + 1;
    if (bytes > PART_BYTES) return [];
    between.push(line);
  }
  return between;
}
