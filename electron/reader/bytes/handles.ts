/** Declares the plain data that names a stream’s bytes, to be posted to a worker. */
import type { MemberTable } from '../gzip/members.ts';

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
