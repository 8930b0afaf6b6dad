/**
 * Weighs lines that were read again: by their evidence, by where they are, and by how they differ from similar lines.
 */
import { rareValues } from './columns.ts';
import { type Evidence, evidenceOf } from './evidence.ts';
import { type CountedPlace, gather } from './gather.ts';
import { DIFF_START } from './lexicon/structure.ts';
import type { LogLine, LogLines } from './log-lines.ts';
import { type FailedText, type Placed, Places } from './scope.ts';

/** A line with what speaks for its being the cause. */
export interface Weighed {
  readonly line: LogLine;
  readonly evidence: Evidence;
  readonly placed: Placed;
  /** The line with its rare words masked, so that lines printed by one statement have the same pattern. */
  readonly pattern: string;
  shape: number;
  /** How many lines have its pattern or its shape. */
  alike: number;
  /** How unusual a new shape was there, 0 to 1. */
  isNew: number;
  novelty: number;
  /** Share of its evidence that is added, since it precedes a consequence or follows an opening. */
  followed: number;
  /** How much its place suggests an explanation. */
  beside: number;
  /** How rare its rarest value is among lines that are built alike (columns.ts). */
  rare: number;
  /** How likely it explains the failure (model.ts). */
  chance: number;
  /** How likely it explains the failure best (model.ts). */
  naming: number;
}

/** Evidence that nearly every line has says less: by a quarter for each doubling of lines that are alike. */
const REPEATED = 0.25;
/** So much a line gains by its unlikeness alone, without any evidence. */
const NOVELTY_WORTH = 1.8;

/**
 * Evidence counts so much where most lines are new, as in a document or a listing, and with less novelty than NOVEL it
 * counts less still in an indented line or behind a drawn tree: that is part of what is listed.
 */
const IN_DOCUMENT = 0.65;
const NOVEL = 0.6;
const INSIDE = /^(?:\s\s|\t|[\s│├└|]+\S)/u;
const INSIDE_WORTH = 0.35;

/** How much its words, its place and its unlikeness suggest an explanation. */
export function scoreOf({ line, evidence, alike, isNew, followed, beside, novelty }: Weighed): number {
  const inside = isNew < NOVEL && INSIDE.test(line.text) ? INSIDE_WORTH : 1;
  const here = (IN_DOCUMENT + (1 - IN_DOCUMENT) * isNew) * inside;
  const worth = (evidence.weight * here) / (1 + REPEATED * Math.log2(alike));
  return worth * (1 + followed) + beside + NOVELTY_WORTH * novelty;
}

/** Evidence of less is none. */
const LEAST_WEIGHT = 0.35;

/** Whether a line has no word for a failure. */
export const isSilent = ({ evidence }: Weighed): boolean => evidence.weight < LEAST_WEIGHT;

/** Lines with a lower score are not candidates. */
const LEAST_SCORE = 0.1;
const MOST_CANDIDATES = 900;
/** In a text with no more than this, every line is weighed. */
const SHORT_LINES = 800;
const SHORT_BYTES = 96 * 1024;

/** Returns the lines that may explain the failure, with what speaks for them, best first. */
export function candidatesOf(text: FailedText): Weighed[] {
  const { lines } = text;
  const isShort = lines.total <= SHORT_LINES && lines.source.size <= SHORT_BYTES;
  const worthOf = (one: Weighed) => scoreOf(one) + one.rare;
  return new Weighing(text)
    .weigh(isShort)
    .filter((one) => (isShort || worthOf(one) > LEAST_SCORE) && one.placed.message.trim() !== '')
    .sort((a, b) => worthOf(b) - worthOf(a))
    .slice(0, MOST_CANDIDATES);
}

