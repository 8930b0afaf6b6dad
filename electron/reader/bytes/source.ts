/**
 * Where a stream's bytes come from. A SourceHandle is plain data to post to a worker; `openSource` makes it readable
 * there. Threads share file descriptors, since every read names its position.
 */
import { readSync } from 'node:fs';
import { SpillwayError } from '../../../shared/errors.ts';
import { openMembers } from '../gzip/members.ts';
import type { ByteSource } from './byte-source.ts';
import type { SourceHandle } from './handles.ts';
import { openPieces } from './pieces.ts';

export function openSource(handle: SourceHandle): ByteSource {
  switch (handle.type) {
    case 'file':
      return fileSource(handle.fd, handle.size, handle.start);
    case 'bytes':
      return bytesSource(handle.bytes);
    case 'members':
      return openMembers(fileSource(handle.fd, Number.MAX_SAFE_INTEGER), handle.table);
    case 'pieces':
      return openPieces(handle, handle.sources.map(openSource));
  }
}

/** Limits a growing stream to its first `size` bytes; returns others as they are. */
export function firstBytesOf(handle: SourceHandle, size: number): SourceHandle {
  const grows = handle.type === 'file' || handle.type === 'pieces';
  return grows && handle.size > size ? { ...handle, size } : handle;
}

function fileSource(fd: number, size: number, start = 0): ByteSource {
  return {
    size,
    read(into, position) {
      const wanted = Math.min(into.length, Math.max(0, size - position));
      let got = 0;
      while (got < wanted) {
        const n = readSync(fd, into, got, wanted - got, start + position + got);
        if (n === 0) {
          if (size === Number.MAX_SAFE_INTEGER) break;
          throw new SpillwayError('changed', 'the file became shorter while it was read', 'ask again');
        }
        got += n;
      }
      return got;
    },
  };
}

function bytesSource(bytes: Uint8Array): ByteSource {
  return {
    size: bytes.length,
    read(into, position) {
      const part = bytes.subarray(position, position + into.length);
      into.set(part);
      return part.length;
    },
  };
}
