/**
 * Opens streams in any thread. A StreamHandle is plain data to post to a worker; `openStream` makes it readable there.
 * Threads share file descriptors, as every read names its position.
 */
import { readSync } from 'node:fs';
import { SpillwayError } from '../../../shared/errors.ts';
import { openMembers } from '../gzip/members.ts';
import type { OpenStream, StreamHandle } from './open-stream.ts';
import { openPieces } from './pieces.ts';

export function openStream(handle: StreamHandle): OpenStream {
  switch (handle.type) {
    case 'file':
      return fileStream(handle.fd, handle.size, handle.start);
    case 'bytes':
      return bytesStream(handle.bytes);
    case 'members':
      return openMembers(fileStream(handle.fd, Number.MAX_SAFE_INTEGER), handle.table);
    case 'pieces':
      return openPieces(handle, handle.parts.map(openStream));
  }
}

/** Limits a growing stream to its first `size` bytes; returns others as they are. */
export function firstBytesOf(handle: StreamHandle, size: number): StreamHandle {
  const grows = handle.type === 'file' || handle.type === 'pieces';
  return grows && handle.size > size ? { ...handle, size } : handle;
}

function fileStream(fd: number, size: number, start = 0): OpenStream {
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

function bytesStream(bytes: Uint8Array): OpenStream {
  return {
    size: bytes.length,
    read(into, position) {
      const part = bytes.subarray(position, position + into.length);
      into.set(part);
      return part.length;
    },
  };
}
