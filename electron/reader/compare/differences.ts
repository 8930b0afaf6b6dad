/** Reads one output beside a baseline and collects what differs. It gives no weights: rank.ts does. */

import { countFitting } from '../../../shared/line-set.ts';
import { evidenceOf } from '../failure/evidence.ts';
import { type Baseline, type KnownMessage, TELLING_SURPRISE } from './baseline.ts';
import { type Message, type Value, variantsOf, wordsOf } from './messages.ts';
import type { MessageSink, ReadText } from './read-messages.ts';
import { hasKey, TELLING_WEIGHT } from './table.ts';

/** New messages that are kept. */
const MOST_NEW = 8 * 1024;
/** New messages that are kept when there are more: so many of the first, and so many that tell. */
const MOST_FIRST_NEW = 1024;
/** New messages that differ in one word: with more of them here and in the passes, the next run has others. */
const MOST_VARIANTS = 16;
/** Kinds of new messages that are counted. */
const MOST_KINDS = 256 * 1024;
/** Lines of new or changed messages that are kept. */
const MOST_LINES = 256 * 1024;
/** A count differs if it is beyond the passes' by this many lines, and twice as high or half as low. */
const LEAST_MORE = 3;

/** A message that no pass has. */
export interface NewMessage {
  readonly key: string;
  readonly text: string;
  readonly speaks: boolean;
  /** Its level is error. */
  readonly isError: boolean;
  readonly line: number;
  count: number;
}

/** A value that no pass has, in a message that they have. */
export interface NewValue {
  readonly known: KnownMessage;
  readonly text: string;
  readonly line: number;
  readonly surprise: number;
  count: number;
}

/** The lines of a difference, in order: those between two with nothing but blanks are joined. */
interface DifferingLine {
  readonly line: number;
  /** Only rules and blank lines are between it and the one before. */
  readonly joins: boolean;
  readonly of: NewMessage | NewValue;
}

/** Neighbours in the first pass that all passes have. */
interface GoneBlock {
  readonly messages: KnownMessage[];
  /** Line of the output behind which they are missing; 0 for the beginning. */
  readonly after: number;
  /** Nothing that all passes have came later. */
  isEnd: boolean;
}

export interface Differences {
  readonly fresh: NewMessage[];
  readonly changed: NewValue[];
  /** Values of a series that all passes have whole, not here. */
  readonly missing: { known: KnownMessage; text: string; count: number; after: number }[];
  /** Lines of known messages have values that no pass has, of a kind that differs from run to run. */
  readonly isVaried: boolean;
  /** Whether a message is one of many that differ in one word, here as in the passes, and are others in each run. */
  isOneOfMany(key: string): boolean;
  /** Messages with more or fewer lines than in the passes. */
  readonly counts: { known: KnownMessage; text: string; line: number; count: number }[];
  /** In every pass, not here: each block of neighbours in the first pass. */
  readonly gone: GoneBlock[];
  /** Once in each pass and here, in another order than in all of them. */
  readonly moved: { known: KnownMessage; line: number }[];
  readonly lines: DifferingLine[];
  readonly total: number;
  /** More differed than is kept. */
  readonly isCut: boolean;
  readonly isSampled: boolean;
  /** Lines whose beginning the passes have, but not their rest. */
  readonly differBehind: readonly number[];
}

/** Collects the differences of one output while its lines come, from the text or from its table. */
export class Comparer implements MessageSink {
  readonly #baseline: Baseline;
  readonly #fresh = new Map<string, NewMessage>();
  readonly #changed = new Map<string, NewValue>();
  readonly #seen = new Map<KnownMessage, { line: number; count: number; text: string }>();
  readonly #lines: DifferingLine[] = [];
  #hasSpoken = false;
  #last: DifferingLine['of'] | null = null;
  #isCut = false;
  readonly #differBehind: number[] = [];
  /** The values of series that were seen, with their lines. */
  readonly #series = new Map<
    KnownMessage,
    { slot: number; expected: string[]; lines: Map<string, number> } | null
  >();
  #isVaried = false;
  /** New messages, and those of the passes, by what they share with others but for one word. */
  readonly #newVariants = new Map<number, number>();
  #oldVariants: Map<number, number> | null = null;

