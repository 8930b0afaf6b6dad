/** The action on places in files that lines name. */
import { declareActions } from '../commands/action.ts';

export interface LinksContext {
  /** False where the current line names no file. */
  hasLink: () => boolean;
  open: () => void;
}

export const linkActions = declareActions<LinksContext>()({
  openInEditor: {
    name: 'Open the file that the line names in the editor: also Ctrl+click on it',
    keys: ['V'],
    group: 'View',
    when: ({ hasLink }) => hasLink(),
    run: ({ open }) => open(),
  },
});
