/** Returns the text selected within one line. */
import { lineCount, outerColumns } from '../viewer/selection/selection.ts';
import type { Viewer } from '../viewer/use-viewer.ts';

/**
 * Null if nothing, several lines, several fields of a JSON line or only blanks are selected, or if the line is not
 * fetched.
 */
export function selectedText({ selection, rows }: Pick<Viewer, 'selection' | 'rows'>): string | null {
  if (!selection || lineCount(selection) !== 1 || selection.columns?.drawn) return null;
  const { from, to } = outerColumns(selection);
  const text = rows.row(rows.rowOf(selection.focus))?.text.slice(from, to) ?? '';
  const chosen = selection.columns ? text : text.trim();
  return chosen.trim() === '' ? null : chosen;
}
