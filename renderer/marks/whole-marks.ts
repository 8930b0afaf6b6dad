/** Reads the whole lines of marks, of which only the first characters are stored. */
import type { DocumentRef } from '../../shared/api/rows.ts';
import type { FetchWhole } from '../viewer/document/whole-lines.ts';
import { GUARD_CHARS, type Mark, UNREAD } from './mark-store.ts';

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
