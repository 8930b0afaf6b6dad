/** Copies and saves marks as Markdown, with their whole lines. */

import type { DocumentRef } from '../../../shared/api/rows.ts';
import { isMergedId } from '../../../shared/artifact.ts';
import type { Saved } from '../../../shared/desktop.ts';
import { toSpillwayError } from '../../../shared/errors.ts';
import { codeBlock, codeSpan } from '../../../shared/text/escape.ts';
import { formatBytes, plural } from '../../../shared/text/format.ts';
import { useConnection } from '../../connection/HostProvider.tsx';
import { savedWords, saveText, writeClipboard } from '../../ui/state/page.ts';
import type { Say } from '../../ui/state/time.ts';
import { pageAddress, permalink } from '../../ui/text/quotes.ts';
import { type FetchWhole, fetchWholeLines } from '../../viewer/document/open-document.ts';
import { GUARD_CHARS, type Mark, UNREAD } from './mark-store.ts';

/** From this length on, the size of what was copied or saved is told. */
const TOLD_CHARS = 100_000;

/** @param shown the shown text, and whether a mark is in it */
export function useMarksExport(
  shown: { document: DocumentRef | null; has: (mark: Mark) => boolean },
  say: Say,
) {
  const connection = useConnection();
  const fetchOf = (document: DocumentRef): FetchWhole =>
    connection
      ? (lines, signal) => fetchWholeLines(connection, document, lines, signal)
      : async () => ({ generation: 0, lines: new Map() });
  const documentOf = (mark: Mark): DocumentRef =>
    shown.document && shown.has(mark)
      ? shown.document
      : { artifact_id: mark.artifactId, stream: mark.stream };

  const run = async (
    does: string,
    chosen: readonly Mark[],
    put: (text: string) => Promise<Saved['outcome']>,
  ) => {
    try {
      const marks = await wholeMarks(chosen, fetchOf, documentOf);
      const text = marksAsMarkdown(marks, pageAddress());
      const outcome = await put(text);
      const cut = marks.filter(({ isCut }) => isCut).length;
      const words = cut > 0 ? `; only the beginning of ${plural(cut, 'line')}, marked with …` : '';
      // The whole lines of marks may be long.
      const size = text.length > TOLD_CHARS ? ` (${formatBytes(text.length)})` : '';
      const told = savedWords(outcome, `${does} ${plural(marks.length, 'mark')} as Markdown${size}${words}`);
      if (told !== null) say(told);
    } catch (error) {
      say(toSpillwayError(error).message);
    }
  };
  return {
    copyMarks: (chosen: readonly Mark[]) =>
      void run('Copied', chosen, (text) => writeClipboard(text).then(() => 'saved' as const)),
    saveMarks: (chosen: readonly Mark[]) =>
      void run('Saved', chosen, (text) => saveText('marks.md', [text], 'text/markdown')),
  };
}

/** Reads the whole lines of marks, of which only the first characters are stored. */
export interface WholeMark extends Mark {
  /** Whether `text` is only the beginning of the line. */
  isCut: boolean;
}

/** Browsers let a page write to the clipboard for five seconds after a click. */
const MAX_READING_MS = 3000;
/** UTF-16 code units of all lines together. */
const MAX_CHARS = 64 * 1024 * 1024;

/**
 * Keeps the stored beginning of a line that cannot be read, that has changed, or that comes after MAX_CHARS.
 *
 * @param fetchOf fetches lines of any text
 * @param documentOf the text that a mark is in
 */
export async function wholeMarks(
  marks: readonly Mark[],
  fetchOf: (document: DocumentRef) => FetchWhole,
  documentOf: (mark: Mark) => DocumentRef,
): Promise<WholeMark[]> {
  const signal = AbortSignal.timeout(MAX_READING_MS);
  const found: WholeMark[] = [];
  let chars = 0;
  for (const mark of marks) {
    const isShort = mark.offset !== UNREAD && mark.text.length < GUARD_CHARS;
    if (isShort || chars > MAX_CHARS || signal.aborted) {
      found.push({ ...mark, isCut: !isShort });
      continue;
    }
    const line = await fetchOf(documentOf(mark))([mark.line], signal)
      .then(({ lines }) => lines.get(mark.line))
      .catch(() => undefined);
    if (line?.text.startsWith(mark.text)) {
      chars += line.text.length;
      found.push({ ...mark, text: line.text, isCut: line.clipped });
    } else found.push({ ...mark, isCut: true });
  }
  return found;
}

/**
 * Formats marks as Markdown: each artifact's lines with notes and permalinks. A merged text has no permalinks, as only
 * the window that merged it knows it.
 * @param page address of the window, without a fragment
 */
export function marksAsMarkdown(marks: readonly WholeMark[], page: string): string {
  const groups = new Map<string, WholeMark[]>();
  for (const mark of marks) groups.set(mark.artifactId, [...(groups.get(mark.artifactId) ?? []), mark]);
  return [...groups.values()].map((group) => section(group, page)).join('\n');
}

function section(group: readonly WholeMark[], page: string): string {
  const { name, artifactId } = group[0]!;
  const entries = sorted(group).map((mark) => entry(mark, page));
  const from = isMergedId(artifactId) ? 'Merged by time.' : codeSpan(`spillway inspect ${artifactId}`);
  return `## ${codeSpan(name)}\n\n${from}\n\n${entries.join('\n')}`;
}

function entry(mark: WholeMark, page: string): string {
  const of = mark.stream === 'output' ? '' : ` of ${mark.stream}`;
  const note = mark.note.trim() === '' ? '' : `\n\n${mark.note.trim()}`;
  const line = `Line ${mark.line}${of}`;
  const place = isMergedId(mark.artifactId) ? line : `[${line}](${permalink(page, mark)})`;
  return `${place}${note}\n\n${codeBlock(mark.isCut ? `${mark.text} …` : mark.text)}\n`;
}

/** Sorts marks by stream, then by line. */
export function sorted<M extends Mark>(marks: readonly M[]): M[] {
  return [...marks].sort((a, b) => a.stream.localeCompare(b.stream) || a.line - b.line);
}
