/** How the bytes are decoded, and the choice to decode them otherwise. */
import { Menu } from '@base-ui/react/menu';
import { Icon } from '../ui/Icon.tsx';
import menu from '../ui/Menu.module.css';
import { ENCODINGS } from './encodings.ts';
import styles from './StatusLine.module.css';

interface EncodingMenuProps {
  /** As the text is shown now. */
  encoding: string;
  /** Null while it is detected. */
  chosen: string | null;
  onChoose: (encoding: string | null) => void;
}

const DETECTED = '';

export function EncodingMenu({ encoding, chosen, onChoose }: EncodingMenuProps) {
  return (
    <Menu.Root>
      <Menu.Trigger className={styles.menu} title="Encoding: choose another">
        {encoding}
        {chosen === null ? '' : ' (chosen)'}
        <Icon name="chevron" />
      </Menu.Trigger>
      <Menu.Portal>
        <Menu.Positioner side="top" align="end" sideOffset={4} collisionPadding={8}>
          <Menu.Popup className={menu.popup}>
            <Menu.RadioGroup
              value={chosen ?? DETECTED}
              onValueChange={(value: string) => onChoose(value === DETECTED ? null : value)}
            >
              <Choice value={DETECTED} name="Detect" />
              {ENCODINGS.map(({ label, name }) => (
                <Choice key={label} value={label} name={name} />
              ))}
            </Menu.RadioGroup>
          </Menu.Popup>
        </Menu.Positioner>
      </Menu.Portal>
    </Menu.Root>
  );
}

function Choice({ value, name }: { value: string; name: string }) {
  return (
    <Menu.RadioItem className={menu.item} value={value} closeOnClick>
      <Menu.RadioItemIndicator className={menu.indicator} keepMounted>
        <Icon name="check" />
      </Menu.RadioItemIndicator>
      {name}
    </Menu.RadioItem>
  );
}
