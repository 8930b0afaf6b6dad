/**
 * Keeps `<artifact>.messages`, the table of messages of a finished capture. Later runs are compared with it, without
 * reading the streams again. It is made again where it is absent or damaged, or of another version or of other streams.
 */
import { existsSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type MessageTable, MOST_STORED_BYTES, packTable, unpackTable } from '../../reader/compare/table.ts';
import { type CaptureEntry, isOpen } from '../format/entry.ts';
import { inFolder } from '../format/folder.ts';
import { messagesFile, randomHex, recordFile } from '../format/names.ts';
import { readOwn } from '../format/small-file.ts';

/** Smaller outputs are read again in some milliseconds. */
const LEAST_BYTES = 128 * 1024;

/** Whether a capture's table may be kept: it has ended, all of it is stored, and it is not small. */
export function mayHaveTable({ record, problem, streams }: CaptureEntry): boolean {
  if (isOpen(record) || problem !== null || record.streams.some(({ gap }) => gap !== null)) return false;
  return streams.reduce((sum, { bytes }) => sum + bytes, 0) >= LEAST_BYTES;
}

export function readTable(entry: CaptureEntry): MessageTable | null {
  if (!mayHaveTable(entry)) return null;
  const packed = readOwn(join(entry.folder, messagesFile(entry.id)), MOST_STORED_BYTES);
  return packed === null ? null : unpackTable(packed, textOf(entry));
}

/** Never throws. */
export function keepTable(entry: CaptureEntry, table: MessageTable): void {
  if (!mayHaveTable(entry)) return;
  const packed = packTable(table, textOf(entry));
  if (packed === null) return;
  try {
    inFolder(entry.folder, (held) => {
      const path = held.at(messagesFile(entry.id));
      const temporary = `${path}.${randomHex(4)}.tmp`;
      try {
        // Not synced to the disk: losing it only costs time.
        writeFileSync(temporary, packed, { flag: 'wx', mode: 0o600 });
        renameSync(temporary, path);
      } catch {
        rmSync(temporary, { force: true });
      }
      // The capture may have been removed meanwhile.
      if (!existsSync(held.at(recordFile(entry.id)))) rmSync(path, { force: true });
    });
  } catch {
    // The folder has gone.
  }
}

export function hasTable({ folder, id }: CaptureEntry): boolean {
  return existsSync(join(folder, messagesFile(id)));
}

/** Names the streams by their sizes. */
const textOf = ({ record, streams }: CaptureEntry): string =>
  streams.map(({ bytes }, i) => `${record.streams[i]!.name} ${bytes}`).join(' ');
