/**
 * Joins the messages of several runs that passed: how often each run printed a message, and which of its values vary.
 * A difference counts only if no pass differs from the others in the same way. Memory is bounded: beyond MOST_KNOWN
 * messages, only a hash of each is kept.
 */
import { type Message, type Value, variantsOf, wordsOf } from './messages.ts';
import {
  addKey,
  addKeys,
  hasKey,
  type MessageTable,
  MOST_KNOWN,
  MOST_VALUES,
  membersOf,
  newKeySet,
  samplesOf,
  sizeOf,
} from './table.ts';

const LEAST_SERIES = 4;
/** Passes that a bit mask holds. */
export const MOST_PASSES = 30;

export interface KnownMessage {
  readonly key: string;
  readonly text: string;
  readonly speaks: boolean;
  /** Lines in each pass. */
  readonly counts: number[];
  /** First line in each pass; 0 where it has none. */
  readonly firsts: number[];
  readonly slots: Map<number, Slot>;
  /** Its first lines with different values, in the first pass. */
  readonly samples: { line: number; text: string }[];
}

/** The values that stood at one place of a message. */
interface Slot {
  /** With the passes that had it, as bits. */
  readonly values: Map<string, number>;
  /** More values than are kept. */
  isMany: boolean;
  /** A value was a time, a hash or the like. */
  isPassing: boolean;
  /** All values were numbers. */
  isNumeric: boolean;
  least: number;
  most: number;
}

export class Baseline {
  readonly passes: number;
  readonly known = new Map<string, KnownMessage>();
  /** Hashes of the rests of long lines. */
  readonly rests = new Set<number>();
  /** Set where more messages came than are kept. */
  isFull = false;
  #further: Uint32Array | null = null;
  #isOver = false;

  constructor(passes: number) {
    this.passes = passes;
  }

