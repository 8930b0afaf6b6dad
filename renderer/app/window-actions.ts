/** The actions of the window as a whole: the palette, the keys, the theme, connecting agents. */

import { declareActions } from '../actions/action.ts';
import { chooseTheme, currentThemeChoice, nextTheme } from '../ui/theme/theme.ts';

export interface WindowContext {
  showKeys: () => void;
  showPalette: () => void;
  showAgents: () => void;
}

export const windowActions = declareActions<WindowContext>('Window')({
  palette: {
    name: 'Palette: find an action, an output, a session or a line',
    label: 'Palette',
    icon: 'cmd',
    keys: ['Ctrl+K'],
    run: ({ showPalette }) => showPalette(),
  },
  keys: {
    name: 'Keys',
    words: 'help shortcuts keyboard hotkeys bindings',
    icon: 'help',
    keys: ['?'],
    run: ({ showKeys }) => showKeys(),
  },
  theme: {
    name: 'Theme: light, dark, or as the system',
    words: 'color colors colours mode',
    keys: ['Ctrl+Shift+L'],
    run: () => chooseTheme(nextTheme(currentThemeChoice())),
  },
  agents: {
    name: 'Connect agents',
    words: 'mcp server claude codex cursor',
    icon: 'plug',
    keys: ['a'],
    run: ({ showAgents }) => showAgents(),
  },
});
