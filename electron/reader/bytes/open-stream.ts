/** Declares a stream of bytes read by position. */

export interface OpenStream {
  /** Size of the stream when the handle was made. */
  readonly size: number;
  /**
   * Reads from byte `position` into `into`, up to the stream's end, and returns the number of bytes read. Throws
   * `changed` when the file has become shorter than `size`.
   */
  read(into: Uint8Array, position: number): number;
}
