/**
 * Cuts an explanation to a budget: takes whole lines by rank until the budget is used, and puts them in the order of
 * the text. It leaves out a line that does not fit. Lines stay whole (CONTRACT 1), except that a cause longer than half
 * the budget is shortened, and so are lines at error level where they are many.
 */
import { Buffer } from 'node:buffer';
import { charsWithin } from '../../../shared/text/clip.ts';
import { messageStart } from './cause-text.ts';
import type { Explanation, RankedLine } from './explanation.ts';

export interface CutLimits {
  /** Most bytes of text, in UTF-8, line ends between lines included. */
  bytes: number;
  lines: number;
}

export interface ExplainingPart {
  start_line: number;
  end_line: number;
  /** Its lines joined by `\n`, without a final one. */
  content: string;
  /** Reason for the choice; absent for context, the beginning and the end. */
  why?: string;
  /** The line that was chosen for that. */
  line?: number;
  /** Only the beginning of its last line is in it. */
  clipped?: 'beginning';
}

export interface CutExplanation {
  parts: ExplainingPart[];
  lines: number;
  bytes: number;
  /** A line is not whole. */
  isCut: boolean;
  /** Distinct lines at error level that had no room, and where among them the next page begins. */
  errors_left_out: number;
  next_error: number;
}

/** Stop looking for lines that fit when so few bytes are left: their order is by rank, and short lines say little. */
const SPENT_BYTES = 40;
/** A further line that takes more than this share of the budget is left out; a line at error level is shortened. */
const LARGE_SHARE = 0.25;
/** Shares of the budget that are enough where the cause is plain: in all, and for lines that are not essential. */
const ENOUGH_SHARE = 0.58;
const ENOUGH_BESIDE = 0.12;
/** Least budget with room for lines at error level. A smaller one is used whole: what explains may come late. */
const LARGE_BYTES = 4096;
/** Share of such a budget that those lines may take. */
const ERRORS_SHARE = 0.9;
/** Bytes of a message that errors are shortened to, tried in this order until all fit. */
const SHORT_BYTES = [480, 320, 240, 160, 120];

/** With `from`, returns the next page instead: only the lines at error level from that one on. */
export function cutExplanation(
  { ranked, blank, essential, isPlain }: Pick<Explanation, 'ranked' | 'blank' | 'essential' | 'isPlain'>,
  limits: CutLimits,
  from = 0,
): CutExplanation {
  const isLarge = limits.bytes >= LARGE_BYTES;
  const known = new Map(ranked.map((line) => [line.number, line]));
  const errors = [...essential].flatMap((number) => known.get(number) ?? []).slice(from);
  const isPage = from > 0;
  const needed = isPage ? errors : [...new Set([...ranked.slice(0, 1), ...(isLarge ? errors : [])])];
  const taken: RankedLine[] = [];
  let left = limits.bytes;
  const take = (line: RankedLine) => {
    taken.push(line);
    left -= sizeOf(line);
  };
  const isFull = () => taken.length >= limits.lines || left < SPENT_BYTES;
  const spared = isPage || !isLarge ? 0 : limits.bytes * (1 - ERRORS_SHARE);
  const large = limits.bytes * LARGE_SHARE;
  const short = SHORT_BYTES.find((most) => sizeOfAll(needed, most) <= left - spared) ?? SHORT_BYTES.at(-1)!;
  const most = sizeOfAll(needed, large) <= left - spared ? large : short;
  for (const [i, line] of needed.entries()) {
    const isFirst = i === 0 && !isPage;
    const one = shortened(line, isFirst ? limits.bytes / 2 : most, left);
    if (taken.length > 0 && (isFull() || sizeOf(one) > left - spared)) break;
    take(one);
  }
  const spare = left;
  const others = isPage ? [] : ranked.filter((line) => !needed.includes(line));
  const enough = Math.min(limits.bytes * (1 - ENOUGH_SHARE), spare - limits.bytes * ENOUGH_BESIDE);
  for (const line of others) {
    if (isFull() || (isLarge && isPlain && left < enough)) break;
    if (!line.isCut && Buffer.byteLength(line.text) <= Math.min(left, large)) take(line);
  }
  const shownNumbers = new Set(taken.map(({ number }) => number));
  const omitted = errors.filter(({ number }) => !shownNumbers.has(number));
  taken.sort((a, b) => a.number - b.number);
  const parts = partsOf(taken, blank);
  const bytes = parts.reduce((sum, part) => sum + Buffer.byteLength(part.content), 0);
  const shown = parts.reduce((sum, part) => sum + part.end_line - part.start_line + 1, 0);
  return {
    parts,
    lines: shown,
    bytes,
    isCut: taken.some(({ isCut }) => isCut),
    errors_left_out: omitted.length,
    next_error: from + (omitted.length > 0 ? errors.indexOf(omitted[0]!) : errors.length),
  };
}

const sizeOf = ({ text }: RankedLine) => Buffer.byteLength(text) + 1;

const sizeOfAll = (lines: readonly RankedLine[], most: number) =>
  lines.reduce((sum, line) => sum + Math.min(sizeOf(line), messageStart(line.text) + most), 0);

/** Returns the line, or of a longer one as much as has `most` bytes of its message, and no more than `room` bytes. */
function shortened(line: RankedLine, most: number, room: number): RankedLine {
  const bytes = Math.floor(Math.min(room, messageStart(line.text) + most));
  if (!line.isCut && Buffer.byteLength(line.text) <= bytes) return line;
  return { ...line, text: line.text.slice(0, charsWithin(line.text, bytes)), isCut: true };
}

/** Lines with only a blank one between them are one part: it costs no more than what parts are joined by. */
function partsOf(lines: readonly RankedLine[], blank: ReadonlySet<number>): ExplainingPart[] {
  const parts: (ExplainingPart & { rank: number })[] = [];
  for (const { number, text, why, rank, isCut } of lines) {
    const last = parts.at(-1);
    const clipped = isCut ? { clipped: 'beginning' as const } : {};
    if (last?.end_line === number - 2 && blank.has(number - 1) && !last.clipped) {
      last.end_line += 1;
      last.content += '\n';
    }
    if (last?.end_line !== number - 1 || last.clipped) {
      parts.push({
        start_line: number,
        end_line: number,
        content: text,
        rank,
        ...(why === null ? {} : { line: number }),
        ...(why ? { why } : {}),
        ...clipped,
      });
      continue;
    }
    last.end_line = number;
    last.content += `\n${text}`;
    Object.assign(last, clipped);
    if (why !== null && (last.line === undefined || rank < last.rank)) {
      last.line = number;
      if (why) last.why = why;
      else delete last.why;
      last.rank = rank;
    }
  }
  return parts.map(({ rank: _, ...part }) => part);
}
