/** The action that shows the last failure in any recorded terminal; it needs no open artifact. */
import { declareActions } from '../commands/action.ts';

export const terminalActions = declareActions<{ showLastFailed: () => void }>()({
  lastFailed: {
    name: 'Output of the last command that failed in a terminal; again, the one before',
    keys: ['x'],
    group: 'View',
    run: ({ showLastFailed }) => showLastFailed(),
  },
});