  constructor(baseline: Baseline) {
    this.#baseline = baseline;
  }

  each(line: number, message: Message, count = 1): boolean {
    const known = this.#baseline.known.get(message.key);
    let of: DifferingLine['of'] | null = null;
    if (known) {
      const before = this.#seen.get(known);
      if (before) before.count += count;
      else this.#seen.set(known, { line, count, text: message.text });
      of = newValueOf(this.#baseline, known, message, line, count, this.#changed);
      this.#isVaried ||=
        of === null && message.values.some((value) => !known.slots.get(value.slot)?.values.has(value.text));
      this.#noteSeries(line, known, message);
    } else of = this.#newOf(line, message, count);
    if (of) this.#mark(line, of);
    else if (message.speaks) this.#last = null;
    if (message.speaks) this.#hasSpoken = true;
    return of !== null && 'speaks' in of;
  }

  #noteSeries(line: number, known: KnownMessage, { values }: Message): void {
    let series = this.#series.get(known);
    if (series === undefined) {
      const found = this.#baseline.seriesOf(known);
      series = found && { slot: found[0], expected: found[1], lines: new Map() };
      this.#series.set(known, series);
    }
    if (series === null) return;
    for (const { slot, text } of values) if (slot === series.slot) series.lines.set(text, line);
  }

