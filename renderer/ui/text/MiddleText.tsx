/** Text shortened in the middle, as names differ at their ends. */

import styles from './MiddleText.module.css';

const TAIL_CHARS = 14;
const UNCUT_CHARS = 2 * TAIL_CHARS;

interface MiddleTextProps {
  text: string;
  title?: string;
  /** UTF-16 code units at the end that always stay. */
  tail?: number;
  /** Longest text that has only one end. */
  uncut?: number;
  /** Whether the whole text is already part of an accessible name. */
  named?: boolean;
}

export function MiddleText({ text, title = text, tail = TAIL_CHARS, uncut, named = false }: MiddleTextProps) {
  const cut = splitForMiddle(text, tail, uncut);
  const isCut = cut < text.length;
  const hidden = named && isCut ? true : undefined;
  return (
    <span className={styles.middle} title={title}>
      {hidden && <Spoken text={text} />}
      <span className={styles.head} aria-hidden={hidden}>
        {text.slice(0, cut)}
      </span>
      {isCut && (
        <span className={styles.tail} aria-hidden={hidden}>
          {text.slice(cut)}
        </span>
      )}
    </span>
  );
}

/** Returns the start of the end that always stays; never inside a surrogate pair. */
export function splitForMiddle(text: string, tail: number = TAIL_CHARS, uncut = UNCUT_CHARS): number {
  if (text.length <= uncut) return text.length;
  const cut = text.length - Math.min(tail, text.length);
  const code = text.charCodeAt(cut);
  return code >= 0xdc00 && code <= 0xdfff ? cut - 1 : cut;
}

/**
 * Words only for assistive technology, where the screen shows them by an icon or position. They join the accessible
 * name.
 */
export function Spoken({ text }: { text: string }) {
  return <span className={styles.spoken} data-spoken={text} />;
}
