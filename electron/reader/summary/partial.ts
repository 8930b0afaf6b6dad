/** The summary of one segment of a stream: small, and ready to be sent from a worker. */
import type { ShapeCounts } from './shape-table.ts';

/** A redrawn line that is longer is replayed from its last bytes alone, as in every view. */
export const MAX_REPLAY_BYTES = 4 * 1024 * 1024;

/** A part of a line whose beginning or end is in another segment. */
export type LinePart = {
  bytes: number;
  /** Characters of line text. */
  length: number;
  isBlank: boolean;
  /** Its last byte is a CR: the line's ending, if the next part begins with LF. */
  endsWithCr: boolean;
  /** It holds a CR that is not the line's ending: `length` and `isBlank` say nothing, the end is replayed. */
  redrawn: boolean;
  /** Its last bytes, at most MAX_REPLAY_BYTES. */
  end: Uint8Array;
};

export type ErrorLine = { line_number: number; text: string };

export type PartialSummary = {
  bytes: number;
  /** Lines that begin here. If one ends elsewhere, `chars`, `longest` and `blank` don't count it. */
  lines: number;
  /** Characters of line text. */
  chars: number;
  longest: number;
  blank: number;
  /** Lines that end here with LF alone, and with CR LF. */
  lf: number;
  crlf: number;
  /** By severity, in the order of LEVELS. */
  levels: number[];
  /** The first ten, numbered from 1 in the segment. */
  errors: ErrorLine[];
  firstTimestamp: string | null;
  lastTimestamp: string | null;
  shapes: ShapeCounts;
  /** The end of a line begun before; when `headEnds` is false, a piece of one that is all of the segment. */
  head: LinePart | null;
  headEnds: boolean;
  /** The beginning of a line that goes on in the next segment. */
  tail: LinePart | null;
};
