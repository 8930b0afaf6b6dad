/** The action that changes the theme. */
import { declareActions } from '../commands/action.ts';
import { chooseTheme, currentThemeChoice, nextTheme } from './theme.ts';

export const themeActions = declareActions<object>()({
  theme: {
    name: 'Theme: light, dark, or as the system',
    words: 'color colors colours mode',
    keys: ['Ctrl+Shift+L'],
    group: 'Window',
    run: () => chooseTheme(nextTheme(currentThemeChoice())),
  },
});
