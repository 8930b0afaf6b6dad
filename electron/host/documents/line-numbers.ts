/** Converts between stored lines and the numbers shown: those the lines had on arrival (reader/lines/line-gaps.ts). */
import { type LineGap, shownLine, storedFrom, storedTo, type TextGap } from '../../reader/lines/line-gaps.ts';

export class LineNumbers {
  readonly gaps: readonly LineGap[];
  /** Number of lines, including missing ones. */
  readonly total: number;
  /** Number of stored lines. */
  readonly stored: number;
  readonly #texts: readonly TextGap[];

  /**
   * @param texts the gaps in bytes, in order
   * @param total if known; else the missing lines plus the stored ones
   */
  constructor(texts: readonly TextGap[], gaps: readonly LineGap[], stored: number, total: number | null) {
    this.#texts = texts;
    this.gaps = gaps;
    this.stored = stored;
    this.total = total ?? gaps.reduce((sum, gap) => sum + gap.lines, stored);
  }

  shown(stored: number): number {
    return shownLine(this.gaps, stored);
  }

  shownOrNull(stored: number | null): number | null {
    return stored === null ? null : this.shown(stored);
  }

  /** Returns the first stored line with this number or a higher one. */
  from(shown: number): number {
    return storedFrom(this.gaps, shown);
  }

  /** Returns the last stored line with this number or a lower one; 0 if there is none. */
  to(shown: number): number {
    return Math.min(this.stored, storedTo(this.gaps, shown));
  }

  /** Returns a sentence for each gap in the lines `first` to `last` (shown numbers). */
  missing(first = 1, last = Number.POSITIVE_INFINITY): string[] {
    const notes: string[] = [];
    let before = 0;
    let gap = 0;
    for (const text of this.#texts) {
      const bytes = `${text.bytes.toLocaleString('en')} bytes${text.where}`;
      if (text.lines === 0) {
        notes.push(`${bytes} are missing at offset ${text.offset}, because ${text.why}`);
        continue;
      }
      const lines = this.gaps[gap];
      gap += 1;
      if (!lines) continue;
      const from = lines.after + before + 1;
      before += lines.lines;
      const to = lines.after + before;
      const rest = lines.cutsLine ? from - 1 : null;
      if (to < first || (rest ?? from) > last) continue;
      notes.push(`${whichLines(from, to, rest)} missing (${bytes}), because ${text.why}`);
    }
    return notes;
  }
}

/** `rest`: the line before `from`, if its rest is missing. */
function whichLines(from: number, to: number, rest: number | null): string {
  const cut = rest === null ? '' : `the rest of line ${rest}`;
  if (to < from) return `${cut} is`;
  const whole = from === to ? `line ${from}` : `lines ${from} to ${to}`;
  if (rest !== null) return `${cut} and ${whole} are`;
  return from === to ? `${whole} is` : `${whole} are`;
}
