/** The action that opens and closes the histogram, and remembers which. */
import { useState } from 'react';
import { declareActions } from '../commands/action.ts';
import { stored, storeText } from '../ui/state/stored.ts';

export interface Timeline {
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

export const histogramActions = declareActions<Timeline>()({
  histogram: {
    name: 'Histogram over time: errors and matches, and going to a time',
    label: 'Histogram',
    words: 'chart timeline graph',
    icon: 'summary',
    keys: ['D'],
    group: 'View',
    isOn: ({ isOpen }) => isOpen,
    run: ({ toggle }) => toggle(),
  },
});
