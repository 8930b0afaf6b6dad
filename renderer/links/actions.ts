/** The action that opens files named in lines. */
import { declareActions } from '../commands/action.ts';

interface LinksContext {
  /** Whether the current line names a file. */
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
