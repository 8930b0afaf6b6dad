/**
 * Tells from the lines around a line whether it begins a step of a script, and whether its failure was made good.
 */
import { IGNORED, MADE_GOOD, STEP_START } from './lexicon/structure.ts';
import type { LogLine, LogLines } from './log-lines.ts';
import type { FailureScanner } from './scan/scanner.ts';
import { namesIn } from './scan/tokens.ts';

/** Steps are looked for in so many lines before the end, as far as they are loaded. */
const MOST_LINES = 400;

/**
 * Returns the number of the line in which the last step begins, such as the last traced command; 0 if there is none.
 */
export function lastStep(lines: LogLines): number {
  for (let n = lines.total; n > Math.max(0, lines.total - MOST_LINES); n--) {
    const line = lines.get(n);
    if (!line) return 0;
    if (STEP_START.test(line.text)) return n;
  }
  return 0;
}

/** A failure is made good if one of this many next lines says so. */
const SOON_LINES = 8;
/** A name that comes more often says nothing of one failure. */
const RARE = 24;

/** Tells whether a failure was recovered from later. Reads each line once. */
export class MadeGood {
  readonly #lines: LogLines;
  readonly #names: FailureScanner['names'];
  /** By line: the names in it where it says that something went well after all; null where it doesn't. */
  readonly #said = new Map<number, ReadonlySet<number> | null>();

  constructor(lines: LogLines, { names }: FailureScanner) {
    this.#lines = lines;
    this.#names = names;
  }

  /**
   * Whether the next line says that the failure does not count, or one of the next lines that something went well after
   * all, and shares a rare name with it.
   */
  has({ number, text }: LogLine): boolean {
    if (IGNORED.test(this.#lines.get(number + 1)?.text ?? '')) return true;
    let own: Map<number, string> | null = null;
    for (let n = number + 1; n <= number + SOON_LINES; n++) {
      const said = this.#saidIn(n);
      if (said === undefined) return false;
      if (said === null) continue;
      own ??= namesIn(text);
      for (const hash of own.keys()) if (said.has(hash)) return true;
    }
    return false;
  }

  #saidIn(number: number): ReadonlySet<number> | null | undefined {
    const known = this.#said.get(number);
    if (known !== undefined) return known;
    const line = this.#lines.get(number);
    if (!line) return undefined;
    const said = MADE_GOOD.test(line.text)
      ? new Set([...namesIn(line.text).keys()].filter((hash) => this.#names.countOf(hash) <= RARE))
      : null;
    this.#said.set(number, said);
    return said;
  }
}
