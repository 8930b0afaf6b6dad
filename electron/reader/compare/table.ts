/**
 * The table of a text's messages: some lines of each message, with counts. A comparison needs nothing else of an
 * output. The table of a finished run is stored beside it, if it is small enough.
 */

import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib';
import { usualSecrets } from '../../../shared/secrets/mask.ts';
import { evidenceOf } from '../failure/evidence.ts';
import type { ReadingSteps } from '../failure/explanation.ts';
import { hashOf, type Message, messages, variantsOf, wordsOf } from './messages.ts';
import { type ComparedText, type ReadLimits, type ReadText, readMessages } from './read-messages.ts';

/** Messages with counts and values. */
export const MOST_KNOWN = 16 * 1024;
/** Values of one slot that are kept; with more it varies. */
export const MOST_VALUES = 24;

export interface MessageTable extends ReadText {
  bytes: number;
  /** In order of their lines. */
  samples: Sample[];
  /** Lines longer than their message's text, with a hash of the rest. */
  rests: [line: number, rest: number][];
  /** Set where there are more messages than are kept: hashes of the others. */
  further: Uint32Array | null;
  /** The others are variants of messages that have samples, differ from them in one word, and tell of no error. */
  hasAllKinds: boolean;
}

/**
 * A line that stands for `count` lines with the same message. `many` has the slots of the message with more values than
 * are kept; the first line has it.
 */
type Sample = [line: number, count: number, mark: Message['mark'], text: string, many?: readonly number[]];

export function* makingTable(text: ComparedText, limits?: ReadLimits): ReadingSteps<MessageTable> {
  const maker = new TableMaker();
  const read = yield* readMessages(text, maker, limits);
  return {
    ...read,
    bytes: text.size,
    isSampled: read.isSampled || maker.rests.length >= MOST_RESTS,
    samples: maker.samples(),
    rests: maker.rests,
    further: maker.further,
    hasAllKinds: maker.further === null,
  };
}

export function* samplesOf({ samples }: MessageTable) {
  for (const [line, count, mark, text, many] of samples)
    yield { line, count, message: messages.ofText(text, mark), many };
}

/** The values at one place of a message, as far as they are kept. */
interface Place {
  /** By their texts, with the first sample of each. */
  values: Map<string, Sample>;
  isMany: boolean;
  least: Extreme | null;
  most: Extreme | null;
  /** The first samples that have something else than a number there; the second one differs in every run. */
  other: Sample | null;
  passing: Sample | null;
}
interface Extreme {
  number: number;
  sample: Sample;
}
interface Known {
  first: Sample;
  /** Later samples that have a new value. */
  further: Sample[];
  places: Map<number, Place>;
}

/** Different rests of long lines that are kept. */
const MOST_RESTS = 1024;

class TableMaker {
  further: Uint32Array | null = null;
  readonly rests: [line: number, rest: number][] = [];
  readonly #seenRests = new Set<number>();
  readonly #known = new Map<string, Known>();

  each(line: number, message: Message): boolean {
    const { key, mark, text } = message;
    let known = this.#known.get(key);
    if (!known && this.#known.size >= MOST_KNOWN) {
      this.further ??= newKeySet();
      addKey(this.further, key);
      return false;
    }
    const sample: Sample = [line, 1, mark, text];
    if (!known) {
      known = { first: sample, further: [], places: new Map() };
      this.#known.set(key, known);
      note(known, message, sample);
      return false;
    }
    const same = note(known, message, sample);
    if (same === null) known.further.push(sample);
    else same[1]++;
    return false;
  }

  isEnough({ key }: Message): boolean {
    const known = this.#known.get(key);
    const places = known ? [...known.places.values()] : [];
    return known !== undefined && places.every((place) => place.isMany || place.values.size === 0);
  }

