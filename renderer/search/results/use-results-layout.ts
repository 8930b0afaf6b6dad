/** How high the results are, whether they are folded, and how many lines they show around a match; remembered. */

import { useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { MAX_RESULT_CONTEXT } from '../../../shared/limits.ts';
import { persisted, recordOf, wholeNumberIn } from '../../ui/state/store.ts';
import type { OpenSearch } from '../open-search.ts';

interface ResultsLayout {
  /** Pixels. */
  height: number;
  folded: boolean;
  /** Lines above and below each match. */
  context: number;
}

export const RESULTS_MIN_PX = 96;
export const RESULTS_MAX_PX = 1200;
const layouts = persisted('spillway.results', restoreResults);

/** The height of a row in the smallest font, in pixels. */
const LEAST_ROW_PX = 14;

/** Returns the most rows that can be seen at once. */
export function rowsInView({ height }: ResultsLayout): number {
  return Math.ceil(height / LEAST_ROW_PX);
}

/** Each text has a layout of its own, which begins as the last one was left. */
export function useResultsLayout() {
  const [layout, setLayout] = useState(layouts.get);
  const change = (part: Partial<ResultsLayout>) =>
    setLayout((last) => {
      layouts.set({ ...last, ...part });
      return layouts.get();
    });
  return { layout, change };
}

/** Parses a stored layout; defaults for whatever is invalid. */
export function restoreResults(text: string | null): ResultsLayout {
  const { height, folded, context } = recordOf(text);
  return {
    height: wholeNumberIn(height, RESULTS_MIN_PX, RESULTS_MAX_PX) ?? 240,
    folded: folded === true,
    context: wholeNumberIn(context, 0, MAX_RESULT_CONTEXT) ?? 0,
  };
}

/** Moves the focus between the text and the results, and knows the result chosen there. */
interface ResultsFocusOptions {
  search: OpenSearch | null;
  setFolded: (folded: boolean) => void;
  focusText: () => void;
}

export function useResultsFocus({ search, setFolded, focusText }: ResultsFocusOptions) {
  const results = useRef<HTMLDivElement>(null);
  const chosenLine = useRef<number | null>(null);
  const hasFocus = () => results.current?.contains(window.document.activeElement) ?? false;
  return {
    results,
    /** The line of the chosen result; null without one. The list keeps it. */
    chosenLine,
    /** The line of the chosen result while the focus is in the results; else null. */
    lineInResults: () => (hasFocus() ? chosenLine.current : null),
    /** Unfolds and focuses the results; from them, folds them and returns to the text. */
    toggleResults: () => {
      if (!search) return;
      const isInside = hasFocus();
      flushSync(() => setFolded(isInside));
      if (isInside) focusText();
      else results.current?.querySelector<HTMLElement>('[role="grid"]')?.focus();
    },
  };
}
