/** How high the results are, whether they are folded, and how many lines they show around a match; remembered. */

import { useCallback, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { MAX_RESULT_CONTEXT } from '../../../shared/limits.ts';
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
const USUAL: ResultsLayout = { height: 240, folded: false, context: 0 };
const KEY = 'spillway.results';

/** The height of a row in the smallest font, in pixels. */
const LEAST_ROW_PX = 14;

/** Returns the most rows that can be seen at once. */
export function rowsInView({ height }: ResultsLayout): number {
  return Math.ceil(height / LEAST_ROW_PX);
}

export function useResultsLayout() {
  const [layout, setLayout] = useState(() => restoreResults(stored()));
  const change = useCallback((part: Partial<ResultsLayout>) => {
    setLayout((last) => {
      const next = { ...last, ...part };
      try {
        localStorage.setItem(KEY, JSON.stringify(next));
      } catch {
        // Without storage it lasts as long as the window.
      }
      return next;
    });
  }, []);
  return { layout, change };
}

/** Parses a stored layout; defaults for whatever is invalid. */
export function restoreResults(text: string | null): ResultsLayout {
  try {
    const value: unknown = JSON.parse(text ?? '');
    if (typeof value !== 'object' || value === null) return USUAL;
    const { height, folded, context } = value as Partial<Record<keyof ResultsLayout, unknown>>;
    return {
      height: within(height, RESULTS_MIN_PX, RESULTS_MAX_PX) ?? USUAL.height,
      folded: folded === true,
      context: within(context, 0, MAX_RESULT_CONTEXT) ?? USUAL.context,
    };
  } catch {
    return USUAL;
  }
}

function within(value: unknown, low: number, high: number): number | null {
  return typeof value === 'number' && Number.isInteger(value) && value >= low && value <= high ? value : null;
}

function stored(): string | null {
  try {
    return localStorage.getItem(KEY);
  } catch {
    return null;
  }
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
