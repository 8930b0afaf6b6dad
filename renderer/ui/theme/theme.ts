/** Light or dark theme: the user's choice, kept in localStorage, else the system's. */

import { useSyncExternalStore } from 'react';
import { createStore } from '../state/store.ts';

export type ThemeChoice = 'system' | 'light' | 'dark';
export type Theme = 'light' | 'dark';

const KEY = 'spillway.theme';
const choices = createStore<ThemeChoice>('system');
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
  choices.set(storedChoice());
  choices.subscribe(apply);
  preference.addEventListener('change', apply);
  window.addEventListener('storage', (event) => {
    if (event.key === KEY) choices.set(storedChoice());
  });
  apply();
}

export function chooseTheme(choice: ThemeChoice): void {
  try {
    localStorage.setItem(KEY, choice);
  } catch {
    // Without storage, the choice lasts until the window closes.
  }
  choices.set(choice);
}

export function currentThemeChoice(): ThemeChoice {
  return choices.get();
}

/** Cycles through light, dark and system. */
export function nextTheme(choice: ThemeChoice): ThemeChoice {
  return ({ system: 'light', light: 'dark', dark: 'system' } as const)[choice];
}

export function useThemeChoice(): ThemeChoice {
  return useSyncExternalStore(choices.subscribe, choices.get);
}

export function useTheme(): Theme {
  return useSyncExternalStore(themes.subscribe, themes.get);
}

function storedChoice(): ThemeChoice {
  try {
    const stored = localStorage.getItem(KEY);
    return stored === 'light' || stored === 'dark' ? stored : 'system';
  } catch {
    return 'system';
  }
}
