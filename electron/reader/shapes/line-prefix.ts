/**
 * Finds where a line's message begins: behind its time, the job and step of a CI's log, the service or process that
 * speaks, its level and its thread. A time proves itself: `stampEnd` finds it in any line, in bytes or characters. `web | `
 * or `[main] ` may also begin a message, so it counts as a prefix only where many lines have it. `learnPrefix` looks at a
 * sample once, and its result serves all lines.
 */
import { BOM, type Codes, ESC, isBlank, isDigit, isLetter, patternAt } from '../../../shared/text/codes.ts';
import { LEVEL_WORDS, type Level } from '../../../shared/text/level-words.ts';

/** The parts of a line before its message. */
export interface LinePrefix {
  /** Where the message begins. */
  readonly end: number;
  /** The severity that the prefix names; null if it names none. */
  readonly level: Level | null;
}

/** Learnt from a sample of a text's lines. */
export interface PrefixForm {
  /** Returns what stands before the message of a line of line text. */
  of(text: string): LinePrefix;
}

/** Parts that are prefixes only where many lines have them. */
const SPEAKERS = {
  /** `web-1  | `, `GECKO(5432) | `, `PID 799 | ` */
  bar: /^(?![A-Z-]+ *\|)[\w.@-]{1,40}(?:\(\d+\)| \d+)? *\| ?/,
  /** `[worker] `, `[main] ` */
  bracket: /^\[[\w .:@#/-]{1,40}\] /,
  /** `174: ` */
  number: /^(?:\d{1,6}:|==\d+==) /,
  /** `host sshd[83]: `, `host kernel: `: behind a time alone */
  process: /^[\w.-]{1,60} (?:[\w./-]{1,40}\[\d+\]|kernel): /,
  /** `12345 ` or `(1234) `: a process or thread without a name */
  id: /^(?:\d{1,12}|\(\d+\)) /,
  /** `com.acme.Loader - `, `o.a.s.Executor: ` */
  logger: /^(?:\w+\.){2,8}\w+(?:\[\w+\])?(?: -|:) /,
} as const;
type Speaker = keyof typeof SPEAKERS;

/** Words that begin a message as often: `FAILED tests/test_a.py`, `panic: …`. */
const ALSO_BEGIN = new Set(['fail', 'failed', 'failure', 'panic', 'alert', 'information']);
const WORDS = [...LEVEL_WORDS.keys()].filter((word) => !ALSO_BEGIN.has(word));
const LEVEL = new RegExp(
  `^(?:##)?[[(<]?(${WORDS.join('|')})(?:[\\])>:]+|(?= *[-|] )|(?= +\\S)|(?=$))[ \\t]*(?:[-|:][ \\t]+)?`,
  'i',
);
/** Share of a sample's lines from which on a speaker is one. */
const COMMON_SHARE = 0.2;
const LEAST_LINES = 4;
/** Parts behind each other: time, level, process, thread, time of the process. */
const MOST_PARTS = 6;

/** Learns which prefix the lines of a text have; `sample` are lines from several of its places. */
export function learnPrefix(sample: readonly string[]): PrefixForm {
  const filled = sample.filter((text) => text.trim() !== '');
  const least = Math.max(LEAST_LINES, filled.length * COMMON_SHARE);
  const known: Speaker[] = [];
  let hasLevels = false;
  // A part may stand behind another one that is only known afterwards.
  for (let turn = 0; turn < 3; turn++) {
    const counts = new Map<string, number>();
    for (const text of filled) {
      const { end, level, isStamped } = read(text, known, hasLevels);
      const rest = text.slice(end);
      if (level === null && isLevelPart(rest)) counts.set('level', (counts.get('level') ?? 0) + 1);
      for (const [speaker, form] of Object.entries(SPEAKERS)) {
        if (speaker === 'process' && !isStamped) continue;
        if (form.test(rest)) counts.set(speaker, (counts.get(speaker) ?? 0) + 1);
      }
    }
    let isNew = false;
    for (const [part, count] of counts) {
      if (count < least) continue;
      if (part === 'level') {
        isNew ||= !hasLevels;
        hasLevels = true;
      } else if (!known.includes(part as Speaker)) {
        known.push(part as Speaker);
        isNew = true;
      }
    }
    if (!isNew) break;
  }
  return { of: (text) => read(text, known, hasLevels) };
}

function isLevelPart(rest: string): boolean {
  const found = LEVEL.exec(rest);
  return found !== null && found[1] === found[1]!.toUpperCase();
}

function read(
  text: string,
  known: readonly Speaker[],
  hasLevels: boolean,
): LinePrefix & { isStamped: boolean } {
  let end = 0;
  let level: Level | null = null;
  let isStamped = false;
  const seen: Speaker[] = [];
  for (let part = 0; part < MOST_PARTS; part++) {
    const stamp = textStampEnd(text, end);
    if (stamp > end) {
      end = stamp;
      isStamped = true;
      continue;
    }
    const rest = end === 0 ? text : text.slice(end, end + 120);
    // In brackets, or a column of its own, as other lines have it.
    const isBracket = rest.startsWith('[') || rest.startsWith('##[');
    const found: RegExpExecArray | null =
      level === null && (isBracket || hasLevels) ? LEVEL.exec(rest) : null;
    if (found && (isBracket || found[1] === found[1]!.toUpperCase())) {
      level = LEVEL_WORDS.get(found[1]!.toLowerCase()) ?? null;
      end += found[0].length;
      continue;
    }
    const speaker = known.find(
      (one) => !seen.includes(one) && (one !== 'process' || isStamped) && SPEAKERS[one].test(rest),
    );
    if (speaker === undefined) break;
    seen.push(speaker);
    end += SPEAKERS[speaker].exec(rest)![0].length;
  }
  return { end, level, isStamped };
}

function textStampEnd(text: string, from: number): number {
  const first = text.charCodeAt(from);
  const mayBegin = isDigit(first) || first === OPENING || first === ESC || first === BOM;
  if (!mayBegin && (from > 0 || !text.includes('\t'))) return from;
  const length = Math.min(text.length - from, STAMP_CHARS);
  for (let i = 0; i < length; i++) scratch[i] = text.charCodeAt(from + i);
  return from + stampEnd(scratch, 0, length);
}

const STAMP_CHARS = 320;
const scratch = new Uint16Array(STAMP_CHARS);
const OPENING = 0x5b;
const CLOSING = 0x5d;
const TAB = 0x09;

/**
 * Returns where a line's time ends, with the blanks after it, in UTF-8 bytes or UTF-16 code units; `start` where it
 * begins with none. The job and the step before the time, as `gh run view --log` writes them, count to it, and so do
 * brackets around it: `[task 2025-02-13T22:10:07.051Z] `. Looking for columns takes time: `mayHaveColumns` saves it.
 */
export function stampEnd(codes: Codes, start: number, end: number, mayHaveColumns = true): number {
  let at = afterMark(codes, start, end);
  const first = codes[at]!;
  if (!isDigit(first) && first !== OPENING) {
    if (!mayHaveColumns) return start;
    const behind = afterColumns(codes, at, end);
    if (behind === at) return start;
    at = behind;
  }
  let found = start;
  for (;;) {
    const next = isDigit(codes[at]) ? timeEnd(codes, at, end) : bracketEnd(codes, at, end);
    if (next === at) return found;
    at = next;
    while (at < end && isBlank(codes[at])) at++;
    at = afterStream(codes, at, end);
    found = at;
  }
}

/** Skips the stream that GitLab writes behind the time: `00O `, or `00O+` if a line goes on. */
function afterStream(codes: Codes, at: number, end: number): number {
  if (!patternAt(codes, at, end, 'dd')) return at;
  const stream = codes[at + 2];
  const isStream = stream === 0x4f || stream === 0x45;
  return isStream && (codes[at + 3] === 0x20 || codes[at + 3] === 0x2b) ? at + 4 : at;
}

/** Skips a byte order mark, in either form, and colours. */
function afterMark(codes: Codes, start: number, end: number): number {
  let at = start;
  if (codes[at] === BOM) at++;
  else if (codes[at] === 0xef && codes[at + 1] === 0xbb && codes[at + 2] === 0xbf) at += 3;
  while (codes[at] === ESC && codes[at + 1] === OPENING) {
    at += 2;
    while (at < end && !isLetter(codes[at]!)) at++;
    at++;
  }
  return at;
}

/** Longest name of a job or step. */
const COLUMN_CHARS = 120;

/** Returns where the third column begins if it begins with a time; else `start`. */
function afterColumns(codes: Codes, start: number, end: number): number {
  let at = start;
  for (let column = 0; column < 2; column++) {
    const limit = Math.min(end, at + COLUMN_CHARS);
    const from = at;
    while (at < limit && codes[at] !== TAB) at++;
    if (at >= limit || at === from) return start;
    at++;
  }
  at = afterMark(codes, at, end);
  // Some consoles turned the byte order mark into three other characters, of three bytes each.
  for (let other = 0; other < 9 && !isDigit(codes[at]); other++) at++;
  return timeEnd(codes, at, end) > at ? at : start;
}

/** Returns where the time at `at` ends; `at` if there is none. */
function timeEnd(codes: Codes, at: number, end: number): number {
  let p = at;
  if (patternAt(codes, p, end, 'dddd-dd-dd') || patternAt(codes, p, end, 'dddd/dd/dd')) p += 10;
  else if (patternAt(codes, p, end, 'dd/dd/dd ')) p += 8;
  else if (patternAt(codes, p, end, 'dd-dd|')) p += 5;
  if (p > at) {
    const sign = codes[p];
    if (sign !== 0x54 && sign !== 0x20 && sign !== 0x5f && sign !== 0x7c) return at;
    p++;
  }
  if (!patternAt(codes, p, end, 'dd:dd:dd')) return at;
  p += 8;
  if ((codes[p] === 0x2e || codes[p] === 0x2c) && isDigit(codes[p + 1])) {
    p++;
    while (p < end && isDigit(codes[p])) p++;
  }
  if (codes[p] === 0x5a) p++;
  else if ((codes[p] === 0x2b || codes[p] === 0x2d) && isDigit(codes[p + 1])) {
    p++;
    while (p < end && (isDigit(codes[p]) || codes[p] === 0x3a)) p++;
  }
  return p === end || isBlank(codes[p]) || codes[p] === CLOSING ? p : at;
}

/** Longest name before the time in brackets. */
const NAME_CHARS = 24;

/** `[2026-01-22T10:44:02.301Z]`, `[task 2025-02-13T22:10:07.051Z]`, `[08-03|14:10:04.977]`. */
function bracketEnd(codes: Codes, at: number, end: number): number {
  if (codes[at] !== OPENING) return at;
  let p = at + 1;
  if (!isDigit(codes[p])) {
    while (p < end && p - at < NAME_CHARS && isLetter(codes[p]!)) p++;
    if (codes[p] !== 0x20) return at;
    p++;
  }
  const time = timeEnd(codes, p, end);
  return time > p && codes[time] === CLOSING ? time + 1 : at;
}
