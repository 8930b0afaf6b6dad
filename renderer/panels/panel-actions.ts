/** The actions of panels: marks, the histogram, recorded terminals. */

import { useState } from 'react';
import { declareActions } from '../actions/action.ts';
import { stored, storeText } from '../ui/state/store.ts';
import { FOLD_KEY } from '../viewer/text/RowLine.tsx';
import { type BinSpan, spanBetween } from './histogram/histogram.ts';
import type { OutlineNode, useFolding } from './outline/use-outline.ts';

interface MarksContext {
  toggle: () => void;
  note: () => void;
  step: (direction: 1 | -1) => void;
  hasMarks: boolean;
  copy: () => void;
  save: () => void;
}

/** Opens the panel with the marks. */
export const MARKS_PANEL_KEY = 'Alt+M';

export const markActions = declareActions<MarksContext>('Marks')({
  toggle: {
    name: 'Mark or unmark the line',
    inMenu: 2,
    words: 'bookmark flag',
    icon: 'mark',
    keys: ['M'],
    run: ({ toggle }) => toggle(),
  },
  note: {
    name: 'Write a note on the line',
    words: 'comment annotate',
    inMenu: 2,
    icon: 'note',
    keys: ['Ctrl+M'],
    run: ({ note }) => note(),
  },
  next: {
    name: 'Next mark',
    icon: 'down',
    keys: ['.'],
    when: ({ hasMarks }) => hasMarks,
    run: ({ step }) => step(1),
  },
  previous: {
    name: 'Previous mark',
    icon: 'up',
    keys: [','],
    when: ({ hasMarks }) => hasMarks,
    run: ({ step }) => step(-1),
  },
  copy: {
    name: 'Copy all marks as Markdown: lines, notes, links',
    label: 'Copy all as Markdown',
    icon: 'copy',
    keys: [],
    when: ({ hasMarks }) => hasMarks,
    run: ({ copy }) => copy(),
  },
  save: {
    name: 'Save all marks to a Markdown file',
    label: 'Save all',
    icon: 'save',
    keys: [],
    when: ({ hasMarks }) => hasMarks,
    run: ({ save }) => save(),
  },
});

/** The action that opens and closes the histogram, and remembers which. */
interface Timeline {
  isOpen: boolean;
  toggle: () => void;
}

const KEY = 'spillway.histogram';

export function useTimeline(): Timeline {
  const [isOpen, setOpen] = useState(() => stored(KEY) === 'open');
  return {
    isOpen,
    toggle() {
      storeText(KEY, isOpen ? 'closed' : 'open');
      setOpen(!isOpen);
    },
  };
}

export const histogramActions = declareActions<Timeline>('View')({
  histogram: {
    name: 'Histogram over time: errors and matches, and going to a time',
    label: 'Histogram',
    words: 'chart timeline graph minimap overview',
    icon: 'summary',
    keys: ['D'],
    isOn: ({ isOpen }) => isOpen,
    run: ({ toggle }) => toggle(),
  },
});

/** The keys of the histogram's plot: choosing a span of time, and what to do with it. */
interface PlotContext {
  chosen: BinSpan | null;
  /** The last bar, from 0. */
  last: number;
  choose(span: BinSpan | null): void;
  goTo(span: BinSpan): void;
  /** Shows only the lines of the chosen time. */
  only(): void;
}

export const plotActions = declareActions<PlotContext>(
  'In the histogram',
  'control',
)({
  choose: {
    name: 'Choose a time',
    keys: ['←', '→', 'Page Up', 'Page Down', 'Home', 'End'],
    run: (plot, key) => {
      const at = movedBar(plot, key);
      plot.choose({ from: at, to: at });
    },
  },
  extend: {
    name: 'Choose a longer time',
    keys: ['Shift+←', 'Shift+→', 'Shift+Page Up', 'Shift+Page Down', 'Shift+Home', 'Shift+End'],
    run: (plot, key) => {
      const at = movedBar(plot, key);
      plot.choose(spanBetween(plot.chosen?.from ?? at, at));
    },
  },
  goTo: {
    name: 'Go to the chosen time',
    keys: ['Enter'],
    when: ({ chosen }) => chosen !== null,
    run: ({ chosen, goTo }) => chosen && goTo(chosen),
  },
  only: {
    name: 'Show only the chosen time',
    keys: ['Space'],
    when: ({ chosen }) => chosen !== null,
    run: ({ only }) => only(),
  },
  clear: {
    name: 'Choose no time',
    keys: ['Esc'],
    when: ({ chosen }) => chosen !== null,
    run: ({ choose }) => choose(null),
  },
});

