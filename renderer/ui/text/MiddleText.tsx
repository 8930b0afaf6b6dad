/** Text shortened in the middle, as names differ at their ends. */

import { Fragment, type ReactNode, useSyncExternalStore } from 'react';
import { escapeLine } from '../../../shared/text/escape.ts';
import { formatAge, formatExact, formatShortAge } from './format.ts';
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

/** Names with their values, and how long ago a time is. */
export function Facts({ facts }: { facts: ReadonlyArray<readonly [string, ReactNode]> }) {
  return (
    <dl className={styles.facts}>
      {facts.map(([name, value]) =>
        value === null || value === undefined || value === '' ? null : (
          <Fragment key={name}>
            <dt className={styles.name}>{name}</dt>
            <dd className={styles.value}>{typeof value === 'string' ? escapeLine(value) : value}</dd>
          </Fragment>
        ),
      )}
    </dl>
  );
}

/** Shows how long ago a time is, with the exact time on hover. */
interface AgeProps {
  iso: string;
  /** Use the shorter form. */
  short?: boolean;
  /** The tooltip; by default the exact time. */
  title?: string;
}

export function Age({ iso, short = false, title = formatExact(iso) }: AgeProps) {
  const now = useSyncExternalStore(subscribe, minute);
  const time = Date.parse(iso);
  return (
    <time dateTime={iso} title={title}>
      {Number.isNaN(time) ? iso : (short ? formatShortAge : formatAge)(time, Math.max(now, time))}
    </time>
  );
}

const EVERY_MS = 30_000;

function minute(): number {
  return Math.floor(Date.now() / EVERY_MS) * EVERY_MS;
}

const listeners = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | undefined;

/** Shares one timer among all shown ages. */
function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  timer ??= setInterval(() => {
    for (const each of [...listeners]) each();
  }, EVERY_MS);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}
