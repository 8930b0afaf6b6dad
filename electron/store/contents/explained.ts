/**
 * Reads `<artifact>.explained`: why a command failed, chosen while it printed, so that nobody has to read a gigabyte
 * again to say it. It repeats lines of the streams. Nothing depends on it: where it is absent, damaged, of another
 * version, or of a stream with another size, the stream is explained from its bytes.
 */

import { existsSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { usualSecrets } from '../../../shared/secrets/mask.ts';
import type { Explanation } from '../../reader/failure/explanation.ts';
import { inFolder } from '../format/folder.ts';
import { explainedFile, randomHex, recordFile } from '../format/names.ts';
import { readOwn } from '../format/small-file.ts';

const VERSION = 6;
const count = z.number().int().min(0);

const Line = z.tuple([count.min(1), count, z.string(), z.boolean(), z.string().nullable()]);
const Stream = z.object({
  name: z.enum(['stdout', 'stderr', 'output', 'combined']),
  bytes: count,
  lines: count,
  cause: z.object({ line_number: count.min(1), text: z.string() }).nullable(),
  ranked: z.array(Line),
  blank: z.array(count),
  essential: z.array(count),
  tells: z.boolean(),
  plain: z.boolean(),
});
const File = z.object({
  version: z.literal(VERSION),
  streams: z.array(Stream),
}) satisfies z.ZodType<ExplainedFile>;

/** Returns the stored explanation of a stream of `bytes` bytes; null without a usable one. */
export function readExplained(folder: string, id: string, name: string, bytes: number): Explanation | null {
  const stream = parsed(readOwn(join(folder, explainedFile(id))))?.streams.find((one) => one.name === name);
  if (stream?.bytes !== bytes) return null;
  const { cause, ranked, blank, essential, tells, plain, lines } = stream;
  return {
    cause: cause && { ...cause, score: 0 },
    ranked: ranked.map(([number, offset, text, isCut, why], rank) => {
      return { number, offset, text, isCut, why, rank };
    }),
    blank: new Set(blank),
    essential: new Set(essential),
    tellsOfFailure: tells,
    isPlain: plain,
    totalLines: lines,
  };
}

/** Adds an explanation of one stream, found after the capture ended, to the stored ones. Never throws. */
export function addExplained(folder: string, id: string, stream: ExplainedStream): void {
  try {
    inFolder(folder, (held) => {
      const path = held.at(explainedFile(id));
      const others = parsed(readOwn(path))?.streams.filter(({ name }) => name !== stream.name) ?? [];
      keepExplained(held.at('.'), id, [stream], others);
      // The capture may have been removed meanwhile.
      if (!existsSync(held.at(recordFile(id)))) rmSync(held.at(explainedFile(id)), { force: true });
    });
  } catch {
    // The folder has gone.
  }
}

function parsed(text: string | null): ExplainedFile | null {
  try {
    return text === null ? null : (File.safeParse(JSON.parse(text)).data ?? null);
  } catch {
    return null;
  }
}

// Writes `<artifact>.explained` (explained.ts). Recorders load it without schemas.

/** A smaller stream is explained again in less than the blink of an eye. */
export const KEPT_BYTES = 4 * 1024 * 1024;

interface ExplainedFile {
  version: 6;
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
    /** The text itself tells of a failure. */
    tells: boolean;
    plain: boolean;
  }[];
}

type ExplainedLine = [number, number, string, boolean, string | null];

interface ExplainedStream {
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
    const { cause, ranked, blank, essential, tellsOfFailure, isPlain, totalLines } = explanation;
    return {
      name,
      bytes,
      lines: totalLines,
      cause: cause && { line_number: cause.line_number, text: usualSecrets.mask(cause.text).text },
      ranked: withoutSecrets(ranked),
      blank: [...blank],
      essential: [...essential],
      tells: tellsOfFailure,
      plain: isPlain,
    };
  });
  write(join(folder, explainedFile(id)), { version: 6, streams: [...others, ...kept] });
}

/** Masks in the order of the text: a private key has several lines. */
function withoutSecrets(ranked: Explanation['ranked']): ExplainedLine[] {
  const inOrder = ranked.toSorted((a, b) => a.number - b.number);
  const texts = usualSecrets.mask(inOrder.map(({ text }) => text).join('\n')).text.split('\n');
  const masked = new Map(inOrder.map(({ number }, i) => [number, texts[i]!]));
  return ranked.map(({ number, offset, text, isCut, why }) => {
    return [number, offset, masked.get(number) ?? text, isCut, why];
  });
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
