/**
 * Runs the deterministic automaton from rows in memory, which are made when first needed. An expression compiles to
 * data, not to code, so no compilation delays the first key stroke. If the expression distinguishes few bytes, one
 * step reads two. Four parts of a block, the lanes, are read in turns, so that four memory lookups overlap.
 */
import { AT, instantiate, ROWS_BYTES, SKIPPED_BLOCKS } from '../memory.ts';
import earlyWasm from './early.wat';
import kernelWasm from './kernel.wat';
import { EVENT, type State, type Transitions } from './transitions.ts';

const LANES = 4;
/** Entries of room after each lane's events: the kernel may overwrite the next. */
const GAP = 4;
/** A shorter block is not divided into lanes. */
const LANE_BYTES = 1024;
/** Most columns for steps of two bytes; a row then takes 16 KiB. */
const MAX_PAIRED = 64;
/** Bytes that must be read for each row made, or else rows are full too soon: then steps take one byte. */
const PAIRED_ROW_BYTES = 400;
/**
 * Making an entry takes some 3 us, in which simulation.ts reads 50 bytes. Entries are judged that many at a time. New
 * text often needs new ones, so rows are given up only if they are too many a few times in a row.
 */
const JUDGED = { entries: 2048, bytes: 50, times: 3 };
/** Words of a lane: the addresses of the byte it reads, of its end, of its state's row, and of its next event. */
const LANE = { at: 0, end: 1, row: 2, event: 3 };
const UNKNOWN = 1;
const FULL = -1;

/** The place, in words, of a lane's field (`LANE`) in memory. */
const wordOf = (lane: number, field: number) => (AT.lanes >> 2) + lane * 4 + field;

/** Decode an entry of `scan`: the event of a line (`EVENT`), and the address of the line's end. */
export const eventOf = (word: number) => word >>> 28;
export const placeOf = (word: number) => word & 0x0fff_ffff;

/** The modules that run automata, all on one memory. */
export interface Kernel {
  readonly memory: WebAssembly.Memory;
  readonly exports: KernelExports & { early: EarlyExports };
  /** The automaton whose rows fill the memory. */
  owner: Automaton | null;
}

/** The exports of kernel.wat. */
interface KernelExports {
  /** Not 0 once a line is unsure. */
  unsure: { value: number };
  pair(columns: number): void;
  /** Return the number of a lane that stopped at an unknown entry; LANES if all have ended. */
  runPairs(): number;
  runSingles(): number;
}

export function createKernel(memory: WebAssembly.Memory): Kernel {
  const exports = instantiate<KernelExports>(kernelWasm, memory);
  const early = instantiate<EarlyExports>(earlyWasm, memory, { ...exports });
  const { unsure, pair, runPairs, runSingles } = exports;
  return { memory, exports: { unsure, pair, runPairs, runSingles, early }, owner: null };
}

export class Automaton {
  readonly #kernel: Kernel;
  readonly #transitions: Transitions;
  readonly #words: Int32Array;
  readonly #bytes: Uint8Array;
  readonly #states: State[] = [];
  readonly #known = new Map<number, number>();
  #paired: boolean;
  #rowBytes: number;
  /** The state in a line whose end was not yet read. */
  #held: State | null = null;
  /** Bytes read since the rows were last cleared. */
  #bytesRun = 0;
  /** Entries made and bytes read since entries were judged, and how often in a row they were too many. */
  readonly #judged = { entries: 0, bytes: 0, times: 0 };
  #useless = false;
  readonly #trial = new EarlyTrial();

  constructor(kernel: Kernel, transitions: Transitions) {
    this.#kernel = kernel;
    this.#transitions = transitions;
    this.#words = new Int32Array(kernel.memory.buffer);
    this.#bytes = new Uint8Array(kernel.memory.buffer);
    this.#paired = transitions.columnCount <= MAX_PAIRED;
    this.#rowBytes = this.#measure();
  }

  /** True if the last scan found an unsure line. */
  get sawUnsure(): boolean {
    return this.#kernel.exports.unsure.value !== 0;
  }

  /** True once new states come so fast that rows don't pay: then simulation.ts reads the lines. */
  get useless(): boolean {
    return this.#useless;
  }

