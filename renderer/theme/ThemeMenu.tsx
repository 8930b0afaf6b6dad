/** A menu with the themes: light, dark, or the system's. */
import { Button } from '../ui/controls/Button.tsx';
import { ChoiceMenu } from '../ui/controls/ChoiceMenu.tsx';
import type { IconName } from '../ui/words/Icon.tsx';
import { themeActions } from './actions.ts';
import { chooseTheme, type ThemeChoice, useThemeChoice } from './theme.ts';

const CHOICES: ReadonlyArray<{ value: ThemeChoice; name: string; icon: IconName }> = [
  { value: 'system', name: 'As the system', icon: 'screen' },
  { value: 'light', name: 'Light', icon: 'sun' },
  { value: 'dark', name: 'Dark', icon: 'moon' },
];

export function ThemeMenu() {
  const chosen = useThemeChoice();
  const icon = CHOICES.find(({ value }) => value === chosen)?.icon ?? 'screen';
  return (
    <ChoiceMenu
      trigger={
        <Button tone="quiet" icon={icon} iconOnly label="Theme" shortcut={themeActions.theme.keys[0]!} />
      }
      choices={CHOICES}
      chosen={chosen}
      onChoose={chooseTheme}
    />
  );
}
