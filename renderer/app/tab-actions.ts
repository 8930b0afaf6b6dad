/** The actions on tabs and panes. */

import { declareActions } from '../actions/action.ts';

export interface TabContext {
  count: number;
  showNeighbour(by: number): void;
  /** Opens the shown text in another tab. */
  duplicate(): void;
  /** Moves the tab one place to the right (1) or to the left (-1). */
  move(by: 1 | -1): void;
  close(): void;
}

export const tabActions = declareActions<TabContext>('Tabs and panes')({
  duplicate: {
    name: 'New tab with the same text',
    words: 'duplicate copy',
    icon: 'file',
    keys: ['d'],
    run: ({ duplicate }) => duplicate(),
  },
  next: {
    name: 'Next tab',
    keys: [']'],
    when: ({ count }) => count > 1,
    run: ({ showNeighbour }) => showNeighbour(1),
  },
  previous: {
    name: 'Previous tab',
    keys: ['['],
    when: ({ count }) => count > 1,
    run: ({ showNeighbour }) => showNeighbour(-1),
  },
  moveRight: {
    name: 'Move the tab to the right',
    keys: ['}'],
    when: ({ count }) => count > 1,
    run: ({ move }) => move(1),
  },
  moveLeft: {
    name: 'Move the tab to the left',
    keys: ['{'],
    when: ({ count }) => count > 1,
    run: ({ move }) => move(-1),
  },
  close: {
    name: 'Close the tab',
    icon: 'close',
    keys: ['q'],
    when: ({ count }) => count > 1,
    run: ({ close }) => close(),
  },
});

export type Together = 'off' | 'line' | 'time';

export interface PanesContext {
  isSplit: boolean;
  together: Together;
  /** Why the other pane does not follow; null while it does. */
  problem: string | null;
  /** Shows the same text in a second pane; or closes the other pane. */
  toggleSplit(): void;
  focusOther(): void;
  scrollTogether(together: Together): void;
}

export const paneActions = declareActions<PanesContext>('Tabs and panes')({
  split: {
    name: 'Two panes side by side, or one again',
    words: 'split divide columns',
    icon: 'panel',
    keys: ['|', 'Ctrl+\\'],
    isOn: ({ isSplit }) => isSplit,
    run: ({ toggleSplit }) => toggleSplit(),
  },
  other: {
    name: 'Go to the other pane',
    keys: ['p'],
    when: ({ isSplit }) => isSplit,
    run: ({ focusOther }) => focusOther(),
  },
  byLine: {
    name: 'Scroll both panes together, line by line',
    label: 'Lines',
    keys: ['z'],
    when: ({ isSplit }) => isSplit,
    isOn: ({ together }) => together === 'line',
    run: ({ together, scrollTogether }) => scrollTogether(together === 'line' ? 'off' : 'line'),
  },
  byTime: {
    name: 'Scroll both panes together, by time',
    label: 'Time',
    keys: ['Z'],
    when: ({ isSplit }) => isSplit,
    isOn: ({ together }) => together === 'time',
    run: ({ together, scrollTogether }) => scrollTogether(together === 'time' ? 'off' : 'time'),
  },
});
