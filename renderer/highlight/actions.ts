/** The actions on highlighters. */
import { declareActions } from '../commands/action.ts';
import { SELECT_TEXT_FIRST } from '../commands/select-first.ts';
import { COLOUR_NAMES, highlighters, toggleText } from './highlighters.ts';

export interface HighlightContext {
  /** Selected within one line; null without such a text. */
  selected: string | null;
  say: (message: string) => void;
  isOpen: boolean;
  setOpen: (open: boolean) => void;
}

export const highlightActions = declareActions<HighlightContext>()({
  highlightSelected: {
    name: 'Highlight the selected text, or remove its highlight',
    words: 'color colour',
    keys: ['H'],
    group: 'Highlight',
    when: ({ selected }) => selected !== null,
    otherwise: ({ say }) => say(SELECT_TEXT_FIRST),
    run: ({ selected, say }) => {
      const done = selected === null ? null : toggleText(selected);
      if (!done) return say('All ten highlighters are in use: free one in the list of highlighters');
      say(`${done.on ? 'Highlighted in' : 'No longer highlighted in'} ${COLOUR_NAMES[done.colour]}`);
    },
  },
  highlighters: {
    name: 'Highlighters: ten colours, each for a text or an expression',
    label: 'Highlighters',
    words: 'color colors colour',
    icon: 'marker',
    keys: ['Ctrl+Shift+H'],
    group: 'Highlight',
    isOn: ({ isOpen }) => isOpen || highlighters.get().some(({ pattern, on }) => on && pattern !== ''),
    run: ({ isOpen, setOpen }) => setOpen(!isOpen),
  },
});
