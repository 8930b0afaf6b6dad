/** Moves the focus between the text and the results, and knows the result chosen there. */
import { useRef } from 'react';
import { flushSync } from 'react-dom';
import type { OpenSearch } from '../open-search.ts';

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
