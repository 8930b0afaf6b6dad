/**
 * Weighs the lines of the places that were read again: their evidence, and names that they share with the
 * end of the output.
 */
import { CloseLines, type ColumnSigns, compareColumns, NO_SIGNS, unlikeness } from './columns.ts';
import { type Evidence, evidenceOf, type LineKind } from './evidence.ts';
import { type CountedPlace, gather, Rarity } from './gather.ts';
import { DIFF_START } from './lexicon/structure.ts';
import type { LogLine, LogLines } from './log-lines.ts';
import type { FailureScanner } from './scan/scanner.ts';
import { namesIn, stemsIn } from './scan/tokens.ts';
import { WORD_GROUP } from './scan/words.ts';
import { type Placed, type Scope, scopeOf } from './scope.ts';

/** A line with what speaks for its being the cause. */
export interface Weighed {
  readonly line: LogLine;
  readonly evidence: Evidence;
  shape: number;
  novelty: number;
  /** How much it has to do with what the end says. */
  link: number;
  /** 0 to 0.3: share of its evidence that is added, since it precedes a consequence or follows an opening. */
  followed: number;
  /** How much its place suggests an explanation. */
  beside: number;
  /** How it differs from lines that are built alike. */
  columns: ColumnSigns;
  score: number;
  /** How likely it explains the failure (model.ts). */
  chance: number;
  /** How likely it explains the failure best (model.ts). */
  naming: number;
  /** Set by model.ts. */
  placed: Placed;
  /** The line with its rare words masked, so that lines printed by one statement have the same pattern. */
  pattern: string;
}

/** Returns the lines with the highest scores first. */
export function byScore(weighed: ReadonlyMap<number, Weighed>): Weighed[] {
  return [...weighed.values()].sort((a, b) => b.score - a.score);
}

/** Weighs a line once; later calls return the same result. */
export type WeighLine = (line: LogLine | undefined, from?: Partial<CountedPlace>) => Weighed | undefined;

const UNPLACED: Placed = { zone: 'failing', level: null, isError: false, isVerdict: false, message: '' };

/** Evidence of less is none. */
const LEAST_WEIGHT = 0.35;

/** Whether a line has no word for a failure. */
export const isSilent = ({ evidence }: Weighed): boolean => evidence.weight < LEAST_WEIGHT;

const GROUP: Record<LineKind, number> = {
  fatal: WORD_GROUP.fatal,
  exception: WORD_GROUP.fatal,
  label: WORD_GROUP.error,
  error: WORD_GROUP.error,
  reason: WORD_GROUP.reason,
  compare: WORD_GROUP.compare,
  mark: WORD_GROUP.mark,
  warn: WORD_GROUP.warn,
  soft: WORD_GROUP.soft,
  value: WORD_GROUP.soft,
  none: WORD_GROUP.success,
};

const TAIL_BYTES = 16 * 1024;
/** Lines at the end whose names lead to other lines. */
const TAIL_LINES = 14;
const MOST_ANCHORS = 400;
/** Lines at the end of the text, and of the failing step, that are weighed. */
const END_LINES = 40;
const STEP_END_BYTES = 12 * 1024;
/** In a text with no more than this, every line is weighed. */
const SHORT_LINES = 800;
const SHORT_BYTES = 96 * 1024;

export const isShort = ({ total, source }: LogLines) => total <= SHORT_LINES && source.size <= SHORT_BYTES;

export function weigh(
  scanner: FailureScanner,
  lines: LogLines,
  otherStreamEnd: readonly string[],
  scope: Scope = scopeOf([], scanner.lines),
): Map<number, Weighed> {
  const rarity = new Rarity(scanner);
  const weighed = new Map<number, Weighed>();
  const look = (line: LogLine | undefined, from?: Partial<CountedPlace>): Weighed | undefined => {
    if (!line) return undefined;
    let known = weighed.get(line.number);
    if (!known) {
      known = {
        line,
        evidence: evidenceOf(scope.hasSteps ? lines.messageOf(line) : line.text),
        shape: -1,
        novelty: 0,
        link: 0,
        followed: 0,
        beside: 0,
        columns: NO_SIGNS,
        score: 0,
        chance: 0,
        naming: 0,
        placed: UNPLACED,
        pattern: patternOf(line.text, scanner),
      };
      weighed.set(line.number, known);
    }
    known.novelty = Math.max(known.novelty, from?.novelty ?? 0);
    if (from?.shape !== undefined && from.shape >= 0) known.shape = from.shape;
    return known;
  };

  lines.loadTail(TAIL_BYTES);
  for (const place of gather(scanner, rarity, scope)) look(lines.load(place), place);
  for (const line of lines.last(END_LINES)) look(line);
  loadStepEnd(scope, weighed, lines);
  for (let n = scope.last; n > scope.last - END_LINES; n--) look(lines.get(n));
  if (isShort(lines)) for (const line of lines.all()) look(line);
  const patterns = new Map<string, number>();
  const score = (one: Weighed) => scoreOf(one, scanner, rarity, patterns.get(one.pattern) ?? 1);
  for (const { pattern } of weighed.values()) patterns.set(pattern, (patterns.get(pattern) ?? 0) + 1);
  for (const one of weighed.values()) one.score = score(one);

  follow(weighed, lines, look);
  for (const one of weighed.values()) one.score = score(one);

  link(weighed, scanner, lines, look, otherStreamEnd);
  addUnlike(weighed, lines, look);
  for (const one of weighed.values()) one.score = score(one);
  return weighed;
}

