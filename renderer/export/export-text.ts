/** Fetches lines page by page and builds a file: text, text with line numbers, or Markdown. */
import type { Connection } from '../../shared/api/api.ts';
import { type ExportParams, MAX_EXPORT_LINES } from '../../shared/api/export.ts';
import { SpillwayError } from '../../shared/errors.ts';
import { longestTicks } from '../ui/words/markdown.ts';

export type FileForm = 'text' | 'numbers' | 'markdown';

/** The lines to save: a part of a text, or all matches of a search. */
export interface LinesToSave extends Omit<ExportParams, 'from' | 'lines'> {
  /** Returns the line at an index below `count`; absent for all lines from the host. */
  lineOf?: (place: number) => number | null;
  /** Number of lines, if known. */
  count: number;
  /** First column of the first line and last column of the last line: 0 and infinity for whole lines. */
  columns?: { from: number; to: number };
}

export interface Saved {
  parts: Blob[];
  lines: number;
  /** Long lines of which only the beginning was saved. */
  clipped: number;
  /** UTF-16 code units. */
  chars: number;
  /** Longest run of back ticks in the text; a fence around it needs more. */
  ticks: number;
}

/** Rejects with `changed` if the text was replaced meanwhile; never returns fewer lines than asked for. */
export async function fetchFile(
  connection: Connection,
  wanted: LinesToSave,
  form: FileForm,
  { signal, onProgress }: { signal: AbortSignal; onProgress: (lines: number) => void },
): Promise<Saved> {
  const saved: Saved = { parts: [], lines: 0, clipped: 0, chars: 0, ticks: 0 };
  const isNumbered = form === 'numbers' || (form === 'markdown' && wanted.query !== undefined);
  const { lineOf, count, columns, ...rest } = wanted;
  const width = String(lineOf?.(count - 1) ?? count).length;
  let generation: number | null = null;
  const take = async (
    params: Omit<ExportParams, 'document' | 'query'>,
    isFirst: boolean,
    isLast: boolean,
  ) => {
    const page = await connection.request('export_lines', { ...rest, ...params }, { signal });
    generation ??= page.generation;
    if (page.generation !== generation)
      throw new SpillwayError('changed', 'The text changed while it was saved', 'save again');
    const texts = page.lines.map(({ line_number: line, text, clipped }, i) => {
      if (clipped) saved.clipped += 1;
      const end = isLast && page.next === null && i === page.lines.length - 1 ? columns?.to : undefined;
      const start = isFirst && i === 0 ? columns?.from : 0;
      const part = columns ? text.slice(start, end) : text;
      return isNumbered ? `${String(line).padStart(width)}  ${part}\n` : `${part}\n`;
    });
    const text = texts.join('');
    saved.parts.push(new Blob([text]));
    saved.lines += texts.length;
    saved.chars += text.length;
    if (form === 'markdown') saved.ticks = Math.max(saved.ticks, longestTicks(text));
    onProgress(saved.lines);
    return page.next;
  };
  if (!lineOf) {
    for (let from: number | null = 0; from !== null; ) from = await take({ from }, false, false);
    return saved;
  }
  for (let start = 0; start < count; start += MAX_EXPORT_LINES) {
    const size = Math.min(MAX_EXPORT_LINES, count - start);
    const lines = Array.from({ length: size }, (_, i) => lineOf(start + i)).filter((line) => line !== null);
    const isLast = start + size >= count;
    for (let from: number | null = 0; from !== null; )
      from = await take({ lines, from }, start === 0 && from === 0, isLast);
  }
  return saved;
}