/** Returns the bar that a key moves to. The first key starts at an end. */
function movedBar({ chosen, last }: PlotContext, key: string | null): number {
  const steps = { '←': -1, '→': 1, 'Page Up': -10, 'Page Down': 10, Home: -last, End: last };
  const by = steps[key?.replace('Shift+', '') as keyof typeof steps] ?? 0;
  return Math.min(last, Math.max(0, (chosen?.to ?? (by > 0 ? -1 : 1)) + by));
}

/** The keys of the tree of sections. */
interface OutlineContext {
  /** The chosen section. */
  node: OutlineNode | null;
  isUnfolded: boolean;
  move(by: number): void;
  choose(index: number): void;
  fold(index: number, isUnfolded: boolean): void;
  show(node: OutlineNode): void;
  openAlone(node: OutlineNode): void;
}

export const OPEN_ALONE = 'Open the member of the archive alone';

const ALL = Number.POSITIVE_INFINITY;

export const outlineActions = declareActions<OutlineContext>(
  'In the outline',
  'control',
)({
  choose: {
    name: 'Choose a section',
    keys: ['↑', '↓', 'Home', 'End'],
    run: ({ move }, key) => move({ '↑': -1, '↓': 1, Home: -ALL, End: ALL }[key ?? ''] ?? 0),
  },
  unfold: {
    name: 'Unfold the section, or choose its first part',
    keys: ['→'],
    when: ({ node }) => node?.hasParts === true,
    run: ({ node, isUnfolded, fold, move }) => (isUnfolded ? move(1) : fold(node!.index, true)),
  },
  fold: {
    name: 'Fold the section, or choose the one around it',
    keys: ['←'],
    when: ({ node }) => node !== null,
    run: ({ node, isUnfolded, fold, choose }) => {
      if (node!.hasParts && isUnfolded) fold(node!.index, false);
      else if (node!.parent >= 0) choose(node!.parent);
    },
  },
  show: {
    name: 'Go to the section',
    keys: ['Enter', 'Space'],
    when: ({ node }) => node !== null,
    run: ({ node, show }) => show(node!),
  },
  alone: {
    name: OPEN_ALONE,
    keys: ['Shift+Enter'],
    when: ({ node }) => node?.member === true,
    run: ({ node, openAlone }) => openAlone(node!),
  },
});

export const pauseActions = declareActions<{ stepPause: (direction: 1 | -1) => void }>('Move')({
  next: {
    name: 'Next of the longest pauses',
    words: 'gap slow wait time',
    icon: 'down',
    keys: [')'],
    run: ({ stepPause }) => stepPause(1),
  },
  previous: {
    name: 'Previous of the longest pauses',
    words: 'gap slow wait time',
    icon: 'up',
    keys: ['('],
    run: ({ stepPause }) => stepPause(-1),
  },
});

export const foldActions = declareActions<Omit<ReturnType<typeof useFolding>, 'sections'>>('View')({
  here: {
    name: 'Fold the section around the line in the text, or unfold it',
    words: 'collapse group step',
    keys: [FOLD_KEY],
    run: ({ foldHere }) => foldHere(),
  },
  all: {
    name: 'Fold all sections in the text but the one that failed, or unfold all',
    words: 'collapse expand groups steps',
    keys: ['*'],
    run: ({ foldAll }) => foldAll(),
  },
  repeats: {
    name: 'Fold repeats: neighbouring lines of one shape, but no errors',
    label: 'Fold repeats',
    words: 'collapse same similar duplicate lines shape',
    keys: ['&'],
    isOn: ({ hasRepeats }) => hasRepeats,
    run: ({ foldRepeats }) => foldRepeats(),
  },
});

/** The action that shows the last failure in any recorded terminal; it needs no open artifact. */
export const terminalActions = declareActions<{ showLastFailed: () => void }>('View')({
  lastFailed: {
    name: 'Output of the last command that failed in a terminal; again, the one before',
    keys: ['x'],
    run: ({ showLastFailed }) => showLastFailed(),
  },
});