  /** Finds what is missing of series that are otherwise whole. */
  #missing(): Differences['missing'] {
    const found: Differences['missing'] = [];
    for (const [known, series] of this.#series) {
      if (series === null) continue;
      const { expected, lines } = series;
      const values = expected.filter((value) => !lines.has(value));
      const isSame = lines.size + values.length === expected.length && 2 * values.length < expected.length;
      // A run that stopped early lacks the last ones.
      if (values.length > 0 && isSame && lines.has(expected.at(-1)!)) {
        const before = expected.slice(0, expected.indexOf(values[0]!)).map((value) => lines.get(value) ?? 0);
        // The message as it was with the first that is missing.
        const text = known.text.replace(expected[0]!, () => values[0]!);
        found.push({ known, text, count: values.length, after: Math.max(0, ...before) });
      }
    }
    return found;
  }

  rest(line: number, message: Message, rest: number): void {
    if (this.#baseline.rests.has(rest) || !this.#baseline.known.has(message.key)) return;
    if (this.#differBehind.length < MOST_NEW) this.#differBehind.push(line);
  }

  more({ key }: Message, count: number): void {
    const before = this.#seen.get(this.#baseline.known.get(key)!);
    if (before) before.count += count;
    else {
      const fresh = this.#fresh.get(key);
      if (fresh) fresh.count += count;
    }
  }

  /** `isOver`: not all messages were seen. `further`: hashes of messages that the output has, too. */
  found({ lines, isSampled, isOver }: ReadText, further: Uint32Array | null = null): Differences {
    const isComplete = (this.#hasSpoken || lines === 0) && !isOver;
    // Each is looked for among the messages of the passes: a millisecond or two.
    if (this.#fresh.size > 2 * MOST_FIRST_NEW) this.#makeRoom();
    const gone = isComplete ? goneOf(this.#baseline, this.#seen, further, lines === 0) : [];
    const missing = isComplete && !isSampled ? this.#missing() : [];
    const told = new Set(missing.map(({ known }) => known));
    const isWhole = isComplete && !isSampled && !gone.some(({ isEnd }) => isEnd);
    return {
      fresh: [...this.#fresh.values()],
      changed: [...this.#changed.values()],
      counts: countsOf(this.#baseline, this.#seen, isWhole).filter(({ known }) => !told.has(known)),
      gone,
      missing,
      isVaried: this.#isVaried,
      isOneOfMany: (key) => this.#manyOf(variantsOf(wordsOf(key))) !== -1,
      moved: isComplete ? movedOf(this.#baseline, this.#seen) : [],
      lines: this.#lines,
      total: lines,
      isCut: this.#isCut,
      isSampled,
      differBehind: this.#differBehind,
    };
  }

  #newOf(line: number, { key, text, speaks, isError }: Message, count: number): NewMessage | null {
    const known = this.#fresh.get(key);
    if (known) {
      known.count += count;
      return known;
    }
    if (this.#baseline.mayHave(key) || this.#isFurtherVariant(key, isError)) return null;
    if (this.#fresh.size >= MOST_NEW) this.#makeRoom();
    const found = { key, text, speaks, isError, line, count };
    this.#fresh.set(key, found);
    return found;
  }

  /** Whether enough variants of a new message are kept. The word in which it differs tells of no error. */
  #isFurtherVariant(key: string, isError: boolean): boolean {
    const words = wordsOf(key);
    const variants = variantsOf(words);
    for (const one of variants) {
      const count = this.#newVariants.get(one) ?? 0;
      if (count > 0 || this.#newVariants.size < MOST_KINDS) this.#newVariants.set(one, count + 1);
    }
    const at = isError ? -1 : this.#manyOf(variants);
    if (at === -1 || evidenceOf(words[at]!).weight > 0) return false;
    this.#isVaried = true;
    return true;
  }

  /** The place of the word in which a message differs from many others; -1 if there are not many. */
  #manyOf(variants: readonly number[]): number {
    const at = variants.findIndex((one) => (this.#newVariants.get(one) ?? 0) > MOST_VARIANTS);
    if (at === -1) return -1;
    this.#oldVariants ??= this.#baseline.variants();
    return (this.#oldVariants.get(variants[at]!) ?? 0) > MOST_VARIANTS ? at : -1;
  }

  /** Keeps the first new messages, and the last ones that tell of an error. */
  #makeRoom(): void {
    this.#isCut = true;
    const all = [...this.#fresh.values()];
    const telling = all
      .slice(MOST_FIRST_NEW)
      .filter(({ text, isError }) => isError || evidenceOf(text).weight >= TELLING_WEIGHT);
    this.#fresh.clear();
    for (const one of [...all.slice(0, MOST_FIRST_NEW), ...telling.slice(-MOST_FIRST_NEW)])
      this.#fresh.set(one.key, one);
  }

  #mark(line: number, of: DifferingLine['of']): void {
    if (this.#lines.length < MOST_LINES) this.#lines.push({ line, of, joins: this.#last !== null });
    else this.#isCut = true;
    this.#last = of;
  }
}

function newValueOf(
  baseline: Baseline,
  known: KnownMessage,
  { key, text, values }: Message,
  line: number,
  count: number,
  changed: Map<string, NewValue>,
): NewValue | null {
  let best = 0;
  let at = -1;
  for (const value of values) {
    const surprise = baseline.surprise(known, value);
    if (surprise > best) {
      best = surprise;
      at = value.slot;
    }
  }
  if (at < 0) return null;
  // It tells only if it is what differs.
  const isAgreed = ({ slot, kind, text }: Value) =>
    slot === at || kind === 'passing' || kind === 'measured' || known.slots.get(slot)?.values.has(text);
  if (best === TELLING_SURPRISE && !values.every(isAgreed)) return null;
  const id = `${key}\t${at}`;
  const before = changed.get(id);
  if (before) {
    before.count += count;
    return before;
  }
  if (changed.size >= MOST_NEW) return null;
  const found = { known, text, line, surprise: best, count };
  changed.set(id, found);
  return found;
}

type Seen = ReadonlyMap<KnownMessage, { line: number; count: number; text: string }>;

/** `isWhole`: the run did not stop early, so that one line less than in all passes tells. */
function countsOf({ passes }: Baseline, seen: Seen, isWhole: boolean): Differences['counts'] {
  const found: Differences['counts'] = [];
  for (const [known, { count, line, text }] of seen) {
    const { counts, speaks } = known;
    const least = Math.min(...counts);
    const most = Math.max(...counts);
    if (!speaks || least === 0 || (passes === 1 && most < LEAST_MORE)) continue;
    const beyond = Math.max(LEAST_MORE, 2 * (most - least) + 1);
    const isMore = count > 2 * most && count - most >= beyond;
    const isFewer = count < least / 2 && least - count >= beyond;
    // All passes agree.
    const isSteady = passes > 1 && most === least;
    const isOther = isSteady && (count > 2 * most || (isWhole && count < least && least > LEAST_MORE));
    if (isMore || isFewer || isOther) found.push({ known, text, line, count });
  }
  return found;
}

function goneOf(
  baseline: Baseline,
  seen: Seen,
  further: Uint32Array | null,
  isEmpty: boolean,
): Differences['gone'] {
  const mayBeHere = ({ key }: KnownMessage) => further !== null && hasKey(further, key);
  const steady = [...baseline.known.values()].filter((known) => isSteady(known) && !mayBeHere(known));
  steady.sort((a, b) => a.firsts[0]! - b.firsts[0]!);
  const blocks: GoneBlock[] = [];
  let block: KnownMessage[] | null = null;
  let after = 0;
  for (const known of steady) {
    const here = seen.get(known);
    if (here) {
      after = here.line;
      block = null;
    } else if (!known.speaks && !isEmpty) continue;
    else if (block) block.push(known);
    else {
      block = [known];
      blocks.push({ messages: block, after, isEnd: false });
    }
  }
  // Nothing that all passes print came after it: the run stopped early.
  if (block) blocks.at(-1)!.isEnd = true;
  return blocks;
}

/** In all passes, and so often that it is hardly missing by chance. */
function isSteady({ counts }: KnownMessage): boolean {
  const least = Math.min(...counts);
  return least > Math.max(...counts) - least;
}

/** Messages outside the longest run of messages in the passes' order; none that has parallel work beside it. */
function movedOf(baseline: Baseline, seen: Seen): Differences['moved'] {
  if (baseline.passes < 2) return [];
  const once = [...seen].filter(([{ counts }, { count }]) => count === 1 && counts.every((one) => one === 1));
  once.sort(([a], [b]) => a.firsts[0]! - b.firsts[0]!);
  const varies = once.map(() => false);
  for (let pass = 1; pass < baseline.passes; pass++) {
    const inOrder = longestRising(once.map(([known]) => known.firsts[pass]!));
    for (let i = 0; i < once.length; i++)
      if (!inOrder.has(i)) varies.fill(true, Math.max(0, i - BESIDE), i + BESIDE + 1);
  }
  const steady = once.filter((_, i) => !varies[i]);
  const rising = longestRising(steady.map(([, { line }]) => line));
  const places = new Map([...steady].sort(([, a], [, b]) => a.line - b.line).map(([known], i) => [known, i]));
  return steady.flatMap(([known, { line }], i) => {
    const isFar = Math.abs(places.get(known)! - i) >= FAR;
    return isFar && !rising.has(i) ? [{ known, line }] : [];
  });
}

/** Messages on both sides of one whose order varies that may vary, too. */
const BESIDE = 2;
/** Messages that a message must have passed. */
const FAR = 1;

/** Places of a longest rising subsequence. */
export function longestRising(numbers: readonly number[]): Set<number> {
  const ends: number[] = [];
  const before: number[] = [];
  for (const [i, number] of numbers.entries()) {
    const place = countFitting(ends.length, (index) => numbers[ends[index]!]! < number);
    before[i] = place > 0 ? ends[place - 1]! : -1;
    ends[place] = i;
  }
  const places = new Set<number>();
  for (let at = ends.at(-1) ?? -1; at >= 0; at = before[at]!) places.add(at);
  return places;
}
