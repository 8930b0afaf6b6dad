/** A capture's `.times` as bytes (store/format/times.ts), wherever they are kept. */
import { closeSync, fstatSync } from 'node:fs';
import { join } from 'node:path';
import type { OpenStream } from '../../../reader/bytes/open-stream.ts';
import { openStream } from '../../../reader/bytes/streams.ts';
import { type CaptureEntry, fullRecord } from '../../../store/format/entry.ts';
import { timesFile } from '../../../store/format/names.ts';
import { openReal } from './open-real.ts';

/** Opens `.times`, in the record or beside it; empty when the file is missing. Throws other system errors. */
export function withTimes<T>(entry: CaptureEntry, use: (times: OpenStream) => T): T {
  if (entry.record.times !== null) {
    return use(inMemory(Buffer.from(fullRecord(entry).times ?? '', 'base64')));
  }
  let fd: number;
  try {
    fd = openReal(join(entry.folder, timesFile(entry.id)));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return use(inMemory(Buffer.alloc(0)));
    throw error;
  }
  try {
    return use(openStream({ type: 'file', fd, size: fstatSync(fd).size }));
  } finally {
    closeSync(fd);
  }
}

function inMemory(bytes: Buffer): OpenStream {
  return openStream({ type: 'bytes', bytes, size: bytes.length });
}