  rest(line: number, _: Message, rest: number): void {
    if (this.rests.length >= MOST_RESTS || this.#seenRests.has(rest)) return;
    this.#seenRests.add(rest);
    this.rests.push([line, rest]);
  }

  more({ key }: Message, count: number): void {
    const known = this.#known.get(key);
    if (known) known.first[1] += count;
  }

  /** In the order of their lines. */
  samples(): Sample[] {
    return [...this.#known.values()].flatMap(samplesOfOne).sort((a, b) => a[0] - b[0]);
  }
}

/** Notes the values of a sample. Returns the kept sample that has the same; null if none has. */
function note({ first, places }: Known, { values }: Message, sample: Sample): Sample | null {
  let same: Sample | null = first;
  let isNew = false;
  for (const { slot, text, kind } of values) {
    let place = places.get(slot);
    if (!place) {
      place = { values: new Map(), isMany: false, least: null, most: null, other: null, passing: null };
      places.set(slot, place);
    }
    if (kind === 'passing') {
      isNew ||= place.passing === null;
      place.passing ??= sample;
      continue;
    }
    if (kind === 'number') {
      const number = Number(text.replaceAll(',', ''));
      if (place.least === null || number < place.least.number) place.least = { number, sample };
      if (place.most === null || number > place.most.number) place.most = { number, sample };
    } else place.other ??= sample;
    const before = place.values.get(text);
    if (before) {
      if (before !== first) same = before;
    } else if (place.values.size <= MOST_VALUES) {
      place.values.set(text, sample);
      isNew = true;
    } else place.isMany = true;
  }
  return isNew ? null : same;
}

/** The samples that show all that is kept of a message: of a place with many values, the least and the greatest. */
function samplesOfOne({ first, further, places }: Known): Sample[] {
  const kept = new Set([first]);
  const many: number[] = [];
  for (const [slot, { values, isMany, least, most, other, passing }] of places) {
    const shown = isMany ? [least?.sample, most?.sample, other] : values.values();
    for (const sample of [...shown, passing]) if (sample) kept.add(sample);
    if (isMany) many.push(slot);
  }
  const counted = new Set(further);
  // Lines are counted with the first sample, unless another one that is kept stands for them.
  for (const sample of further) if (!kept.has(sample)) first[1] += sample[1];
  for (const sample of kept) if (sample !== first && !counted.has(sample)) first[1]--;
  if (many.length > 0) first[4] = many;
  return [...kept];
}

// A set of keys by their hashes

/** Bits of the set. */
const HASH_BITS = 24;

export function newKeySet(): Uint32Array {
  return new Uint32Array((1 << HASH_BITS) / 32);
}

export function addKey(set: Uint32Array, key: string): void {
  const at = hashOf(key) >>> (32 - HASH_BITS);
  set[at >>> 5]! |= 1 << (at & 31);
}

// Loops by index: iterators take 20 ms for half a million words.

export function addKeys(set: Uint32Array, keys: Uint32Array): void {
  for (let i = 0; i < set.length; i++) set[i]! |= keys[i]!;
}

export function hasKey(set: Uint32Array, key: string): boolean {
  const at = hashOf(key) >>> (32 - HASH_BITS);
  return (set[at >>> 5]! & (1 << (at & 31))) !== 0;
}

/** Counts the keys of a set, but for those in `others`. */
export function sizeOf(set: Uint32Array, others?: Uint32Array): number {
  let size = 0;
  for (let i = 0; i < set.length; i++) {
    if (set[i] === 0) continue;
    size += membersOf(others ? set[i]! & ~others[i]! : set[i]!);
  }
  return size;
}

/** The size of a set of at most 32 members. */
export function membersOf(bits: number): number {
  let count = 0;
  for (let rest = bits; rest !== 0; rest &= rest - 1) count++;
  return count;
}

// As it is stored

/** Changes with the meaning of a table: how lines become messages, and which are kept. */
const VERSION = 6;
export const MOST_STORED_BYTES = 64 * 1024;
/** A damaged table does not fill the memory. */
const MOST_UNPACKED_BYTES = 16 * 1024 * 1024;

/**
 * As text: what a file of its own holds. `of` says which text it is of. Of more messages than fit, only hashes of the
 * rarest are kept. Null if that is not enough.
 */
export function packTable(table: MessageTable, of: string): string | null {
  if (table.isOver) return null;
  let { samples, further, hasAllKinds } = table;
  for (let attempt = 0; attempt < 7; attempt++) {
    const packed = packed64({ ...table, samples, further, hasAllKinds }, of);
    if (packed !== null && packed.length <= MOST_STORED_BYTES) return packed;
    further = further ? further.slice() : newKeySet();
    if (attempt === 0) samples = withoutVariants(samples, further);
    else {
      samples = frequentHalf(samples, further);
      hasAllKinds = false;
    }
  }
  return null;
}

/** If more messages than this differ in one word at one place, only the next number of them keep their samples. */
const MOST_VARIANTS = 48;
const KEPT_VARIANTS = 16;
/** Evidence of an error, which nothing may hide: no hash, no limit, and no kind that varies. */
export const TELLING_WEIGHT = 2;

/** Drops the samples of messages with many variants, as with ids without a digit. Adds their keys to the set. */
function withoutVariants(samples: readonly Sample[], rest: Uint32Array): Sample[] {
  const textOf = new Map<string, string>();
  for (const [, , mark, text] of samples) textOf.set(messages.ofText(text, mark).key, text);
  const families = new Map<number, string[]>();
  for (const key of textOf.keys()) {
    for (const family of variantsOf(wordsOf(key))) {
      const keys = families.get(family);
      if (keys) keys.push(key);
      else families.set(family, [key]);
    }
  }
  const kept = new Set<string>();
  const dropped = new Set<string>();
  for (const keys of families.values()) {
    if (keys.length <= MOST_VARIANTS) continue;
    for (const [i, key] of keys.entries()) {
      const isTelling = key.startsWith('E') || evidenceOf(textOf.get(key)!).weight >= TELLING_WEIGHT;
      if (i < KEPT_VARIANTS || isTelling) kept.add(key);
      else dropped.add(key);
    }
  }
  for (const key of kept) dropped.delete(key);
  for (const key of dropped) addKey(rest, key);
  return samples.filter(([, , mark, text]) => !dropped.has(messages.ofText(text, mark).key));
}

/** Drops the samples of the rarer half of the messages, whose keys it adds to the set. */
function frequentHalf(samples: readonly Sample[], rest: Uint32Array): Sample[] {
  const keyOf = ([, , mark, text]: Sample) => messages.ofText(text, mark).key;
  const counts = new Map<string, number>();
  for (const sample of samples) counts.set(keyOf(sample), (counts.get(keyOf(sample)) ?? 0) + sample[1]);
  const order = [...counts].sort((a, b) => b[1] - a[1]).map(([key]) => key);
  const kept = new Set(order.slice(0, order.length >> 1));
  for (const key of order.slice(kept.size)) addKey(rest, key);
  return samples.filter((sample) => kept.has(keyOf(sample)));
}

/** Null if the set has too many keys. */
function packed64({ samples, further, ...rest }: MessageTable, of: string): string | null {
  const keys = further === null ? '' : packKeys(further);
  if (keys === null) return null;
  let last = 0;
  // Nothing beside a stream holds its secrets. A message with one differs from itself in a comparison, at worst.
  const texts = usualSecrets.mask(samples.map(([, , , text]) => text).join('\n')).text.split('\n');
  const rows = samples.map(([line, count, mark, , many = []], i) => {
    const row = `${line - last} ${count} ${mark}${many.join()}\t${texts[i]}`;
    last = line;
    return row;
  });
  const head = JSON.stringify({ version: VERSION, of, ...rest });
  return brotliCompressSync([head, keys, ...rows].join('\n'), { params: QUICK }).toString('base64');
}

/** Keys of a set that fit into a table. */
const MOST_KEYS = 20_000;

/** The places of a set's members as steps from one to the next. */
function packKeys(set: Uint32Array): string | null {
  const steps: string[] = [];
  let last = 0;
  for (const [word, bits] of set.entries()) {
    if (bits === 0) continue;
    for (let bit = 0; bit < 32; bit++) {
      if ((bits & (1 << bit)) === 0) continue;
      if (steps.length >= MOST_KEYS) return null;
      steps.push((word * 32 + bit - last).toString(36));
      last = word * 32 + bit;
    }
  }
  return steps.join(' ');
}

function unpackKeys(packed: string): Uint32Array | null {
  if (packed === '') return null;
  const set = newKeySet();
  let at = 0;
  for (const step of packed.split(' ')) {
    at += Number.parseInt(step, 36);
    set[at >>> 5]! |= 1 << (at & 31);
  }
  return set;
}

/** Returns null unless it is a table of this text. */
export function unpackTable(packed: string, of: string): MessageTable | null {
  try {
    const most = { maxOutputLength: MOST_UNPACKED_BYTES };
    const [head, keys, ...rows] = brotliDecompressSync(Buffer.from(packed, 'base64'), most)
      .toString()
      .split('\n');
    const { version, lines, isSampled, bytes, hasAllKinds, rests, of: own } = JSON.parse(head!);
    if (version !== VERSION || own !== of || !Number.isSafeInteger(lines)) return null;
    let line = 0;
    const samples = rows.map((row): Sample => {
      const [, by, count, mark, many, example] = ROW.exec(row)!;
      line += Number(by);
      const sample: Sample = [line, Number(count), mark as Message['mark'], example!];
      if (many !== '') sample[4] = many!.split(',').map(Number);
      return sample;
    });
    const further = unpackKeys(keys!);
    const flags = { isSampled: isSampled === true, isOver: false, hasAllKinds: hasAllKinds === true };
    return { bytes, lines, ...flags, samples, rests, further };
  } catch {
    return null;
  }
}

const QUICK = { [constants.BROTLI_PARAM_QUALITY]: 5 };
const ROW = /^(\d+) (-?\d+) ([WE]?)([\d,]*)\t(.*)$/s;
