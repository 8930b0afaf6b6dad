/** The actions on marks: making, stepping, copying and saving. */
import { declareActions } from '../commands/action.ts';

interface MarksContext {
  toggle: () => void;
  note: () => void;
  step: (direction: 1 | -1) => void;
  hasMarks: boolean;
  isPanelOpen: boolean;
  togglePanel: () => void;
  copy: () => void;
  save: () => void;
}

export const markActions = declareActions<MarksContext>()({
  toggle: {
    name: 'Mark or unmark the line',
    words: 'bookmark flag',
    icon: 'mark',
    keys: ['M'],
    group: 'Marks',
    run: ({ toggle }) => toggle(),
  },
  note: {
    name: 'Write a note on the line',
    icon: 'note',
    keys: ['Ctrl+M'],
    group: 'Marks',
    run: ({ note }) => note(),
  },
  next: {
    name: 'Next mark',
    icon: 'down',
    keys: ['.'],
    group: 'Marks',
    when: ({ hasMarks }) => hasMarks,
    run: ({ step }) => step(1),
  },
  previous: {
    name: 'Previous mark',
    icon: 'up',
    keys: [','],
    group: 'Marks',
    when: ({ hasMarks }) => hasMarks,
    run: ({ step }) => step(-1),
  },
  panel: {
    name: 'Marks: list, notes, export',
    label: 'Marks',
    words: 'bookmarks',
    icon: 'mark',
    keys: ['Alt+M'],
    group: 'Marks',
    isOn: ({ isPanelOpen }) => isPanelOpen,
    run: ({ togglePanel }) => togglePanel(),
  },
  copy: {
    name: 'Copy all marks as Markdown: lines, notes, links',
    label: 'Copy all as Markdown',
    icon: 'copy',
    keys: [],
    group: 'Marks',
    when: ({ hasMarks }) => hasMarks,
    run: ({ copy }) => copy(),
  },
  save: {
    name: 'Save all marks to a Markdown file',
    label: 'Save all',
    icon: 'save',
    keys: [],
    group: 'Marks',
    when: ({ hasMarks }) => hasMarks,
    run: ({ save }) => save(),
  },
});
