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
  /** For comparing with the cause of another stream; has no unit. */
  score: number;
  /** Set where no word of it tells of a failure: the last step of a script, or unlike other lines. */
  basis?: 'step' | 'unlike';
}

export interface Explanation {
  readonly cause: CauseLine | null;
  /** Best first. */
  readonly ranked: readonly RankedLine[];
  /** Numbers of blank lines among them. */
  readonly blank: ReadonlySet<number>;
  readonly totalLines: number;
}
