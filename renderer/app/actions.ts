/** The actions of the window as a whole. */
import { declareActions } from '../commands/action.ts';

export const windowActions = declareActions<{ showKeys: () => void }>()({
  keys: {
    name: 'Keys',
    icon: 'help',
    keys: ['?'],
    group: 'Window',
    run: ({ showKeys }) => showKeys(),
  },
});