  /**
   * Reads the whole lines at the addresses `[start, end)`. Returns an entry for each line that matches or is unsure,
   * valid until the next call. Returns null once rows have become useless.
   */
  scan(start: number, end: number): Uint32Array | null {
    this.#own();
    this.#kernel.exports.unsure.value = 0;
    const cuts = this.#cut(start, end);
    const first = this.#addressOf(this.#transitions.start);
    for (let lane = 0; lane < LANES; lane += 1) {
      const out = AT.events + (cuts[lane]! - start + lane * GAP) * 4;
      this.#setLane(lane, cuts[lane]!, cuts[lane + 1]!, first, out);
    }
    return this.#run() ? this.#gather(cuts, start) : null;
  }

  /**
   * Like `scan`, for text whose lines are never unsure: returns the numbers of the lines that match, from 0. Reads
   * each line only until its outcome is known. Returns null where another way is faster that takes `limit` times as
   * long as `scan`.
   */
  scanEarly(start: number, end: number, limit: number): Uint32Array | null {
    const next = this.#trial.next(limit);
    if (next === 'nothing') return null;
    if (next === 'trial') {
      const behind = this.#bytes.indexOf(10, Math.min(end - 1, start + TRIAL_BYTES)) + 1;
      if (!this.readEarly(start, behind, limit) || this.#trial.next(limit) !== 'block') return null;
    }
    return this.readEarly(start, end, limit);
  }

  /** Does what `scanEarly` does, whatever it costs. Returns null if the rows did not suffice, or a line was unsure. */
  readEarly(start: number, end: number, limit = 1): Uint32Array | null {
    this.#own();
    const { exports } = this.#kernel;
    const { early } = exports;
    const { matched, dead } = this.#transitions;
    const ends = [this.#transitions.start, matched, dead].map((state) => this.#find(state));
    if (!this.#paired || ends.includes(FULL)) return null;
    const [first, ...outcomes] = ends;
    for (let lane = 0; lane < LANES; lane += 1) this.#setLane(lane, start, end, first!, AT.events);
    exports.unsure.value = 0;
    for (const counter of [early.read, early.turns, early.open]) counter.value = 0;
    const { ahead } = this.#trial;
    const count = early.lineEnds(start, end, AT.events);
    const states = this.#states.length;
    let [line, place, state, out] = [0, start, first!, AT.lines];
    for (;;) {
      line = early.early(AT.events, line, count, place, state, first!, ...outcomes, out, ahead);
      if (line === count) break;
      [place, state, out] = [early.place.value, early.state.value, early.out.value];
      this.#makeEntry(0, this.#places());
      // The rows were cleared, so the addresses are others.
      if (this.#states.length < states) return null;
    }
    const found = (early.out.value - AT.lines) >> 2;
    const [read, turns, open] = [early.read.value, early.turns.value, early.open.value];
    this.#count(read + turns * ahead);
    this.#trial.tell({ read, turns, open, lines: count, matches: found, bytes: end - start }, limit);
    return exports.unsure.value === 0 ? new Uint32Array(this.#kernel.memory.buffer, AT.lines, found) : null;
  }

  /**
   * Reads a part of a line: the first part if `first`, else the one after the last call's. Returns the line's event,
   * `none` before the line's end. Returns null once rows have become useless.
   */
  feed(start: number, end: number, first: boolean): number | null {
    this.#own();
    const state = this.#addressOf((first ? null : this.#held) ?? this.#transitions.start);
    this.#held = null;
    this.#setLane(0, start, end, state, AT.events);
    for (let lane = 1; lane < LANES; lane += 1) this.#setLane(lane, end, end, state, AT.events);
    if (!this.#run()) return null;
    this.#held = this.#stateAt(this.#words[wordOf(0, LANE.row)]!);
    const word = this.#words[wordOf(0, LANE.event)]! > AT.events ? this.#words[AT.events >> 2]! : 0;
    return eventOf(word);
  }

  #measure(): number {
    const columns = this.#transitions.columnCount;
    const entries = this.#paired ? columns + columns * columns : columns;
    return (entries * 4 + 15) & -16;
  }

  /** Takes over the memory from another expression's automaton. */
  #own(): void {
    if (this.#kernel.owner === this) return;
    this.#kernel.owner = this;
    this.#states.length = 0;
    this.#known.clear();
    const columns = new Uint16Array(this.#kernel.memory.buffer, AT.columns, 256);
    for (const [byte, column] of this.#transitions.columns.entries()) columns[byte] = column * 4;
    if (this.#paired) this.#kernel.exports.pair(this.#transitions.columnCount);
  }

  /** Returns where the lanes begin: at starts of lines, about equally far apart. */
  #cut(start: number, end: number): number[] {
    const cuts = [start];
    for (let lane = 1; lane < LANES; lane += 1) {
      const at = start + Math.floor(((end - start) * lane) / LANES);
      const newline = end - start < LANE_BYTES ? -1 : this.#bytes.indexOf(10, Math.max(at, cuts.at(-1)!));
      cuts.push(newline < 0 || newline >= end ? end : newline + 1);
    }
    return [...cuts, end];
  }

  #setLane(lane: number, start: number, end: number, row: number, event: number): void {
    this.#words[wordOf(lane, LANE.at)] = start;
    this.#words[wordOf(lane, LANE.end)] = end;
    this.#words[wordOf(lane, LANE.row)] = row;
    this.#words[wordOf(lane, LANE.event)] = event;
  }

  /** Joins the entries of all lanes. */
  #gather(cuts: readonly number[], start: number): Uint32Array {
    const first = AT.events >> 2;
    let to = first;
    for (let lane = 0; lane < LANES; lane += 1) {
      const from = first + cuts[lane]! - start + lane * GAP;
      const behind = this.#words[wordOf(lane, LANE.event)]! >> 2;
      if (from > to && behind > from) this.#words.copyWithin(to, from, behind);
      to += behind - from;
    }
    return new Uint32Array(this.#kernel.memory.buffer, AT.events, to - first);
  }

  /** Runs all lanes to their ends; returns false once rows have become useless. */
  #run(): boolean {
    const { exports } = this.#kernel;
    const before = this.#places();
    while (!this.#useless) {
      const lane = this.#paired ? exports.runPairs() : exports.runSingles();
      if (lane === LANES) {
        this.#count(this.#places() - before);
        return true;
      }
      this.#makeEntry(lane, before);
    }
    return false;
  }

  #places(): number {
    let sum = 0;
    for (let lane = 0; lane < LANES; lane += 1) sum += this.#words[wordOf(lane, LANE.at)]!;
    return sum;
  }

  /** Makes the entry that a lane needs; `before`: the sum of all lanes' places when bytes were last counted. */
  #makeEntry(lane: number, before: number): void {
    const byte = this.#bytes[this.#words[wordOf(lane, LANE.at)]!]!;
    const row = this.#words[wordOf(lane, LANE.row)]!;
    const step = this.#transitions.step(this.#stateAt(row), byte);
    const read = this.#places() - before;
    const tooMany = this.#areTooMany(read);
    const to = tooMany ? FULL : this.#find(step);
    if (to !== FULL) {
      const entry = step.event === EVENT.none ? to : to | (step.event << 1) | UNKNOWN;
      this.#words[(row >> 2) + this.#transitions.columns[byte]!] = entry;
      return;
    }
    // Clear the rows, then repeat the step from its new row.
    this.#count(read);
    const rows = Array.from({ length: LANES }, (_, each) => wordOf(each, LANE.row));
    const states = rows.map((word) => this.#stateAt(this.#words[word]!));
    for (const [i, address] of this.#renew(states, tooMany).entries()) this.#words[rows[i]!] = address;
    this.#count(-read);
  }

  #count(bytes: number): void {
    this.#bytesRun += bytes;
    this.#judged.bytes += bytes;
  }

  /** Counts an entry; `read` bytes are not yet counted. Returns true once entries were too many for the bytes read. */
  #areTooMany(read: number): boolean {
    const judged = this.#judged;
    judged.entries += 1;
    if (judged.entries < JUDGED.entries) return false;
    judged.times = judged.bytes + read < JUDGED.entries * JUDGED.bytes ? judged.times + 1 : 0;
    judged.entries = 0;
    judged.bytes = -read;
    if (judged.times < JUDGED.times) return false;
    judged.times = 0;
    return true;
  }

  /** Clears the rows; returns the new addresses of `needed` states. If there were `tooMany` entries, gives rows up. */
  #renew(needed: readonly State[], tooMany = false): number[] {
    if (tooMany && !this.#paired) this.#useless = true;
    if (tooMany || this.#bytesRun < this.#states.length * PAIRED_ROW_BYTES) {
      this.#paired = false;
      this.#rowBytes = this.#measure();
    }
    this.#states.length = 0;
    this.#known.clear();
    this.#bytesRun = 0;
    const sets = this.#transitions.subsets.clear(needed.map(({ set }) => set));
    return needed.map(({ place }, i) => this.#find({ set: sets[i]!, place }));
  }

  #stateAt(address: number): State {
    return this.#states[(address - AT.rows) / this.#rowBytes]!;
  }

  #addressOf(state: State): number {
    const address = this.#find(state);
    if (address !== FULL) return address;
    return this.#renew([state])[0]!;
  }

  #find({ set, place }: State): number {
    const key = set * 0x1_0000 + place;
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const address = AT.rows + this.#states.length * this.#rowBytes;
    if (address + this.#rowBytes > AT.rows + ROWS_BYTES || this.#transitions.subsets.full) return FULL;
    this.#states.push({ set, place });
    this.#known.set(key, address);
    this.#words.fill(UNKNOWN, address >> 2, (address + this.#rowBytes) >> 2);
    return address;
  }
}

// Decides when to read lines only until their outcome is known (early.wat). That takes some time for each line, and
// more for each byte read than lanes take.

/** The exports of early.wat. */
interface EarlyExports {
  place: { value: number };
  state: { value: number };
  out: { value: number };
  read: { value: number };
  turns: { value: number };
  open: { value: number };
  lineEnds(at: number, end: number, to: number): number;
  early(...numbers: number[]): number;
}

/** Bytes on which it is tried first. */
const TRIAL_BYTES = 16 * 1024;
/**
 * Costs of reading a byte and of ending a line, as multiples of what lanes take for a byte. Fitted to expressions for
 * which both ways take about the same time. Where lanes are fastest, the true costs are up to 1.7 times these.
 */
const COST = { byte: 1.5, line: 11, byteInTurns: 0.4, lineInTurns: 5 };
/** Cost of an empty line that matches, if lanes read it: two ends in one step of two bytes are not in the rows. */
const EMPTY_LINE = 60;

/** Most bytes of a line that are read in turns with three others, and at first beyond what lines took without turns. */
const AHEAD_BYTES = { most: 120, beyond: 2 };
/** If a larger share of lines has no outcome after turns, these read more bytes. */
const MOST_OPEN = 0.25;
/** After so many blocks fewer bytes are tried once. */
const TRY_FEWER_BLOCKS = 64;

/** How a block was read. */
interface EarlyWork {
  /** Bytes that were read of single lines. */
  read: number;
  /** Lines of which `ahead` bytes were read in turns. */
  turns: number;
  /** Lines among `turns` that had no outcome then. */
  open: number;
  lines: number;
  matches: number;
  bytes: number;
}

class EarlyTrial {
  #skipped = 0;
  #ahead = 0;
  #blocks = 0;
  /** Last cost of a block, as a multiple of what lanes take. */
  #cost = Number.POSITIVE_INFINITY;

  /** Bytes of a line to read in turns with three others: a multiple of four, about as many as most lines need. */
  get ahead(): number {
    return this.#ahead;
  }

  /** Tells how much of the next block to read this way, if another way costs `limit` times what lanes take. */
  next(limit: number): 'nothing' | 'trial' | 'block' {
    if (this.#skipped === 0) return this.#cost < limit ? 'block' : 'trial';
    this.#skipped -= 1;
    return 'nothing';
  }

  tell({ read, turns, open, lines, matches, bytes }: EarlyWork, limit: number): void {
    // A line that is not empty takes two bytes.
    const empty = Math.max(0, Math.min(matches, 2 * lines - bytes));
    const alone = read * COST.byte + (lines - turns + open) * COST.line - empty * EMPTY_LINE;
    this.#cost = (alone + turns * (this.#ahead * COST.byteInTurns + COST.lineInTurns)) / bytes;
    if (this.#cost >= limit) this.#skipped = SKIPPED_BLOCKS;
    this.#adapt(turns > 0 ? open / turns : null, read / Math.max(1, lines));
  }

  /** Adapts what is read in turns: `open` is the share of lines without an outcome then, null if none was read so. */
  #adapt(open: number | null, bytesEach: number): void {
    let ahead = this.#ahead;
    if (open === null) ahead = 4 * Math.ceil((bytesEach + AHEAD_BYTES.beyond) / 4);
    else if (open > MOST_OPEN) ahead += 4;
    else if (++this.#blocks % TRY_FEWER_BLOCKS === 0) ahead -= 4;
    this.#ahead = Math.min(AHEAD_BYTES.most, Math.max(4, ahead));
  }
}
