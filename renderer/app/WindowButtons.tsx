/** The window's buttons at both ends of the bar above the text. */

import type { Ref } from 'react';
import { ActionIcon } from '../actions/ActionMenu.tsx';
import { type ListContext, listActions } from '../library/list-actions.ts';
import { IconButton } from '../ui/controls/Button.tsx';
import { ChoiceMenu } from '../ui/controls/ChoiceMenu.tsx';
import type { IconName } from '../ui/text/Icon.tsx';
import { chooseTheme, type ThemeChoice, useThemeChoice } from '../ui/theme/theme.ts';
import styles from './App.module.css';
import { type WindowContext, windowActions } from './window-actions.ts';

/** Shows the list again. */
export function ListButton({ button, list }: { button: Ref<HTMLButtonElement>; list: ListContext }) {
  return <ActionIcon ref={button} action={listActions.show} context={list} label="Show the list" />;
}

export function WindowButtons({ context }: { context: WindowContext }) {
  return (
    <>
      {/* Hidden in a narrow pane: keys and the welcome screen lead there, too. */}
      <span className={styles.more}>
        <ActionIcon action={windowActions.palette} context={context} />
        <ActionIcon action={windowActions.agents} context={context} />
      </span>
      <ThemeMenu />
      <ActionIcon action={windowActions.keys} context={context} />
    </>
  );
}

const THEMES: ReadonlyArray<{ value: ThemeChoice; name: string; icon: IconName }> = [
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
