/** Menus of radio items: one chosen item, or one in each of several groups. */
import { Menu } from '@base-ui/react/menu';
import type { ReactElement } from 'react';
import { Icon } from '../text/Icon.tsx';
import styles from './Menu.module.css';

/** One item of `choices` is chosen. */
export interface Choices<V extends string = string> {
  label?: string;
  choices: ReadonlyArray<{ value: V; name: string }>;
  chosen: V;
  onChoose: (value: V) => void;
}

interface MenuPlace {
  /** The button that opens it. */
  trigger: ReactElement<Record<string, unknown>>;
  side?: 'top' | 'bottom';
  align?: 'start' | 'end';
}

export function ChoiceMenu<V extends string>({
  choices,
  chosen,
  onChoose,
  ...place
}: MenuPlace & Choices<V>) {
  return <ChoicesMenu {...place} groups={[{ choices, chosen, onChoose: (value) => onChoose(value as V) }]} />;
}

export function ChoicesMenu(props: MenuPlace & { groups: readonly Choices[] }) {
  const { trigger, groups, side = 'bottom', align = 'end' } = props;
  return (
    <Menu.Root>
      <Menu.Trigger render={trigger} />
      <Menu.Portal>
        <Menu.Positioner side={side} align={align} sideOffset={4} collisionPadding={8}>
          <Menu.Popup className={styles.popup}>
            {groups.map(({ label, choices, chosen, onChoose }) => (
              <Menu.RadioGroup
                key={label ?? ''}
                aria-label={label}
                value={chosen}
                onValueChange={(value: string) => onChoose(value)}
              >
                {label && (
                  <div className={styles.group} aria-hidden>
                    {label}
                  </div>
                )}
                {choices.map(({ value, name }) => (
                  <Menu.RadioItem key={value} className={styles.item} value={value} closeOnClick>
                    <Menu.RadioItemIndicator className={styles.indicator} keepMounted>
                      <Icon name="check" />
                    </Menu.RadioItemIndicator>
                    <span className={styles.name}>{name}</span>
                  </Menu.RadioItem>
                ))}
              </Menu.RadioGroup>
            ))}
          </Menu.Popup>
        </Menu.Positioner>
      </Menu.Portal>
    </Menu.Root>
  );
}

/** Choices among any values, which the menu tells apart by their place. */
export function choicesOf<T>(of: {
  label: string;
  chosen: T;
  choices: readonly (readonly [T, string])[];
  onChoose: (value: T) => void;
}): Choices {
  return {
    label: of.label,
    chosen: String(of.choices.findIndex(([value]) => value === of.chosen)),
    choices: of.choices.map(([, name], i) => ({ value: String(i), name })),
    onChoose: (index) => of.onChoose(of.choices[Number(index)]![0]),
  };
}
