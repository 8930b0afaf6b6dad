/** Light or dark theme: the user's choice, kept in localStorage, else the system's. */

import { createStore, persisted, useStore } from '../state/store.ts';

export type ThemeChoice = 'system' | 'light' | 'dark';
type Theme = 'light' | 'dark';

const choices = persisted<ThemeChoice>(
  'spillway.theme',
  (text) => (text === 'light' || text === 'dark' ? text : 'system'),
  true,
);
const themes = createStore<Theme>('light');

/** Sets the theme on the root element and keeps it up to date. Called once, before the first render. */
export function followTheme(): void {
  const preference = matchMedia('(prefers-color-scheme: dark)');
  const apply = () => {
    const choice = choices.get();
    const theme = choice === 'system' ? (preference.matches ? 'dark' : 'light') : choice;
    document.documentElement.dataset.theme = theme;
    themes.set(theme);
  };
  choices.subscribe(apply);
  preference.addEventListener('change', apply);
  apply();
}

export const chooseTheme = choices.set;

export function currentThemeChoice(): ThemeChoice {
  return choices.get();
}

/** Cycles through light, dark and system. */
export function nextTheme(choice: ThemeChoice): ThemeChoice {
  return ({ system: 'light', light: 'dark', dark: 'system' } as const)[choice];
}

export function useThemeChoice(): ThemeChoice {
  return useStore(choices);
}

export function useTheme(): Theme {
  return useStore(themes);
}
