/** Lists names and values, one on each line, without empty values. */

import { Fragment, type ReactNode } from 'react';
import { escapeLine } from '../../../shared/text/escape.ts';
import styles from './Facts.module.css';

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
