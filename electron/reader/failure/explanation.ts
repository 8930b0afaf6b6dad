/** Declares what explains a failure: its cause, and lines in the order of their weight. */

export interface RankedLine {
  /** From 1. */
  readonly number: number;
  readonly offset: number;
  readonly text: string;
  readonly isCut: boolean;
  /** 0 is the cause. */
  readonly rank: number;
  /** Set where it was chosen for what it says. */
  readonly why: string | null;
}

export interface CauseLine {
  line_number: number;
  text: string;
  /** Compares with the score of another stream's cause; has no unit. */
  score: number;
  /** Set where no word in the line tells of a failure: it is merely unlike other lines. */
  basis?: 'unlike';
}

export interface Explanation {
  readonly cause: CauseLine | null;
  /** Best first. */
  readonly ranked: readonly RankedLine[];
  /** Numbers of blank lines among them. */
  readonly blank: ReadonlySet<number>;
  readonly totalLines: number;
  /** Numbers of the distinct lines at error level, which nothing but the cause pushes out; most telling first. */
  readonly essential: ReadonlySet<number>;
  /** The text itself tells of a failure, so its cause is worth naming where no exit status is known. */
  readonly tellsOfFailure: boolean;
  /** The cause says plainly that it is one: a preview needs little else. */
  readonly isPlain: boolean;
}

/** Yields the number of bytes read so far, and returns the result. */
export type ReadingSteps<T> = Generator<number, T, void>;

export const READING_STEP_BYTES = 1024 * 1024;

/** Takes all steps. */
export function lastOf<T>(steps: ReadingSteps<T>): T {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}
