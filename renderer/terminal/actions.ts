/** The action that needs no artifact of its own: the last failure in any recorded terminal. */
import { declareActions } from '../commands/action.ts';

export const terminalActions = declareActions<{ showLastFailed: () => void }>()({
  lastFailed: {
    name: 'Output of the last command that failed in a terminal; again, the one before',
    keys: ['x'],
    group: 'View',
    run: ({ showLastFailed }) => showLastFailed(),
  },
});
