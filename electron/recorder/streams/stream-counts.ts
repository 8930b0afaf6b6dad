/** Counts of a stream's received bytes, stored or not. Updated only where the bytes are stored. */
export interface StreamCounts {
  bytes: number;
  /** Line ends. */
  newlines: number;
  /** Whether the last byte is not a line end. */
  endsInLine: boolean;
}

export function noCounts(): StreamCounts {
  return { bytes: 0, newlines: 0, endsInLine: false };
}

/** `newlines`: line ends in the chunk, which is not empty. */
export function addToCounts(counts: StreamCounts, chunk: Uint8Array, newlines: number): void {
  counts.bytes += chunk.length;
  counts.newlines += newlines;
  counts.endsInLine = chunk[chunk.length - 1] !== 10;
}
