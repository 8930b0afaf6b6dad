/** The encodings that people can choose, in the status line and in the palette. */

import { usePaletteDestinations } from '../actions/palette-items.ts';
import { ChoiceMenu } from '../ui/controls/ChoiceMenu.tsx';
import { Icon } from '../ui/text/Icon.tsx';
import styles from './StatusLine.module.css';

interface Encoding {
  label: string;
  name: string;
}

/** Labels of the WHATWG encoding standard, and where they are common. */
export const ENCODINGS: readonly Encoding[] = [
  { label: 'utf-8', name: 'UTF-8' },
  { label: 'utf-16le', name: 'UTF-16, little endian' },
  { label: 'utf-16be', name: 'UTF-16, big endian' },
  { label: 'windows-1252', name: 'Western (Windows-1252)' },
  { label: 'iso-8859-2', name: 'Central European (ISO 8859-2)' },
  { label: 'windows-1250', name: 'Central European (Windows-1250)' },
  { label: 'windows-1251', name: 'Cyrillic (Windows-1251)' },
  { label: 'koi8-r', name: 'Cyrillic (KOI8-R)' },
  { label: 'windows-1253', name: 'Greek (Windows-1253)' },
  { label: 'windows-1254', name: 'Turkish (Windows-1254)' },
  { label: 'shift_jis', name: 'Japanese (Shift JIS)' },
  { label: 'euc-jp', name: 'Japanese (EUC-JP)' },
  { label: 'gb18030', name: 'Chinese, simplified (GB 18030)' },
  { label: 'big5', name: 'Chinese, traditional (Big5)' },
  { label: 'euc-kr', name: 'Korean (EUC-KR)' },
];

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

/** The encodings that people can choose, in the status line and in the palette. */

/** Only a query can find them: there are many, and they are rarely wanted. */
export function useEncodingDestinations(choose: (encoding: string | null) => void): void {
  usePaletteDestinations((query) => {
    if (query.trim() === '') return [];
    return [{ label: null, name: 'detect it' }, ...ENCODINGS].map(({ label, name }) => ({
      id: `encoding ${label}`,
      text: `Encoding: ${name}`,
      words: 'charset',
      kind: 'View',
      run: () => choose(label),
    }));
  });
}
