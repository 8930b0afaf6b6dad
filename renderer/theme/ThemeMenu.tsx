/** Light, dark, or as the system. */
import { Menu } from '@base-ui/react/menu';
import { Button } from '../ui/Button.tsx';
import { Icon, type IconName } from '../ui/Icon.tsx';
import menu from '../ui/Menu.module.css';
import { chooseTheme, type ThemeChoice, useThemeChoice } from './theme.ts';

const CHOICES: ReadonlyArray<{ choice: ThemeChoice; name: string; icon: IconName }> = [
  { choice: 'system', name: 'As the system', icon: 'screen' },
  { choice: 'light', name: 'Light', icon: 'sun' },
  { choice: 'dark', name: 'Dark', icon: 'moon' },
];

export function ThemeMenu() {
  const chosen = useThemeChoice();
  const icon = CHOICES.find(({ choice }) => choice === chosen)?.icon ?? 'screen';
  return (
    <Menu.Root>
      <Menu.Trigger
        render={<Button tone="quiet" icon={icon} iconOnly label="Theme" shortcut="Ctrl+Shift+L" />}
      />
      <Menu.Portal>
        <Menu.Positioner side="bottom" align="end" sideOffset={4} collisionPadding={8}>
          <Menu.Popup className={menu.popup}>
            <Menu.RadioGroup value={chosen} onValueChange={(choice: ThemeChoice) => chooseTheme(choice)}>
              {CHOICES.map(({ choice, name }) => (
                <Menu.RadioItem key={choice} className={menu.item} value={choice} closeOnClick>
                  <Menu.RadioItemIndicator className={menu.indicator} keepMounted>
                    <Icon name="check" />
                  </Menu.RadioItemIndicator>
                  {name}
                </Menu.RadioItem>
              ))}
            </Menu.RadioGroup>
          </Menu.Popup>
        </Menu.Positioner>
      </Menu.Portal>
    </Menu.Root>
  );
}

/** The next of the three. */
export function nextTheme(choice: ThemeChoice): ThemeChoice {
  return ({ system: 'light', light: 'dark', dark: 'system' } as const)[choice];
}
