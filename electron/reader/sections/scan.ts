/**
 * Finds the marks of sections in one stretch of a text. Most lines differ in digits alone from one that was no mark;
 * nearly all others are answered by their first bytes. Only those that may be marks become text.
 */
import { Buffer } from 'node:buffer';
import { CR, ESC, isDigit, isLetter, LF, standsAt } from '../../../shared/text/codes.ts';
import { lineText } from '../../../shared/text/line-text.ts';
import { lineTime, type TimeFacts } from '../../../shared/text/line-time.ts';
import { stampEnd } from '../shapes/line-prefix.ts';
import { AT, createKnownLines, createScanMemory, type KnownLines } from '../summary/scan/line-scanner.ts';
import { mayMarkSection, RANK, type SectionMark, sectionMarkOf } from './markers.ts';

/** The beginning or end of a section, in a stretch. */
export interface SectionEvent {
  /** From 1, in the stretch. */
  readonly line: number;
  /** Error lines of the stretch before this line, and up to its end. */
  readonly errors: number;
  readonly errorsWith: number;
  /** The line's own time, in milliseconds since the epoch. */
  readonly time: number | null;
  /** The time of the line before, where another job begins. Jobs may have run side by side. Undefined if not known. */
  readonly timeBefore?: number | null | undefined;
  readonly mark: SectionMark;
}

export interface StretchSections {
  readonly events: readonly SectionEvent[];
  /** Sections that began, and are not among the events. */
  readonly left: number;
}

/** Events kept of one stretch. Beyond, up to twice as many, only steps and what failed begin a section. */
const MOST_EVENTS = 4096;
/** Bytes of a line that may be a mark. */
const MARK_BYTES = 1024;
/** Travis puts many marks into one line. */
const FOLD_BYTES = 64 * 1024;
const TAB = 0x09;
/** Lines beside a mark that may tell its time. */
const NEAR_LINES = 8;

/**
 * `bytes`: valid UTF-8; the lines from `from` up to `to` begin in the stretch. `errorLines` rise, and count from 1.
 */
