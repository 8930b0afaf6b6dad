/** Declares a stream of bytes read by position, and the plain data that names one, to be posted to a worker. */

export interface OpenStream {
  /** Size of the stream when the handle was made. */
  readonly size: number;
  /**
   * Reads from byte `position` into `into`, up to the stream's end, and returns the number of bytes read. Throws
   * `changed` when the file has become shorter than `size`.
   */
  read(into: Uint8Array, position: number): number;
}

/** Offsets and lengths of a gzip file's members, in shared memory so that posting it copies nothing. */
export interface MemberTable {
  /** Cache key; a posted table keeps it. */
  readonly id: number;
  /** Four numbers a member: offset and length of its deflate data, offset of its text in the stream, its length. */
  readonly entries: SharedArrayBuffer;
  readonly count: number;
  /** Size of the stream, inflated. */
  readonly size: number;
}

/** A stream to post to a worker. */
export interface PiecesHandle {
  readonly type: 'pieces';
  readonly size: number;
  readonly parts: readonly StreamHandle[];
  readonly table: { readonly chunks: readonly SharedArrayBuffer[]; readonly count: number };
}

export type StreamHandle =
  /** The stream begins at byte `start` of the file, 0 when absent. `path` tells the disk that a read may wait for. */
  | {
      readonly type: 'file';
      readonly fd: number;
      readonly size: number;
      readonly start?: number;
      readonly path?: string;
    }
  | { readonly type: 'bytes'; readonly bytes: Uint8Array; readonly size: number }
  | {
      readonly type: 'members';
      readonly fd: number;
      readonly size: number;
      readonly table: MemberTable;
      readonly path?: string;
    }
  | PiecesHandle;