  addTable(pass: number, table: MessageTable): void {
    for (const { line, count, message, many } of samplesOf(table))
      this.#add(pass, line, message, count, many);
    for (const [, rest] of table.rests) this.rests.add(rest);
    if (table.isOver) this.#isOver = true;
    if (!table.further) return;
    this.isFull = true;
    if (this.#further) addKeys(this.#further, table.further);
    else this.#further = table.further.slice();
  }

  /** Takes `count` lines, of which the first is `line`. `many`: slots with more values than were kept. */
  #add(pass: number, line: number, message: Message, count: number, many: readonly number[] = []): void {
    const { key, text, values, speaks } = message;
    let known = this.known.get(key);
    if (!known) {
      if (this.known.size >= MOST_KNOWN) {
        this.isFull = true;
        this.#further ??= newKeySet();
        addKey(this.#further, key);
        return;
      }
      const none = () => new Array<number>(this.passes).fill(0);
      known = { key, text, speaks, counts: none(), firsts: none(), slots: new Map(), samples: [] };
      this.known.set(key, known);
    }
    if (known.counts[pass] === 0) known.firsts[pass] = line;
    if (pass === 0 && known.samples.length < MOST_VALUES) known.samples.push({ line, text });
    known.counts[pass]! += count;
    for (const value of values) addValue(slotOf(known, value.slot), value, 1 << pass);
    for (const at of many) makeMany(slotOf(known, at));
  }

  /** Whether a pass had the message, and none of its values surprises. */
  has(message: Message | null): boolean {
    const known = message && this.known.get(message.key);
    return known ? message.values.every((value) => this.surprise(known, value) === 0) : false;
  }

  /** Whether a pass may have had the message although it is not in `known`. */
  mayHave(key: string): boolean {
    return this.#isOver || (this.#further !== null && hasKey(this.#further, key));
  }

  /** Counts the messages that differ in one word, by what they have in common (`variantsOf`). */
  variants(): Map<number, number> {
    const counts = new Map<number, number>();
    for (const key of this.known.keys())
      for (const one of variantsOf(wordsOf(key))) counts.set(one, (counts.get(one) ?? 0) + 1);
    return counts;
  }

  /** How many of the keys in a set no pass can have had. */
  unknownIn(keys: Uint32Array): number {
    if (this.#isOver) return 0;
    const had = this.#further?.slice() ?? newKeySet();
    for (const key of this.known.keys()) addKey(had, key);
    return sizeOf(keys, had);
  }

  /** Values that each pass had once, in as many lines: a series. Null if the message has none. */
  seriesOf({ counts, slots }: KnownMessage): [slot: number, values: string[]] | null {
    for (const [at, { values, isMany, isPassing }] of slots) {
      const isOnce = !isMany && values.size >= LEAST_SERIES && counts.every((count) => count === values.size);
      if (!isOnce || isPassing) continue;
      if ([...values.values()].every((mask) => membersOf(mask) === this.passes))
        return [at, [...values.keys()]];
    }
    return null;
  }

  /** How many passes had it. */
  passesOf({ counts }: KnownMessage): number {
    return counts.reduce((sum, count) => sum + (count > 0 ? 1 : 0), 0);
  }

  /**
   * How much a value that no pass had tells: 0 where the slot varies among the passes, so that each new run may have a
   * new one; 1 where all passes had one and the same.
   */
  surprise(known: KnownMessage, value: Value): number {
    const slot = known.slots.get(value.slot);
    if (!slot || slot.isPassing || value.kind === 'passing' || slot.values.has(value.text)) return 0;
    const passes = this.passesOf(known);
    if (passes === 1) return this.passes === 1 ? surpriseOfOne(known, slot, value) : 0;
    const all = [...slot.values.values()].every((mask) => membersOf(mask) === passes);
    // A message that some passes lack may well differ.
    const share = passes === this.passes ? 1 : 0.5;
    if (all && slot.values.size === 1) return share;
    if (all && !slot.isMany && value.kind !== 'number') return TELLING_SURPRISE * share;
    if (value.kind === 'share') return isFar(slot, numberOf(value)) ? TELLING_SURPRISE : 0;
    if (value.kind !== 'number' || !slot.isNumeric || slot.most > CLOSE_FACTOR * slot.least) return 0;
    const number = numberOf(value);
    return number > 2 * slot.most || number < slot.least / 2 ? TELLING_SURPRISE : 0;
  }
}

/** Whether a percentage is further from those of the passes than chance takes it. */
function isFar({ least, most }: Slot, share: number): boolean {
  return Math.max(least - share, share - most) >= Math.max(LEAST_FAR, 4 * (most - least));
}

/** Percent. */
const LEAST_FAR = 20;
/** Numbers that differ from pass to pass by no more than this factor are an amount; others are ids. */
const CLOSE_FACTOR = 1.3;
/** The surprise of a value that tells only if the message's other values agree, such as a number of failures. */
export const TELLING_SURPRISE = 0.6;
/** Lines of one pass that show a value to be constant. */
const CONSTANT_LINES = 3;

/** With one pass, only what it shows to be constant, or what has a name, is worth a word. */
function surpriseOfOne({ counts }: KnownMessage, slot: Slot, value: Value): number {
  if (slot.isMany || value.kind === 'measured' || value.kind === 'share') return 0;
  const isConstant = slot.values.size === 1;
  if (isConstant && value.tells) return TELLING_SURPRISE;
  if (counts.reduce((sum, count) => sum + count, 0) >= CONSTANT_LINES) return isConstant ? 0.5 : 0;
  if (value.kind === 'name') return 0.3;
  return isConstant && (numberOf(value) === 0) !== (slot.most === 0) ? 0.4 : 0;
}

const numberOf = ({ text }: Value): number => Number(text.replaceAll(',', ''));

function slotOf({ slots }: KnownMessage, at: number): Slot {
  const known = slots.get(at);
  if (known) return known;
  const slot = {
    values: new Map(),
    isMany: false,
    isPassing: false,
    isNumeric: true,
    least: Number.POSITIVE_INFINITY,
    most: Number.NEGATIVE_INFINITY,
  };
  slots.set(at, slot);
  return slot;
}

function makeMany(slot: Slot): void {
  slot.isMany = true;
  slot.values.clear();
}

function addValue(slot: Slot, value: Value, pass: number): void {
  if (value.kind === 'passing') {
    slot.isPassing = true;
    return;
  }
  if (value.kind === 'number' || value.kind === 'share') {
    const number = numberOf(value);
    if (number < slot.least) slot.least = number;
    if (number > slot.most) slot.most = number;
  }
  if (value.kind !== 'number') slot.isNumeric = false;
  if (slot.isMany) return;
  const known = slot.values.get(value.text);
  if (known === undefined && slot.values.size >= MOST_VALUES) makeMany(slot);
  else slot.values.set(value.text, (known ?? 0) | pass);
}

/** Whether a set of passes has one member. */
export function isOnePass(passes: number): boolean {
  return (passes & (passes - 1)) === 0;
}
