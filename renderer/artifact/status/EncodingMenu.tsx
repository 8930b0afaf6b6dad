/** Shows the encoding, and lets people choose another. */
import { ChoiceMenu } from '../../ui/controls/ChoiceMenu.tsx';
import { Icon } from '../../ui/words/Icon.tsx';
import { ENCODINGS } from './encodings.ts';
import styles from './StatusLine.module.css';

interface EncodingMenuProps {
  encoding: string;
  /** Null if it was detected. */
  chosen: string | null;
  onChoose: (encoding: string | null) => void;
}

const DETECTED = '';
const CHOICES = [
  { value: DETECTED, name: 'Detect' },
  ...ENCODINGS.map(({ label, name }) => ({ value: label, name })),
];

export function EncodingMenu({ encoding, chosen, onChoose }: EncodingMenuProps) {
  return (
    <ChoiceMenu
      trigger={
        <button type="button" className={styles.menu} title="Encoding: choose another">
          {encoding}
          {chosen === null ? '' : ' (chosen)'}
          <Icon name="chevron" />
        </button>
      }
      choices={CHOICES}
      chosen={chosen ?? DETECTED}
      onChoose={(value) => onChoose(value === DETECTED ? null : value)}
      side="top"
    />
  );
}
