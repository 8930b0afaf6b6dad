/** Writes `<artifact>.explained` (explained.ts). Recorders load it without schemas. */
import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Explanation } from '../../reader/failure/explanation.ts';
import { explainedFile } from '../format/names.ts';
import { randomHex } from '../format/random.ts';

export interface ExplainedFile {
  version: 1;
  streams: {
    name: 'stdout' | 'stderr' | 'output';
    /** All bytes and lines of the stream. */
    bytes: number;
    lines: number;
    cause: { line_number: number; text: string } | null;
    /** Best first: number, offset, text, whether that is cut, why it was chosen. */
    ranked: [number, number, string, boolean, string | null][];
    blank: number[];
  }[];
}

export interface ExplainedStream {
  name: ExplainedFile['streams'][number]['name'];
  bytes: number;
  explanation: Explanation;
}

/** Never throws. It is not synced to the disk: a lost or damaged file only costs time. */
export function keepExplained(folder: string, id: string, streams: readonly ExplainedStream[]): void {
  const path = join(folder, explainedFile(id));
  const temporary = `${path}.${randomHex(4)}.tmp`;
  const file: ExplainedFile = {
    version: 1,
    streams: streams.map(({ name, bytes, explanation: { cause, ranked, blank, totalLines } }) => ({
      name,
      bytes,
      lines: totalLines,
      cause: cause && { line_number: cause.line_number, text: cause.text },
      ranked: ranked.map(({ number, offset, text, isCut, why }) => [number, offset, text, isCut, why]),
      blank: [...blank],
    })),
  };
  try {
    writeFileSync(temporary, JSON.stringify(file), { flag: 'wx', mode: 0o600 });
    renameSync(temporary, path);
  } catch {
    rmSync(temporary, { force: true });
  }
}
