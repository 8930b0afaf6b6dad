/** A menu with one chosen item. */
import { Menu } from '@base-ui/react/menu';
import type { ReactElement } from 'react';
import { Icon } from '../text/Icon.tsx';
import styles from './Menu.module.css';

interface ChoiceMenuProps<V extends string> {
  /** The button that opens it. */
  trigger: ReactElement<Record<string, unknown>>;
  choices: ReadonlyArray<{ value: V; name: string }>;
  chosen: V;
  onChoose: (value: V) => void;
  side?: 'top' | 'bottom';
  align?: 'start' | 'end';
}

export function ChoiceMenu<V extends string>(props: ChoiceMenuProps<V>) {
  const { trigger, choices, chosen, onChoose, side = 'bottom', align = 'end' } = props;
  return (
    <Menu.Root>
      <Menu.Trigger render={trigger} />
      <Menu.Portal>
        <Menu.Positioner side={side} align={align} sideOffset={4} collisionPadding={8}>
          <Menu.Popup className={styles.popup}>
            <Menu.RadioGroup value={chosen} onValueChange={(value: V) => onChoose(value)}>
              {choices.map(({ value, name }) => (
                <Menu.RadioItem key={value} className={styles.item} value={value} closeOnClick>
                  <Menu.RadioItemIndicator className={styles.indicator} keepMounted>
                    <Icon name="check" />
                  </Menu.RadioItemIndicator>
                  <span className={styles.name}>{name}</span>
                </Menu.RadioItem>
              ))}
            </Menu.RadioGroup>
          </Menu.Popup>
        </Menu.Positioner>
      </Menu.Portal>
    </Menu.Root>
  );
}
