/** The summary of one stretch of a stream: small, and ready to be sent from a worker. */
import type { ShapeCounts } from '../shapes/shape-table.ts';

/** A longer redrawn line is replayed from its last bytes alone, as in every view. */
export const MAX_REPLAY_BYTES = 4 * 1024 * 1024;

/** Part of a line whose beginning or end is in another stretch. */
export type LinePart = {
  bytes: number;
  /** Characters of line text. */
  length: number;
  isBlank: boolean;
  /** Whether its last byte is a CR, which is part of the line end if the next part begins with LF. */
  endsWithCr: boolean;
  /** Whether it holds a CR outside the line end: then `end` is replayed instead of using `length` and `isBlank`. */
  redrawn: boolean;
  /** Its last bytes, at most MAX_REPLAY_BYTES. */
  end: Uint8Array;
};

export type ErrorLine = { line_number: number; text: string };

export type PartialSummary = {
  bytes: number;
  /** Lines that begin in this stretch. `chars`, `longest` and `blank` don't count one that ends in another. */
  lines: number;
  /** Characters of line text. */
  chars: number;
  longest: number;
  blank: number;
  /** Lines that end in this stretch with LF alone, and with CR LF. */
  lf: number;
  crlf: number;
  /** By severity, in the order of LEVELS. */
  levels: number[];
  /** The first ten, numbered from 1 in the stretch. */
  errors: ErrorLine[];
  firstTimestamp: string | null;
  lastTimestamp: string | null;
  shapes: ShapeCounts;
  /** The end of a line begun in an earlier stretch; a middle piece that fills the stretch if `headEnds` is false. */
  head: LinePart | null;
  headEnds: boolean;
  /** The beginning of a line that continues in the next stretch. */
  tail: LinePart | null;
};
