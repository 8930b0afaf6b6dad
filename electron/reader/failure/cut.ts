/**
 * Cuts an explanation to a budget: takes whole lines by rank until the budget is used, and puts them in the order of
 * the text. It leaves out a line that does not fit. Lines stay whole (CONTRACT 1), except that a cause longer than half
 * the budget is shortened.
 */
import { Buffer } from 'node:buffer';
import { charsWithin } from '../../../shared/text/clip.ts';
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

interface CutExplanation {
  parts: ExplainingPart[];
  lines: number;
  bytes: number;
  /** A line is not whole. */
  isCut: boolean;
}

/** Stop looking for lines that fit when so few bytes are left: their order is by rank, and short lines say little. */
const SPENT_BYTES = 40;
/** A further line that takes more than this share of the budget is left out; a line at error level is shortened. */
const LARGE_SHARE = 0.25;
/** Shares of the budget that are enough where the cause is plain: in all, and for lines that are not essential. */
const ENOUGH_SHARE = 0.58;
const ENOUGH_BESIDE = 0.12;
/**
 * Least budget with room for all essential lines. A smaller one is used whole: what explains may come late.
 */
const LARGE_BYTES = 4096;
export const LONGEST_ERROR_BYTES = LARGE_BYTES * LARGE_SHARE;

export function cutExplanation(
  explanation: Pick<Explanation, 'ranked' | 'blank' | 'essential' | 'isPlain'>,
  limits: CutLimits,
): CutExplanation {
  const { ranked, blank, essential, isPlain } = explanation;
  const isLarge = limits.bytes >= LARGE_BYTES;
  const needed = isLarge ? ranked.filter(({ number }) => essential.has(number)) : ranked.slice(0, 1);
  const taken: RankedLine[] = [];
  let left = limits.bytes;
  /** Bytes left when all essential lines are taken. */
  let spare: number | null = null;
  for (const line of new Set([...needed, ...ranked])) {
    if (taken.length >= limits.lines || left < SPENT_BYTES) break;
    const isFirst = taken.length === 0;
    const isNeeded = taken.length < needed.length;
    if (!isNeeded) spare ??= left;
    if (
      isLarge &&
      isPlain &&
      spare !== null &&
      Math.min(limits.bytes * (1 - ENOUGH_SHARE), spare - limits.bytes * ENOUGH_BESIDE) > left
    )
      break;
    const room = Math.min(left, Math.floor(limits.bytes * (isFirst ? 1 / 2 : LARGE_SHARE)));
    const isWhole = !line.isCut && Buffer.byteLength(line.text) <= room;
    if (!isWhole && !isNeeded) continue;
    const one = isWhole
      ? line
      : { ...line, text: line.text.slice(0, charsWithin(line.text, room)), isCut: true };
    taken.push(one);
    left -= Buffer.byteLength(one.text) + 1;
  }
  taken.sort((a, b) => a.number - b.number);
  const parts = partsOf(taken, blank);
  const bytes = parts.reduce((sum, part) => sum + Buffer.byteLength(part.content), 0);
  const shown = parts.reduce((sum, part) => sum + part.end_line - part.start_line + 1, 0);
  return { parts, lines: shown, bytes, isCut: taken.some(({ isCut }) => isCut) };
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