const TAIL_BYTES = 16 * 1024;
/** Lines at the end of the text, and of the failing step, that are weighed. */
const END_LINES = 40;
/** Bytes of a long text's beginning and end whose lines are compared with those built alike. */
const COMPARED = { head: 96 * 1024, tail: 160 * 1024 };
const MOST_RARE = 60;
const LEAST_RARE = 0.1;
/** So many lines of each kind are followed, the strongest first. */
const MOST_FOLLOWED = 24;
/** How much is read again before a consequence and after an opening, in bytes and in lines. */
const BEFORE_CONSEQUENCE = { bytes: 4096, lines: 30 };
const AFTER_OPENING = { bytes: 6144, lines: 45 };
/** Share by which the evidence of the strongest line before a consequence grows: it may have caused it. */
const CAUSES = 0.25;
/** Shares by which the evidence of the strongest lines after an opening grows: they are what it introduces. */
const INTRODUCED = [0.3, 0.2, 0.1];
/** Lines that are worth showing for their place alone: how far from its start, how many, and their worth. */
const BESIDE = {
  /** A diff says what differs in its marked lines. */
  diff: { lines: 30, most: 6, worth: 2.4 },
  /** A test's name comes before its message, which may have marked lines too. */
  other: { lines: 10, most: 4, worth: 0.8 },
};
const DIFFERING_WORTH = 1.6;
const LISTED_WORTH = 1.2;

class Weighing {
  readonly #text: FailedText;
  readonly #lines: LogLines;
  readonly #places: Places;
  readonly #weighed = new Map<number, Weighed>();

  constructor(text: FailedText) {
    this.#text = text;
    this.#lines = text.lines;
    this.#lines.loadTail(TAIL_BYTES);
    this.#places = new Places(text);
  }

  weigh(isShort: boolean): Weighed[] {
    const { scanner, scope } = this.#text;
    const lines = this.#lines;
    for (const place of gather(scanner, scope)) this.#look(lines.load(place), place);
    for (const line of lines.last(END_LINES)) this.#look(line);
    for (let n = scope.last; n > scope.last - END_LINES; n--) this.#look(lines.get(n));
    if (isShort) for (const line of lines.all()) this.#look(line);
    this.#countAlike();
    this.#follow();
    this.#addRare();
    this.#countAlike();
    return [...this.#weighed.values()];
  }

  /** Weighs a line once; later calls return the same result. */
  #look(line: LogLine | undefined, from?: CountedPlace): Weighed | undefined {
    if (!line) return undefined;
    const known = this.#weighed.get(line.number) ?? this.#weighedAtFirst(line);
    known.novelty = Math.max(known.novelty, from?.novelty ?? 0);
    if (from && from.shape >= 0) {
      known.shape = from.shape;
      known.isNew = this.#text.scanner.shapes.novelty[from.shape]! / 255;
    }
    return known;
  }

  #weighedAtFirst(line: LogLine): Weighed {
    const { scanner, scope } = this.#text;
    const evidence = evidenceOf(scope.hasSteps ? this.#lines.messageOf(line) : line.text);
    const one: Weighed = {
      line,
      evidence,
      placed: this.#places.of(line, evidence),
      pattern: patternOf(line.text, (word) => scanner.wordCount(word)),
      ...{ shape: -1, alike: 1, isNew: 1, novelty: 0, rare: 0, followed: 0, beside: 0, chance: 0, naming: 0 },
    };
    this.#weighed.set(line.number, one);
    return one;
  }

  #countAlike(): void {
    const { counts } = this.#text.scanner.shapes;
    const patterns = new Map<string, number>();
    for (const { pattern } of this.#weighed.values()) patterns.set(pattern, (patterns.get(pattern) ?? 0) + 1);
    for (const one of this.#weighed.values()) {
      one.alike = Math.max(patterns.get(one.pattern)!, one.shape < 0 ? 1 : counts[one.shape]!);
    }
  }