export function scanSections(
  bytes: Buffer,
  from: number,
  to: number,
  errorLines: readonly number[],
  facts: TimeFacts,
  table: UnmarkedLines | null = sharedTable(),
): StretchSections {
  const events: SectionEvent[] = [];
  let left = 0;
  let errors = 0;
  let line = 0;
  /** The time of the last line that was read in full. */
  let stampFrom = 0;
  let stampTo = 0;
  let columnFrom = 0;
  let columnTo = 0;
  /** A line behind its columns, and the line before it. */
  let [textFrom, textEnd] = [from, from];
  let [before, beforeEnd] = [from, from];
  let hunk: Hunk | null = null;
  /** Sections with an end that began beyond the most. */
  let unseen = 0;
  /** Whether a section that is not shown holds the lines of those left out. Else the last section before them would. */
  let isCovered = false;
  const add = (found: SectionMark, text: string, timeBeside: () => number | null = () => null) => {
    let mark = found;
    const isOuter = mark.does === 'column' || (mark.does === 'open' && RANK[mark.rank] <= RANK.step);
    const hasFailed = 'status' in mark && mark.status === 'failed';
    if (events.length >= MOST_EVENTS) {
      if (events.length >= 2 * MOST_EVENTS) return;
      if (mark.does === 'open' && !mark.ends && !hasFailed && !isOuter && !isCovered) {
        mark = { ...mark, isHidden: true };
        isCovered = true;
        left++;
      } else if (hasFailed || isOuter) isCovered &&= mark.does === 'tell' || mark.does === 'close';
      else {
        if (mark.does === 'open') left++;
        if (mark.does === 'open' && mark.ends) unseen++;
        const isUnseen = mark.does === 'close' && unseen > 0;
        if (isUnseen) unseen--;
        if (isUnseen || mark.does !== 'close') return;
      }
    }
    while (errors < errorLines.length && errorLines[errors]! < line) errors++;
    const errorsWith = errorLines[errors] === line ? errors + 1 : errors;
    const isJob = mark.does === 'column' || (mark.does === 'open' && mark.tool === 'archive');
    const timeBefore = isJob && before < beforeEnd ? lineTime(textOf(before, beforeEnd), facts) : undefined;
    const time = lineTime(text, facts) ?? timeBeside();
    events.push({ line, errors, errorsWith, time, timeBefore, mark });
  };
  const textOf = (start: number, end: number) =>
    bytes.toString('utf8', start, Math.min(end, start + MARK_BYTES));
  /** Jenkins writes no time before the marks of its stages: takes that of a line within, if one is near. */
  const timeWithin = (mark: SectionMark, start: number, end: number): number | null => {
    if (mark.does === 'column' || mark.tool !== 'jenkins') return null;
    let [at, before] = [end + 1, start - 1];
    for (let i = 0; i < NEAR_LINES; i++) {
      const isOpening = mark.does === 'open';
      if (isOpening ? at >= to : before <= from) return null;
      const lineFrom = isOpening ? at : bytes.lastIndexOf(LF, before - 1) + 1;
      const lf = bytes.indexOf(LF, lineFrom);
      const lineEnd = lf < 0 ? to : lf;
      const time = lineTime(textOf(lineFrom, lineEnd), facts);
      if (time !== null) return time;
      [at, before] = [lineEnd + 1, lineFrom - 1];
    }
    return null;
  };
  table?.start(bytes, to);
  for (let p = from; p < to; ) {
    const mayBeKnown = table !== null && hunk === null;
    if (mayBeKnown) {
      const next = table.skip(p);
      line += table.skipped;
      if (next > p) {
        textEnd = next - 1;
        textFrom = bytes.lastIndexOf(LF, textEnd - 1) + 1;
        if (columnTo > columnFrom) textFrom += columnTo - columnFrom + 1;
        p = next;
        if (p >= to) break;
      }
    }
    const found = bytes.indexOf(LF, p);
    const end = found < 0 || found > to ? to : found;
    line++;
    [before, beforeEnd] = [textFrom, textEnd];
    const isAlike = hasAlikeStamp(bytes, stampFrom, stampTo, p, end);
    const stamp = isAlike ? p + stampTo - stampFrom : stampEnd(bytes, p, end);
    if (!isAlike) {
      stampFrom = p;
      stampTo = stamp;
    }
    if (stamp > p && !isDigit(bytes[p])) {
      const begin = bytes[p] === 0xef ? p + 3 : p;
      const isNamed = bytes[begin]! > NINE && bytes[begin] !== OPENING;
      const columns = isNamed ? secondTab(bytes, begin, stamp) : phaseEnd(bytes, begin);
      if (columns > 0) {
        if (!isSame(bytes, columnFrom, columnTo, begin, columns)) {
          add(columnOf(textOf(begin, columns)), textOf(isNamed ? columns + 1 : begin, end));
          // With what ends them: `[task ` is not `[taskcluster `.
          table?.setColumns(begin, columns + 1);
        }
        columnFrom = begin;
        columnTo = columns;
      }
    }
    [textFrom, textEnd] = [columnTo > p ? columnTo + 1 : p, end];
    const at = messageStart(bytes, stamp, end);
    const first = bytes[at]!;
    // A line of a diff may look like a command.
    if (hunk) {
      if (first !== PLUS && first !== BACKSLASH) hunk.old--;
      if (first !== MINUS && first !== BACKSLASH) hunk.new--;
      if ((hunk.old <= 0 && hunk.new <= 0) || !isOfChange(first)) hunk = null;
      if (isOfChange(first)) {
        p = end + 1;
        continue;
      }
    }
    if (first === AT_SIGN && bytes[at + 1] === AT_SIGN) hunk = hunkOf(textOf(at, end));
    else if (mayMarkSection(bytes, at)) {
      const next = () => (end + 1 < to ? textOf(end + 1, Math.min(to, end + 1 + MARK_BYTES)) : '');
      const most = isFold(bytes, at) ? FOLD_BYTES : MARK_BYTES;
      const shown = bytes.toString('utf8', at, Math.min(end, at + most)).trimEnd();
      // A heading has no time: its step begins with the line below.
      for (const mark of marksOf(shown, next)) {
        const timeBeside = () => timeWithin(mark, p, end);
        add(mark, mark.does === 'column' ? next() : textOf(textFrom, end), timeBeside);
      }
    } else if (mayBeKnown) table.keep(p);
    p = end + 1;
  }
  return { events, left };
}

/** Lines that mark nothing and begin no other job or step, by their bytes; all digits are one. */
class UnmarkedLines {
  readonly #memory: Buffer;
  readonly #lines: KnownLines;
  /** A line is judged otherwise where lines have columns. */
  readonly #seeds: readonly [bare: bigint, behindColumns: bigint];
  #bytes: Uint8Array = Buffer.alloc(0);
  #to = 0;
  /** The part of the stretch that is in the memory. */
  #from = 0;
  #end = 0;
  #columns = 0;
  #isAsked = false;

  /** Throws where WebAssembly is forbidden, or has no SIMD. */
  constructor() {
    const memory = createScanMemory();
    this.#memory = Buffer.from(memory.buffer);
    this.#lines = createKnownLines(memory);
    const seed = this.#lines.seed.value;
    this.#seeds = [seed, ~seed];
  }

