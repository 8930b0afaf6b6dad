/** The actions of the window as a whole. */
import { declareActions } from '../commands/action.ts';

export interface WindowContext {
  showKeys: () => void;
  showPalette: () => void;
}

export const windowActions = declareActions<WindowContext>()({
  palette: {
    name: 'Palette: find an action, an output, a session or a line',
    label: 'Palette',
    icon: 'cmd',
    keys: ['Ctrl+K'],
    group: 'Window',
    run: ({ showPalette }) => showPalette(),
  },
  keys: {
    name: 'Keys',
    words: 'help shortcuts keyboard hotkeys bindings',
    icon: 'help',
    keys: ['?'],
    group: 'Window',
    run: ({ showKeys }) => showKeys(),
  },
});