const MOST_UNLIKE = 60;
const LEAST_UNLIKENESS = 0.1;

/** Adds the lines whose values differ most from those of lines that are built alike. */
function addUnlike(weighed: Map<number, Weighed>, lines: LogLines, look: WeighLine): void {
  const close = new CloseLines(lines.source, lines.total);
  const signs = compareColumns(close);
  const unlike = [...signs.keys()].filter((i) => unlikeness(signs[i]!) > LEAST_UNLIKENESS);
  unlike.sort((a, b) => unlikeness(signs[b]!) - unlikeness(signs[a]!));
  for (const i of unlike.slice(0, MOST_UNLIKE)) {
    look(lines.load({ line: close.numbers[i]!, offset: close.offsets[i]! }));
  }
  for (const one of weighed.values()) one.columns = signs[close.indexOf(one.line.number)] ?? NO_SIGNS;
}

/** The end of a step is read from the gathered line nearest to it. */
function loadStepEnd({ last }: Scope, weighed: ReadonlyMap<number, Weighed>, lines: LogLines): void {
  if (lines.get(last)) return;
  let nearest: LogLine | undefined;
  for (const { line } of weighed.values()) {
    if (line.number <= last && (!nearest || line.number > nearest.number)) nearest = line;
  }
  if (nearest) lines.load({ line: nearest.number, offset: nearest.offset }, STEP_END_BYTES, STEP_END_BYTES);
}

/** A shape with less novelty came where most lines were new, as in a document, a listing or a source text. */
const DOCUMENT_NOVELTY = 0.6;
/** Matches indented text, or text after a drawn tree: part of a document rather than a message. */
const INSIDE = /^(?:\s\s|\t|[\s│├└|]+\S)/u;

function scoreOf(one: Weighed, { shapes }: FailureScanner, rarity: Rarity, alike: number): number {
  const { evidence } = one;
  const count = Math.max(alike, one.shape >= 0 ? shapes.counts[one.shape]! : 1);
  const group = evidence.kind === 'none' ? 1 : rarity.of(GROUP[evidence.kind]);
  let score = (evidence.weight * group) / (1 + 0.25 * Math.log2(count));
  if (one.shape >= 0) {
    const novelty = shapes.novelty[one.shape]! / 255;
    score *= 0.65 + 0.35 * novelty;
    if (novelty < DOCUMENT_NOVELTY && INSIDE.test(one.line.text)) score *= 0.35;
  }
  score = score * (1 + one.followed) + one.beside;
  const damp = evidence.surrounds || evidence.isCalm ? 0.4 : 1;
  return score * (1 + 0.25 * one.novelty) + damp * (1.8 * one.novelty + 1.1 * one.link);
}

/**
 * Weighs the lines before a consequence, which may have caused it, and the lines after an opening, which it introduces.
 */
function follow(weighed: Map<number, Weighed>, lines: LogLines, look: WeighLine): void {
  const starts = byScore(weighed);
  for (const one of starts.filter(({ evidence }) => evidence.isConsequence).slice(0, 24)) {
    lines.load({ line: one.line.number, offset: one.line.offset }, 4096, 1024);
    let best: Weighed | undefined;
    for (let n = one.line.number - 1; n > one.line.number - 30; n--) {
      const before = look(lines.get(n));
      if (!before) break;
      if (before.evidence.isConsequence || before.evidence.isCalm) continue;
      if (before.evidence.weight > (best?.evidence.weight ?? 1)) best = before;
    }
    if (best) best.followed = Math.max(best.followed, 0.25);
  }
  for (const one of starts.filter(isHeading).slice(0, 24)) {
    lines.load({ line: one.line.number, offset: one.line.offset }, 256, 1024);
    for (const listed of itemsUnder(one.line, lines)) {
      const item = look(listed);
      if (item) item.beside = Math.max(item.beside, 1.2);
    }
  }
  for (const one of starts.filter(({ evidence }) => evidence.opens).slice(0, 24)) {
    lines.load({ line: one.line.number, offset: one.line.offset }, 1024, 6144);
    const after: Weighed[] = [];
    for (let n = one.line.number + 1; n < one.line.number + 45; n++) {
      const next = look(lines.get(n));
      if (!next) break;
      if (next.evidence.opens && next.evidence.kind === 'mark' && after.length > 2) break;
      after.push(next);
    }
    const isDiff = DIFF_START.test(one.line.text);
    let extra = isDiff ? 6 : 4;
    for (const next of after.slice(0, isDiff ? 30 : 10)) {
      if (extra === 0 || (isDiff && !next.evidence.differs)) continue;
      if (next.line.text.trim().length < 2 || next.evidence.surrounds || next.evidence.isCalm) continue;
      next.beside = Math.max(next.beside, isDiff ? 2.4 : next.evidence.differs ? 1.6 : 0.8);
      extra--;
    }
    after.sort((a, b) => b.evidence.weight - a.evidence.weight);
    for (const [i, next] of after.slice(0, 3).entries()) {
      if (next.evidence.weight > 0) next.followed = Math.max(next.followed, 0.3 - 0.1 * i);
    }
  }
}

