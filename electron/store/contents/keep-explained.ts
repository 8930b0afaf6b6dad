/** Writes `<artifact>.explained` (explained.ts). Recorders load it without schemas. */
import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Explanation } from '../../reader/failure/explanation.ts';
import { explainedFile } from '../format/names.ts';
import { randomHex } from '../format/random.ts';

/** A smaller stream is explained again in less than the blink of an eye. */
export const KEPT_BYTES = 4 * 1024 * 1024;

export interface ExplainedFile {
  version: 4;
  streams: {
    name: 'stdout' | 'stderr' | 'output' | 'combined';
    /** All bytes and lines of the stream. */
    bytes: number;
    lines: number;
    cause: { line_number: number; text: string } | null;
    /** Best first: number, offset, text, whether that is cut, why it was chosen. */
    ranked: ExplainedLine[];
    blank: number[];
    essential: number[];
    plain: boolean;
    telling: number;
  }[];
}

type ExplainedLine = [number, number, string, boolean, string | null];

export interface ExplainedStream {
  name: ExplainedFile['streams'][number]['name'];
  bytes: number;
  explanation: Explanation;
}

/** `others`: stored explanations of streams that are not in `streams`. Never throws. */
export function keepExplained(
  folder: string,
  id: string,
  streams: readonly ExplainedStream[],
  others: ExplainedFile['streams'] = [],
): void {
  const kept = streams.map(({ name, bytes, explanation }) => {
    const { cause, ranked, blank, essential, isPlain, telling, totalLines } = explanation;
    return {
      name,
      bytes,
      lines: totalLines,
      cause: cause && { line_number: cause.line_number, text: cause.text },
      ranked: ranked.map(({ number, offset, text, isCut, why }): ExplainedLine => {
        return [number, offset, text, isCut, why];
      }),
      blank: [...blank],
      essential: [...essential],
      plain: isPlain,
      telling,
    };
  });
  write(join(folder, explainedFile(id)), { version: 4, streams: [...others, ...kept] });
}

/** Does not sync the file to the disk: losing it only costs time. */
function write(path: string, file: ExplainedFile): void {
  const temporary = `${path}.${randomHex(4)}.tmp`;
  try {
    writeFileSync(temporary, JSON.stringify(file), { flag: 'wx', mode: 0o600 });
    renameSync(temporary, path);
  } catch {
    rmSync(temporary, { force: true });
  }
}
