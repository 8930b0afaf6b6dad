/** Text that is shortened in the middle: names differ at their ends. */
import styles from './MiddleText.module.css';

const TAIL_CHARS = 14;

interface MiddleTextProps {
  text: string;
  title?: string;
  /** UTF-16 code units that always stay at the end. */
  tail?: number;
}

export function MiddleText({ text, title = text, tail = TAIL_CHARS }: MiddleTextProps) {
  const cut = splitForMiddle(text, tail);
  return (
    <span className={styles.middle} title={title}>
      <span className={styles.head}>{text.slice(0, cut)}</span>
      {cut < text.length && <span className={styles.tail}>{text.slice(cut)}</span>}
    </span>
  );
}

/** Where the part begins that always stays; never inside a surrogate pair. */
export function splitForMiddle(text: string, tail: number = TAIL_CHARS): number {
  if (text.length <= TAIL_CHARS * 2) return text.length;
  const cut = text.length - Math.min(tail, text.length);
  const code = text.charCodeAt(cut);
  return code >= 0xdc00 && code <= 0xdfff ? cut - 1 : cut;
}
