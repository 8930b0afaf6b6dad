/**
 * Orders lines for previews: explaining lines by score, each discounted where similar lines came before it; between
 * them context, the end and the beginning.
 */
import { findCause } from './cause/cause.ts';
import type { LineKind } from './evidence.ts';
import type { Explanation, RankedLine } from './explanation.ts';
import type { LogLine, LogLines } from './log-lines.ts';
import type { Weighed } from './weigh.ts';

/** Text that is ranked, in bytes: enough for the largest preview. */
const RANKED_BYTES = 48 * 1024;
const MOST_PICKS = 240;
const MOST_POOLED = 600;
/** Shares of a preview's bytes, while there are lines of a kind: of a small one, and of what a larger one has more. */
const SMALL_BYTES = 1400;
const SHARES_OF_SMALL = { pick: 0.78, context: 0.09, tail: 0.09, head: 0.04 };
const SHARES = { pick: 0.62, context: 0.15, tail: 0.12, head: 0.11 };
type Source = keyof typeof SHARES;
const REGIONS = 24;
const HEAD_LINES = 400;

export function choose(
  candidates: readonly Weighed[],
  lines: LogLines,
  hints: readonly string[],
): Explanation {
  const picks = pickInTurn(candidates, lines.total);
  const found = findCause(picks, lines, hints);
  const cause = found?.cause ?? null;
  if (found?.pick) picks.unshift(...picks.splice(picks.indexOf(found.pick), 1));
  const first = cause ? lines.get(cause.line_number) : undefined;
  const why = new Map(picks.map((one) => [one.line.number, reasonOf(one)]));
  if (cause?.basis === 'step') why.set(cause.line_number, 'last step');
  const queues: Record<Source, Iterator<LogLine>> = {
    pick: [...(first ? [first] : []), ...picks.map(({ line }) => line)][Symbol.iterator](),
    context: contextOf(picks, lines),
    tail: lines.fromEnd(),
    head: headOf(lines),
  };
  const used: Record<Source, number> = { pick: 0, context: 0, tail: 0, head: 0 };
  const open = new Set<Source>(['pick', 'context', 'tail', 'head']);
  const ranked: RankedLine[] = [];
  const taken = new Set<number>();
  let bytes = 0;
  let shares = SHARES_OF_SMALL;
  const take = (line: LogLine, source: Source) => {
    taken.add(line.number);
    const size = Buffer.byteLength(line.text) + 1;
    used[source] += size;
    bytes += size;
    ranked.push({
      ...line,
      rank: ranked.length,
      why: source === 'pick' ? (why.get(line.number) ?? 'reason') : null,
    });
  };
  while (open.size > 0 && bytes < RANKED_BYTES) {
    if (bytes >= SMALL_BYTES) shares = SHARES;
    const source = [...open].reduce((a, b) => (used[b] / shares[b] < used[a] / shares[a] ? b : a));
    const next = queues[source].next();
    if (next.done) {
      open.delete(source);
      continue;
    }
    const line = next.value;
    if (taken.has(line.number)) continue;
    take(line, source);
    for (const between of shortLinesBetween(line.number, taken, lines)) take(between, 'context');
  }
  return { cause, ranked, blank: blankNear(ranked, lines), totalLines: lines.total };
}

/** Two parts cost an agent more than so many bytes: a label, and an entry in the reply's head. */
const JOINING_BYTES = 100;

/** Returns the lines that alone keep the one at `number` apart from others that are taken. */
function shortLinesBetween(number: number, taken: ReadonlySet<number>, lines: LogLines): LogLine[] {
  return [-1, 1].flatMap((step) => {
    if (taken.has(number + step) || !taken.has(number + 2 * step)) return [];
    const line = lines.get(number + step);
    if (!line || line.text.trim() === '' || Buffer.byteLength(line.text) > JOINING_BYTES) return [];
    return [line];
  });
}

