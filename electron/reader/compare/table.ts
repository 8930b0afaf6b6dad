/**
 * The table of a text's messages: some lines of each message, with counts. A comparison needs nothing else of an
 * output. The table of a finished run is stored beside it, if it is small enough.
 */

import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib';
import { usualSecrets } from '../../../shared/secrets/mask.ts';
import type { ReadingSteps } from '../failure/explanation.ts';
import { type Message, MessageMaker } from './messages.ts';
import { type ComparedText, type ReadLimits, type ReadText, readMessages } from './read-messages.ts';

/** Messages with counts and values. */
export const MOST_KNOWN = 16 * 1024;
/** Values of one slot that are kept; with more it varies. */
export const MOST_VALUES = 24;

export interface MessageTable extends ReadText {
  bytes: number;
  /** In order of their lines. */
  samples: Sample[];
  /** Set where there are more messages than are kept: hashes of the others. */
  further: Uint32Array | null;
}

/** A line that stands for `count` lines with the same message. */
type Sample = [line: number, count: number, mark: Message['mark'], text: string];

export function* makingTable(text: ComparedText, limits?: ReadLimits): ReadingSteps<MessageTable> {
  const maker = new TableMaker();
  const read = yield* readMessages(text, maker, limits);
  return { ...read, bytes: text.size, samples: maker.samples(), further: maker.further };
}

const messages = new MessageMaker();

export function* samplesOf({ samples }: MessageTable) {
  for (const [line, count, mark, text] of samples)
    yield { line, count, message: messages.ofText(text, mark) };
}

/** The values at one place of a message, as far as they are kept. */
interface Place {
  values: Map<string, Sample>;
  least: Extreme | null;
  most: Extreme | null;
}
interface Extreme {
  number: number;
  sample: Sample;
}
interface Known {
  first: Sample;
  places: Map<number, Place>;
}

class TableMaker {
  further: Uint32Array | null = null;
  readonly #known = new Map<string, Known>();
  readonly #samples: Sample[] = [];

  each(line: number, message: Message): boolean {
    const { key, mark, text } = message;
    let known = this.#known.get(key);
    if (!known && this.#known.size >= MOST_KNOWN) {
      this.further ??= newKeySet();
      addKey(this.further, key);
      return false;
    }
    const sample: Sample = [line, 1, mark, text];
    let isKept = false;
    if (!known) {
      known = { first: sample, places: new Map() };
      this.#known.set(key, known);
      isKept = true;
    }
    const same = this.#note(known, message, sample);
    if (isKept || same === null) this.#samples.push(sample);
    else same[1]++;
    return false;
  }

  more({ key }: Message, count: number): void {
    const known = this.#known.get(key);
    if (known) known.first[1] += count;
  }

  /** Also those with the least and the greatest numbers, where not all values are kept. */
  samples(): Sample[] {
    const all = new Set(this.#samples);
    for (const { places, first } of this.#known.values())
      for (const { least, most } of places.values())
        for (const extreme of [least, most]) {
          if (extreme === null || all.has(extreme.sample)) continue;
          all.add(extreme.sample);
          // Its line was counted there.
          first[1]--;
        }
    return [...all].sort((a, b) => a[0] - b[0]);
  }

  /** Returns the kept sample that has the line's values; null if none has. */
  #note({ first, places }: Known, { values }: Message, sample: Sample): Sample | null {
    let same: Sample | null = first;
    let isNew = false;
    for (const { slot, text, kind } of values) {
      if (kind === 'passing') {
        if (first === sample || hasPassing(first, slot)) continue;
        isNew = true;
        continue;
      }
      let place = places.get(slot);
      if (!place) {
        place = { values: new Map(), least: null, most: null };
        places.set(slot, place);
      }
      const before = place.values.get(text);
      if (before) {
        if (before !== first) same = before;
      } else if (place.values.size <= MOST_VALUES) {
        place.values.set(text, sample);
        isNew = true;
      } else if (kind === 'number') {
        const number = Number(text.replaceAll(',', ''));
        if (place.least === null || number < place.least.number) place.least = { number, sample };
        if (place.most === null || number > place.most.number) place.most = { number, sample };
      }
    }
    return isNew ? null : same;
  }
}

/** Whether a sample shows that times, hashes and the like stand there. */
function hasPassing([, , mark, text]: Sample, slot: number): boolean {
  return messages.ofText(text, mark).values.some((value) => value.slot === slot && value.kind === 'passing');
}

// A set of keys by their hashes

/** Bits of the set. */
const HASH_BITS = 24;

export function newKeySet(): Uint32Array {
  return new Uint32Array((1 << HASH_BITS) / 32);
}

export function addKey(set: Uint32Array, key: string): void {
  const at = hashOf(key);
  set[at >>> 5]! |= 1 << (at & 31);
}

export function hasKey(set: Uint32Array, key: string): boolean {
  const at = hashOf(key);
  return (set[at >>> 5]! & (1 << (at & 31))) !== 0;
}

function hashOf(key: string): number {
  let hash = 0x811c9dc5 | 0;
  for (let i = 0; i < key.length; i++) hash = Math.imul(hash ^ key.charCodeAt(i), 0x01000193);
  return (hash ^ (hash >>> 15)) & ((1 << HASH_BITS) - 1);
}

// As it is stored

/** Changes with the meaning of a table: how lines become messages, and which are kept. */
const VERSION = 2;
export const MOST_STORED_BYTES = 64 * 1024;
/** A damaged table does not fill the memory. */
const MOST_UNPACKED_BYTES = 16 * 1024 * 1024;

/**
 * As text: what a file of its own holds. `of` says which text it is of. Of more messages than fit, only hashes of the
 * rarest are kept. Null if that is not enough.
 */
export function packTable(table: MessageTable, of: string): string | null {
  if (table.isOver) return null;
  let { samples, further } = table;
  for (let attempt = 0; attempt < 6; attempt++) {
    const packed = packed64({ ...table, samples, further }, of);
    if (packed !== null && packed.length <= MOST_STORED_BYTES) return packed;
    further = further ? further.slice() : newKeySet();
    samples = frequentHalf(samples, further);
  }
  return null;
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
  const rows = samples.map(([line, count, mark], i) => {
    const row = `${line - last} ${count} ${mark}\t${texts[i]}`;
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
    const { version, lines, isSampled, bytes, of: own } = JSON.parse(head!);
    if (version !== VERSION || own !== of || !Number.isSafeInteger(lines)) return null;
    let line = 0;
    const samples = rows.map((row): Sample => {
      const [, by, count, mark, said] = ROW.exec(row)!;
      line += Number(by);
      return [line, Number(count), mark as Message['mark'], said!];
    });
    const further = unpackKeys(keys!);
    return { bytes, lines, isSampled: isSampled === true, isOver: false, samples, further };
  } catch {
    return null;
  }
}

const QUICK = { [constants.BROTLI_PARAM_QUALITY]: 5 };
const ROW = /^(\d+) (-?\d+) ([WE]?)\t(.*)$/s;
