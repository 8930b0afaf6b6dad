/** Text that shortens in the middle when there is no room, so that both ends stay: names differ there. */
import styles from './MiddleText.module.css';

const TAIL = 14;

interface MiddleTextProps {
  text: string;
  title?: string;
  /** UTF-16 code units that always stay at the end. */
  tail?: number;
}

export function MiddleText({ text, title = text, tail = TAIL }: MiddleTextProps) {
  const cut = splitForMiddle(text, tail);
  return (
    <span className={styles.middle} title={title}>
      <span className={styles.head}>{text.slice(0, cut)}</span>
      {cut < text.length && <span className={styles.tail}>{text.slice(cut)}</span>}
    </span>
  );
}

/** Where the part begins that always stays; never inside a surrogate pair. */
export function splitForMiddle(text: string, tail: number = TAIL): number {
  if (text.length <= TAIL * 2) return text.length;
  const cut = text.length - Math.min(tail, text.length);
  const code = text.charCodeAt(cut);
  return code >= 0xdc00 && code <= 0xdfff ? cut - 1 : cut;
}
