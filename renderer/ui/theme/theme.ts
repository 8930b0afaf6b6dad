/** Light or dark theme: the user's choice, kept in localStorage, else the system's. */
import { createStore, persisted, recordOf, useStore } from '../state/store.ts';

export type ThemeChoice = 'system' | 'light' | 'dark';
export type Theme = 'light' | 'dark';

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

/** Size and font of the text, as the person chose them: kept in localStorage, applied to the root element. */
export interface TextLook {
  /** In pixels. */
  size: number;
  /** A family on this machine; empty for the system's. */
  font: string;
}

export const TEXT_SIZE = { default: 12.5, min: 10, max: 24 } as const;

/** A row's height for each pixel of the text's size. */
const ROW = 1.44;
const MAX_FONT_CHARS = 100;

export const textLook = persisted('spillway.look', textLookFrom, true);

/** Drops invalid values. */
export function textLookFrom(text: string | null): TextLook {
  const { size, font } = recordOf(text);
  const isSize = typeof size === 'number' && size >= TEXT_SIZE.min && size <= TEXT_SIZE.max;
  return {
    size: isSize ? size : TEXT_SIZE.default,
    // It goes into a style sheet.
    font: typeof font === 'string' ? font.replace(/[^\p{L}\p{N} ._-]/gu, '').slice(0, MAX_FONT_CHARS) : '',
  };
}

/** Height of a row of text, in pixels. */
export function rowHeight({ size }: TextLook): number {
  return Math.round(size * ROW);
}

/** Called once, before the first render. */
export function followTextLook(): void {
  const apply = () => {
    const look = textLook.get();
    const { style } = document.documentElement;
    style.setProperty('--size-text', `${look.size}px`);
    style.setProperty('--row', `${rowHeight(look)}px`);
    if (look.font === '') style.removeProperty('--font-chosen');
    else style.setProperty('--font-chosen', `"${look.font}"`);
  };
  textLook.subscribe(apply);
  apply();
}