/** How much a line's chance counts beside how many like it came before. */
const CHANCE_WORTH = 0.5;
/** A line costs its characters, and so many besides, to this power. */
const LINE_COST = 40;
const LENGTH_COST = 0.4;
/** Factor by which a line is worth less for each line chosen before that shares the trait, beyond those that are `free`. */
const REPEATED = {
  kind: { factor: 0.95, free: 0 },
  pattern: { factor: 0.35, free: 0 },
  // Two of a frame may be a pair.
  frame: { factor: 0.55, free: 1 },
  region: { factor: 0.78, free: 0 },
};
type Trait = keyof typeof REPEATED;
const TRAITS = Object.keys(REPEATED) as Trait[];

function pickInTurn(candidates: readonly Weighed[], total: number): Weighed[] {
  const pool = candidates
    .toSorted((a, b) => b.chance - a.chance)
    .slice(0, MOST_POOLED)
    .map((one) => ({ one, worth: worthOf(one), traits: traitsOf(one, total) }))
    .sort((a, b) => b.worth - a.worth);
  const picks: Weighed[] = [];
  /** How many picks have a trait, by its name and value. */
  const counts = new Map(TRAITS.map((trait) => [trait, new Map<string | number, number>()]));
  const countOf = (trait: Trait, traits: Traits) => counts.get(trait)!.get(traits[trait]) ?? 0;
  while (picks.length < MOST_PICKS && pool.length > 0) {
    let at = 0;
    let most = -1;
    for (const [i, { worth, traits }] of pool.entries()) {
      if (worth <= most) break;
      let value = worth;
      for (const trait of TRAITS) {
        const { factor, free } = REPEATED[trait];
        value *= factor ** Math.max(0, countOf(trait, traits) - free);
      }
      if (value > most) {
        most = value;
        at = i;
      }
    }
    const [{ one, traits }] = pool.splice(at, 1) as [(typeof pool)[number]];
    picks.push(one);
    for (const trait of TRAITS) counts.get(trait)!.set(traits[trait], countOf(trait, traits) + 1);
  }
  return picks;
}

/** A long line takes the place of several short ones. */
function worthOf({ chance, line }: Weighed): number {
  return Math.exp(chance * CHANCE_WORTH) / (line.text.length + LINE_COST) ** LENGTH_COST;
}

type Traits = Record<Trait, string | number>;

function traitsOf(one: Weighed, total: number): Traits {
  return {
    kind: facet(one),
    pattern: one.pattern,
    frame: frameOfText(one.line.text),
    region: Math.floor((one.line.number / Math.max(total, 1)) * REGIONS),
  };
}

const WORD = /[\p{L}\p{N}_]+(?:[./\-@~+:][\p{L}\p{N}_]+)*/gu;
const MOST_FRAME_CHARS = 240;
/** Too few words to tell lines of one kind from unlike ones, such as settings. */
const LEAST_FRAME_WORDS = 4;

/** Returns what remains of a line without its words. A test suite or a trace prints many lines with one frame. */
function frameOfText(text: string): string {
  let words = 0;
  const frame = text.slice(0, MOST_FRAME_CHARS).replace(WORD, () => {
    words++;
    return 'w';
  });
  return words < LEAST_FRAME_WORDS ? text : frame.replace(/\s+/g, ' ');
}

function facet({ evidence, oddness, link, novelty }: Weighed): string {
  if (evidence.isConsequence) return 'consequence';
  if (evidence.weight > 0) return evidence.kind;
  return oddness > 0 ? 'odd' : link > novelty ? 'link' : 'novel';
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

function reasonOf({ evidence, oddness, link, novelty, beside }: Weighed): string {
  if (evidence.isConsequence) return 'consequence';
  if (evidence.weight >= 1) return WHY[evidence.kind];
  if (beside > 0) return evidence.differs ? 'difference' : 'beside a failure';
  if (oddness > 0) return 'unusual value';
  return link > novelty ? 'named by the failure' : 'unlike other lines';
}

/** Blank lines directly behind a ranked one. */
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
