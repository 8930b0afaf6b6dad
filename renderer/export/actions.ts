/** The actions that save lines to a file. */
import { declareActions } from '../commands/action.ts';

interface ExportContext {
  /** Whether there is a search. */
  isActive: boolean;
  saveLines: () => void;
  saveMatches: () => void;
}

export const exportActions = declareActions<ExportContext>()({
  saveLines: {
    name: 'Save to a file: the selection, or all lines that are shown',
    words: 'export download',
    icon: 'save',
    keys: ['Ctrl+S'],
    group: 'Select and copy',
    run: ({ saveLines }) => saveLines(),
  },
  saveMatches: {
    name: 'Save all matching lines to a file',
    words: 'export download',
    icon: 'save',
    keys: ['Ctrl+Shift+S'],
    group: 'Select and copy',
    when: ({ isActive }) => isActive,
    run: ({ saveMatches }) => saveMatches(),
  },
});
