/** A capture's `.times` as bytes (store/format/times.ts), wherever they are kept. */
import { closeSync, fstatSync } from 'node:fs';
import { join } from 'node:path';
import type { ByteSource } from '../../../reader/bytes/byte-source.ts';
import { openSource } from '../../../reader/bytes/source.ts';
import { type CaptureEntry, fullRecord } from '../../../store/format/entry.ts';
import { timesFile } from '../../../store/format/names.ts';
import { openReal } from './open-real.ts';

/** Opens `.times`, in the record or beside it; empty when the file is missing. Throws other system errors. */
export function withTimes<T>(entry: CaptureEntry, use: (times: ByteSource) => T): T {
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
    return use(openSource({ type: 'file', fd, size: fstatSync(fd).size }));
  } finally {
    closeSync(fd);
  }
}

function inMemory(bytes: Buffer): ByteSource {
  return openSource({ type: 'bytes', bytes, size: bytes.length });
}
