/** The window's buttons at both ends of the bar above the text. */

import type { Ref } from 'react';
import { ActionIcon } from '../actions/ActionMenu.tsx';
import { declareActions } from '../actions/action.ts';
import { type ListContext, listActions } from '../library/list-actions.ts';
import { IconButton, OneStop } from '../ui/controls/Button.tsx';
import { ChoiceMenu } from '../ui/controls/ChoiceMenu.tsx';
import type { IconName } from '../ui/text/Icon.tsx';
import {
  chooseTheme,
  currentThemeChoice,
  nextTheme,
  type ThemeChoice,
  useThemeChoice,
} from '../ui/theme/theme.ts';
import styles from './App.module.css';

/** Shows the list again. */
export function ListButton({ button, list }: { button: Ref<HTMLButtonElement>; list: ListContext }) {
  return <ActionIcon ref={button} action={listActions.show} context={list} label="Show the list" />;
}

export function WindowButtons({ context }: { context: WindowContext }) {
  return (
    <OneStop label="Window">
      <ActionIcon action={windowActions.palette} context={context} />
      {/* Hidden in a narrow pane: the palette leads there, too. */}
      <span className={styles.more}>
        <ActionIcon action={windowActions.agents} context={context} />
        <ThemeMenu />
        <ActionIcon action={windowActions.keys} context={context} />
      </span>
    </OneStop>
  );
}

export const THEMES: ReadonlyArray<{ value: ThemeChoice; name: string; icon: IconName }> = [
  { value: 'system', name: 'As the system', icon: 'screen' },
  { value: 'light', name: 'Light', icon: 'sun' },
  { value: 'dark', name: 'Dark', icon: 'moon' },
];

function ThemeMenu() {
  const chosen = useThemeChoice();
  const icon = THEMES.find(({ value }) => value === chosen)?.icon ?? 'screen';
  return (
    <ChoiceMenu
      trigger={<IconButton icon={icon} label="Theme" shortcut={windowActions.theme.keys[0]!} />}
      choices={THEMES}
      chosen={chosen}
      onChoose={chooseTheme}
    />
  );
}

/** The actions of the window as a whole: the palette, the keys, the theme, connecting agents. */
interface WindowContext {
  showKeys: () => void;
  showPalette: () => void;
  showAgents: () => void;
  showActivity: () => void;
  showPreferences: () => void;
}

export const windowActions = declareActions<WindowContext>('Window')({
  palette: {
    name: 'Palette: find an action, an output, a session or a line',
    label: 'Palette',
    icon: 'cmd',
    inMenu: 2,
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
    words: 'color colors colours mode dark night',
    keys: ['Ctrl+Shift+L'],
    run: () => chooseTheme(nextTheme(currentThemeChoice())),
  },
  preferences: {
    name: 'Preferences',
    words: 'settings options configuration font size retention editor',
    icon: 'switches',
    keys: ['Ctrl+,'],
    run: ({ showPreferences }) => showPreferences(),
  },
  agents: {
    name: 'Connect agents',
    words: 'mcp server claude codex cursor',
    icon: 'plug',
    keys: ['a'],
    run: ({ showAgents }) => showAgents(),
  },
  activity: {
    name: 'What agents did: their calls, and the lines they got',
    label: 'What agents did',
    words: 'activity log mcp reads seen tokens live',
    keys: ['Alt+A'],
    run: ({ showActivity }) => showActivity(),
  },
});
