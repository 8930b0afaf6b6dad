/** Names with their values, and how long ago a time is. */

import { Fragment, type ReactNode, useSyncExternalStore } from 'react';
import { escapeLine } from '../../../shared/text/escape.ts';
import { formatAge, formatExact, formatShortAge } from './format.ts';
import styles from './MiddleText.module.css';

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
