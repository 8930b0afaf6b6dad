/** Copies and saves marks as Markdown, with their whole lines. */
import type { DocumentRef } from '../../shared/api/rows.ts';
import { toSpillwayError } from '../../shared/errors.ts';
import { formatBytes, plural } from '../../shared/text/format.ts';
import { useConnection } from '../connection/HostProvider.tsx';
import { writeClipboard } from '../ui/state/clipboard.ts';
import { saveText } from '../ui/state/save-text.ts';
import type { Say } from '../ui/state/time-hooks.ts';
import { pageAddress } from '../ui/words/permalink.ts';
import { type FetchWhole, fetchWholeLines } from '../viewer/document/whole-lines.ts';
import type { Mark } from './mark-store.ts';
import { marksAsMarkdown } from './marks-markdown.ts';
import { wholeMarks } from './whole-marks.ts';

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

  const run = async (does: string, chosen: readonly Mark[], put: (text: string) => Promise<void> | void) => {
    try {
      const marks = await wholeMarks(chosen, fetchOf, documentOf);
      const text = marksAsMarkdown(marks, pageAddress());
      await put(text);
      const cut = marks.filter(({ isCut }) => isCut).length;
      const words = cut > 0 ? `; only the beginning of ${plural(cut, 'line')}, marked with …` : '';
      // The whole lines of marks may be long.
      const size = text.length > TOLD_CHARS ? ` (${formatBytes(text.length)})` : '';
      say(`${does} ${plural(marks.length, 'mark')} as Markdown${size}${words}`);
    } catch (error) {
      say(toSpillwayError(error).message);
    }
  };
  return {
    copyMarks: (chosen: readonly Mark[]) => void run('Copied', chosen, writeClipboard),
    saveMarks: (chosen: readonly Mark[]) =>
      void run('Saved', chosen, (text) => saveText('marks.md', [text], 'text/markdown')),
  };
}