  #follow(): void {
    const starts = [...this.#weighed.values()].sort((a, b) => scoreOf(b) - scoreOf(a));
    const followed = (is: (one: Weighed) => boolean) => starts.filter(is).slice(0, MOST_FOLLOWED);
    for (const { line } of followed(({ evidence }) => evidence.isConsequence)) this.#followBack(line);
    for (const { line } of followed(isHeading)) {
      this.#lines.load({ line: line.number, offset: line.offset });
      for (const listed of itemsUnder(line, this.#lines)) {
        const item = this.#look(listed);
        if (item) item.beside = Math.max(item.beside, LISTED_WORTH);
      }
    }
    for (const { line } of followed(({ evidence }) => evidence.opens)) this.#followOpening(line);
  }

  /** Weighs the lines before a consequence, which may have caused it. */
  #followBack({ number, offset }: LogLine): void {
    this.#lines.load({ line: number, offset }, BEFORE_CONSEQUENCE.bytes);
    let best: Weighed | undefined;
    for (let n = number - 1; n > number - BEFORE_CONSEQUENCE.lines; n--) {
      const before = this.#look(this.#lines.get(n));
      if (!before) break;
      const { isConsequence, isCalm, weight } = before.evidence;
      if (!isConsequence && !isCalm && weight > (best?.evidence.weight ?? 1)) best = before;
    }
    if (best) best.followed = Math.max(best.followed, CAUSES);
  }

  /** Weighs the lines after an opening, such as a failed test's name or the beginning of a traceback. */
  #followOpening({ number, offset, text: opening }: LogLine): void {
    this.#lines.load({ line: number, offset }, undefined, AFTER_OPENING.bytes);
    const after: Weighed[] = [];
    for (let n = number + 1; n < number + AFTER_OPENING.lines; n++) {
      const next = this.#look(this.#lines.get(n));
      if (!next || (next.evidence.opens && next.evidence.kind === 'mark' && after.length > 2)) break;
      after.push(next);
    }
    const isDiff = DIFF_START.test(opening);
    const beside = isDiff ? BESIDE.diff : BESIDE.other;
    const isWorth = ({ line: { text }, evidence: { differs, surrounds, isCalm } }: Weighed) =>
      (differs || !isDiff) && text.trim().length > 1 && !surrounds && !isCalm;
    for (const next of after.slice(0, beside.lines).filter(isWorth).slice(0, beside.most)) {
      next.beside = Math.max(next.beside, next.evidence.differs && !isDiff ? DIFFERING_WORTH : beside.worth);
    }
    after.sort((a, b) => b.evidence.weight - a.evidence.weight);
    for (const [i, share] of INTRODUCED.entries()) {
      const next = after[i];
      if (next && next.evidence.weight > 0) next.followed = Math.max(next.followed, share);
    }
  }

  /** Adds the lines whose values differ most from those of lines that are built alike. */
  #addRare(): void {
    const rare = rareValues(this.#lines.ends(COMPARED.head, COMPARED.tail));
    const most = [...rare].filter(([, worth]) => worth > LEAST_RARE).sort((a, b) => b[1] - a[1]);
    for (const [number] of most.slice(0, MOST_RARE)) this.#look(this.#lines.get(number));
    for (const one of this.#weighed.values()) one.rare = rare.get(one.line.number) ?? 0;
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

const WORD = /[\p{L}\p{N}_]+(?:[./\-@~+][\p{L}\p{N}_]+)*/gu;
/** Time and name of a service, before what it says. */
const SOURCE =
  /^(?:[^|]{1,40}\|\s|(?:\S+ ){1,6}?[\w./-]{1,40}\[\d+\]:\s|.{0,90}?(?=\b(?:ERROR|WARN(?:ING)?|INFO|NOTICE|DEBUG|TRACE|FATAL|CRITICAL)\b))/u;
const HAS_DIGIT = /\d/;
const MOST_PATTERN_CHARS = 240;

/** A pattern without a word would match every name with its value, so such a line keeps its words. */
function patternOf(text: string, countOf: (word: string) => number): string {
  const shortened = text.slice(0, MOST_PATTERN_CHARS).replace(SOURCE, '');
  let fixed = 0;
  const pattern = shortened.replace(WORD, (word) => {
    if (HAS_DIGIT.test(word)) return '0';
    if (word.length >= 3 && countOf(word) <= 3) return '*';
    fixed++;
    return word;
  });
  return fixed > 0 ? pattern : shortened.replace(WORD, (word) => (HAS_DIGIT.test(word) ? '0' : word));
}
