/** The selected lines of a text and copying them. */
import { useCallback, useMemo, useState } from 'react';
import type { OpenDocument } from '../document/open-document.ts';
import type { FilteredLines, RowsView } from '../document/rows-view.ts';
import type { Scroll } from '../scrolling/scroll.ts';
import { passingRows, type RowsToCopy } from './rows-to-copy.ts';
import { clampSelection, lineCount, type Selection, selectLine } from './selection.ts';
import { useCopy } from './use-copy.ts';
import { useKeepSelectionInView } from './use-keep-selection-in-view.ts';

interface SelectionOptions {
  initial: Selection | null;
  document: OpenDocument | null;
  passing: FilteredLines | null;
  rows: RowsView;
  scroll: Scroll;
  /** Null until a line is known. */
  meanLineBytes: number | null;
  say: (message: string) => void;
}

export function useSelection(options: SelectionOptions) {
  const { initial, document, passing, rows, scroll, meanLineBytes, say } = options;
  const [selected, select] = useState<Selection | null>(initial);
  const firstLine = rows.lineOf(0);
  const lastLine = rows.lineOf(rows.count - 1);
  const selection =
    firstLine === null || lastLine === null ? null : clampSelection(selected, firstLine, lastLine);
  useKeepSelectionInView(scroll, rows, selection);
  const toCopy: RowsToCopy | null = useMemo(
    () => (passing && document ? passingRows(passing, document.fetchWhole) : document),
    [passing, document],
  );
  const shownPart = selection && toCopy?.counted ? toCopy.counted(selection) : selection;
  const copy = useCopy(toCopy, say, meanLineBytes);
  const selectOne = useCallback((line: number) => select(selectLine(line)), []);
  return {
    /** The selected part of the shown lines. */
    selection,
    /** The selection, shown or not. A null line is not known yet. */
    selected,
    select,
    selectOne,
    /** Number of shown selected lines; filters may hide some in between. */
    selectedLines: shownPart ? lineCount(shownPart) : 0,
    copy,
  };
}