  /** Begins a stretch, up to `to`; none of its lines has had columns so far. */
  start(bytes: Uint8Array, to: number): void {
    [this.#bytes, this.#to, this.#from, this.#end, this.#columns] = [bytes, to, 0, 0, 0];
    this.#lines.seed.value = this.#seeds[0];
  }

  /** From now on, lines are skipped only with these columns. */
  setColumns(from: number, to: number): void {
    this.#memory.set(this.#bytes.subarray(from, to), AT.scratch);
    this.#columns = to - from;
    this.#lines.seed.value = this.#seeds[1];
    this.#isAsked = false;
  }

  /** Skips known lines from `p`, as many as `skipped` tells; returns where the line after them begins. */
  skip(p: number): number {
    let [at, count] = [p, 0];
    do {
      if (at >= this.#end) this.#load(at);
      const begin = AT.source + at - this.#from;
      at += this.#lines.skip(begin, AT.source + this.#end - this.#from, AT.scratch, this.#columns) - begin;
      count += this.#lines.skipped.value;
    } while (at === this.#end && this.#end > this.#from);
    this.skipped = count;
    this.#isAsked = true;
    return at;
  }
  skipped = 0;

  /** Remembers the line at `p`, to which `skip` led. */
  keep(p: number): void {
    if (this.#isAsked) this.#lines.keep(AT.source + p - this.#from, 0n, 0, 0);
  }

  /** Loads whole lines; none where the next one is too long, or does not end. */
  #load(from: number): void {
    const end = this.#bytes.lastIndexOf(LF, Math.min(this.#to, from + PART_BYTES) - 1) + 1;
    this.#from = from;
    this.#end = Math.max(from, end);
    this.#memory.set(this.#bytes.subarray(from, this.#end), AT.source);
  }
}

const PART_BYTES = 256 * 1024;

/** One for all stretches of a thread; null where there can be none. */
let shared: UnmarkedLines | null | undefined;
function sharedTable(): UnmarkedLines | null {
  try {
    shared ??= new UnmarkedLines();
  } catch {
    shared = null;
  }
  return shared;
}

const NINE = 0x39;
const OPENING = 0x5b;
const PLUS = 0x2b;
const MINUS = 0x2d;
const BLANK = 0x20;
const AT_SIGN = 0x40;
const SLASH = 0x2f;
const BACKSLASH = 0x5c;

/** Lines of both sides that are still to come of a part of a change. */
interface Hunk {
  old: number;
  new: number;
}

function hunkOf(text: string): Hunk | null {
  const found = /^@@ -\d+(?:,(\d+))? \+\d+(?:,(\d+))? @@/.exec(text);
  return found && { old: Number(found[1] ?? 1), new: Number(found[2] ?? 1) };
}

/** Whether a line of a change begins so; some tools cut the blank of an empty one. */
function isOfChange(first: number): boolean {
  return (
    first === PLUS ||
    first === MINUS ||
    first === BLANK ||
    first === LF ||
    first === CR ||
    first === BACKSLASH
  );
}

/** Whether it is a mark of Travis's or GitLab's. */
const isFold = (bytes: Uint8Array, at: number) => bytes[at] === 0x74 || bytes[at] === 0x73;

const COLON = 0x3a;
const BELL = 0x07;

/** Whether a line begins with a time written like another one's, and no second time follows. */
function hasAlikeStamp(bytes: Uint8Array, from: number, to: number, other: number, end: number): boolean {
  const size = to - from;
  if (size === 0 || other + size >= end || !isDigit(bytes[other])) return false;
  for (let i = 0; i < size; i++) {
    const one = bytes[from + i]!;
    const two = bytes[other + i]!;
    if (one !== two && !(isDigit(one) && isDigit(two))) return false;
  }
  const next = other + size;
  const at = bytes[next] === OPENING ? next + 1 : next;
  if (bytes[next] === BLANK || bytes[next] === TAB) return false;
  return !(
    bytes[at + 2] === COLON ||
    bytes[at + 2] === MINUS ||
    bytes[at + 4] === MINUS ||
    bytes[at + 4] === SLASH
  );
}

function secondTab(bytes: Uint8Array, from: number, to: number): number {
  const tab = bytes.indexOf(TAB, from);
  const second = tab < 0 ? -1 : bytes.indexOf(TAB, tab + 1);
  return second > to ? -1 : second;
}

/** The phases of a task of Taskcluster. */
const PHASES = ['taskcluster', 'task', 'setup', 'vcs', 'fetches', 'cache', 'mounts'].map(
  (phase) => `[${phase} `,
);

/** Where the name in `[setup 2026-01-22 …] ` ends; -1 if it is none. */
function phaseEnd(bytes: Uint8Array, from: number): number {
  if (bytes[from] !== OPENING || isDigit(bytes[from + 1])) return -1;
  const phase = PHASES.find((one) => standsAt(bytes, from, from + one.length, one));
  return phase === undefined ? -1 : from + phase.length - 1;
}

function isSame(bytes: Uint8Array, from: number, to: number, other: number, otherTo: number): boolean {
  if (to - from !== otherTo - other) return false;
  for (let i = 0; i < to - from; i++) if (bytes[from + i] !== bytes[other + i]) return false;
  return true;
}

const UNKNOWN_STEP = 'UNKNOWN STEP';

/**
 * Reads the job and the step before each line, as `gh run view --log` writes them; the step is empty if it is not
 * known. A task of Taskcluster has a phase there: `[setup 2026-…] `.
 */
function columnOf(text: string): SectionMark {
  if (text.startsWith('[')) return { does: 'column', job: '', step: text.slice(1) };
  const [job = '', step = ''] = text.split('\t');
  return { does: 'column', job, step: step === UNKNOWN_STEP ? '' : step };
}

/** Skips a runner's additions between time and message: colours, erasures, GitLab's `00O `, Buildkite's times. */
function messageStart(bytes: Uint8Array, stamp: number, end: number): number {
  let at = stamp;
  if (isDigit(bytes[at]) && isDigit(bytes[at + 1]) && (bytes[at + 2] === 0x4f || bytes[at + 2] === 0x45)) {
    if (bytes[at + 3] === BLANK || bytes[at + 3] === PLUS) at += 4;
  }
  while (bytes[at] === ESC) {
    if (bytes[at + 1] === OPENING) {
      // Jenkins hides its notes: `ESC[8mha:…ESC[0m`.
      const isHidden = isDigit(bytes[at + 2]) && standsAt(bytes, at + 3, end, 'mha:');
      at += 2;
      while (at < end && !isLetter(bytes[at]!)) at++;
      at++;
      if (isHidden) while (at < end && bytes[at] !== ESC) at++;
    } else if (bytes[at + 1] === 0x5f) {
      const bell = bytes.subarray(at, Math.min(end, at + 64)).indexOf(BELL);
      if (bell < 0) return at;
      at += bell + 1;
    } else return at;
  }
  if (bytes[at] === BLANK) {
    let word = at;
    while (bytes[word] === BLANK && word < at + 12) word++;
    return INDENTED.some((one) => standsAt(bytes, word, end, one)) ? word : at;
  }
  // Mozilla's scripts have their own time and level before a message.
  if (bytes[at] === 0x49 && bytes[at + 5] === MINUS && bytes[at + 7] === OPENING) return at + 7;
  return at;
}

/** Only these marks are indented: those of cargo, of go's subtests, and Jenkins's. */
const INDENTED = ['Running', 'Doc-tests', '--- FAIL: ', '--- PASS: ', '--- SKIP: ', '[Pipeline] '];

const ESCAPE = String.fromCharCode(ESC);
const SEQUENCES = new RegExp(`${ESCAPE}\\[[\\d;?]*[A-Za-z]`, 'g');
const FOLDS =
  /(?:section_(?:start|end):\d+:[\w.-]+|travis_(?:fold|time):(?:start|end):[^\s\r]+)(?:\[[^\]]*\])?/g;
const TRAVIS_TIME = /^travis_time:end:.*duration=(\d+)/;

/** `next`: returns what follows the line. */
function marksOf(raw: string, next: () => string): SectionMark[] {
  const text = raw.includes(ESCAPE) ? raw.replace(SEQUENCES, '').trimEnd() : raw;
  if (!text.startsWith('section_') && !text.startsWith('travis_')) {
    if (text.startsWith('--- ') && next().replace(SEQUENCES, '').startsWith('+++ ')) return [];
    if (/^(?:\+\+\+|---) (?:[ab]\/|\/\S*$)/.test(text)) return [];
    const mark = sectionMarkOf(text);
    return mark ? [mark] : [];
  }
  const marks: SectionMark[] = [];
  for (const [fold] of text.matchAll(FOLDS)) {
    const spent = TRAVIS_TIME.exec(fold);
    const mark: SectionMark | null = spent
      ? { does: 'tell', tool: 'shell', status: 'timed', ms: Math.round(Number(spent[1]) / 1e6) }
      : sectionMarkOf(fold);
    if (mark) marks.push(mark);
  }
  // The heading follows the marks; in some copies of a log it has a line of its own.
  const last = marks.at(-1);
  if (last?.does === 'open') {
    const shown = lineText(raw).replace(FOLDS, '').trim();
    const under = next().startsWith(`${ESCAPE}[0K`) ? lineText(next().split('\n', 1)[0]!) : '';
    const heading = shown === '' && !raw.includes('\r') ? under.replace(FOLDS, '').trim() : shown;
    if (heading !== '') marks[marks.length - 1] = { ...last, name: last.name ?? last.title, title: heading };
  } else {
    const mark = sectionMarkOf(lineText(raw).replace(FOLDS, '').trim());
    if (mark) marks.push(mark);
  }
  return marks;
}