const HEADING_WEIGHT = 2;
const MOST_ITEMS = 3;

/** Returns whether a line names a problem and ends with a colon: the lines under it say more. */
function isHeading({ line, evidence }: Weighed): boolean {
  const { weight, isCalm, surrounds } = evidence;
  return weight >= HEADING_WEIGHT && !isCalm && !surrounds && line.text.trimEnd().endsWith(':');
}

/** The first lines under a heading that are indented more, after a blank one at most. */
function itemsUnder(heading: LogLine, lines: LogLines): LogLine[] {
  const items: LogLine[] = [];
  for (let number = heading.number + 1; items.length < MOST_ITEMS; number++) {
    const line = lines.get(number);
    const isBlank = line?.text.trim() === '';
    if (isBlank && number === heading.number + 1) continue;
    if (!line || isBlank || indentOf(line.text) <= indentOf(heading.text)) break;
    items.push(line);
  }
  return items;
}

const indentOf = (text: string) => text.length - text.trimStart().length;

/** Strong lines share plain words anyway. */
const NO_PLAIN_WORD = /[\d._/@~+-]|[a-z][A-Z]/;

/** Names that the end, the other stream and the strongest lines mention lead to other lines that mention them. */
function link(
  weighed: Map<number, Weighed>,
  scanner: FailureScanner,
  lines: LogLines,
  look: WeighLine,
  otherStreamEnd: readonly string[],
): void {
  const anchors = new Map<number, { weight: number; from: number }>();
  const anchor = (text: string, weight: number, from: number, which = /./) => {
    for (const [hash, name] of [...namesIn(text), ...stemsIn(text)]) {
      if (!which.test(name)) continue;
      const count = scanner.names.countOf(hash);
      if (count > 24 || anchors.size > MOST_ANCHORS) continue;
      const known = anchors.get(hash);
      const value = weight * (1 - Math.log2(Math.max(2, count)) / 6);
      // Named by several lines, it leads to each of them.
      const only = known && known.from !== from ? 0 : from;
      anchors.set(hash, { weight: Math.max(known?.weight ?? 0, value), from: only });
    }
  };
  for (const [i, line] of lines.last(TAIL_LINES).entries()) anchor(line.text, 1 - 0.04 * i, line.number);
  for (const line of otherStreamEnd) anchor(line, 1, 0);
  for (const one of byScore(weighed).slice(0, 6)) anchor(one.line.text, 0.8, one.line.number, NO_PLAIN_WORD);
  for (const hash of anchors.keys()) {
    for (const place of scanner.names.placesOf(hash)) look(lines.load(place));
  }
  for (const one of weighed.values()) {
    const shared: number[] = [];
    for (const hash of namesIn(one.line.text).keys()) {
      const found = anchors.get(hash);
      if (found && found.from !== one.line.number) shared.push(found.weight);
    }
    shared.sort((a, b) => b - a);
    one.link = shared.slice(0, 3).reduce((sum, weight, i) => sum + weight * 0.5 ** i, 0);
  }
}

const WORD = /[\p{L}\p{N}_]+(?:[./\-@~+][\p{L}\p{N}_]+)*/gu;
/** Time and name of a service, before what it says. */
const SOURCE =
  /^(?:[^|]{1,40}\|\s|(?:\S+ ){1,6}?[\w./-]{1,40}\[\d+\]:\s|.{0,90}?(?=\b(?:ERROR|WARN(?:ING)?|INFO|NOTICE|DEBUG|TRACE|FATAL|CRITICAL)\b))/u;
const HAS_DIGIT = /\d/;
const MOST_PATTERN_CHARS = 240;

/** A pattern without a word would match every name with its value, so such a line keeps its words. */
function patternOf(text: string, scanner: FailureScanner): string {
  const shortened = text.slice(0, MOST_PATTERN_CHARS).replace(SOURCE, '');
  let fixed = 0;
  const pattern = shortened.replace(WORD, (word) => {
    if (HAS_DIGIT.test(word)) return '0';
    if (word.length >= 3 && scanner.wordCount(word) <= 3) return '*';
    fixed++;
    return word;
  });
  return fixed > 0 ? pattern : shortened.replace(WORD, (word) => (HAS_DIGIT.test(word) ? '0' : word));
}
