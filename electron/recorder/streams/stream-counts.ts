/** How much has arrived of a stream, stored or not. Counted once, where its bytes are stored; the rest reads it. */
export interface StreamCounts {
  bytes: number;
  /** Line ends. */
  newlines: number;
  /** The last byte was no line end. */
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
