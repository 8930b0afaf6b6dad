/** The actions on a failure: stepping through the lines that explain it, and copying them for an agent. */
import { declareActions } from '../commands/action.ts';

export interface FailureContext {
  /** Lines that explain the failure, rising; empty until they are known. */
  lines: readonly number[];
  /** Goes to the next explaining line below or above the current one. */
  step: (direction: 1 | -1) => void;
  copyForAgent: () => void;
}

export const failureActions = declareActions<FailureContext>()({
  next: {
    name: 'Next line that explains the failure',
    keys: ['e'],
    group: 'Move',
    run: ({ step }) => step(1),
  },
  previous: {
    name: 'Previous line that explains the failure',
    keys: ['E'],
    group: 'Move',
    run: ({ step }) => step(-1),
  },
  copyForAgent: {
    name: 'Copy for an agent: the lines that explain the failure',
    label: 'Copy for an agent',
    icon: 'copy',
    keys: ['y'],
    group: 'Select and copy',
    run: ({ copyForAgent }) => copyForAgent(),
  },
});
