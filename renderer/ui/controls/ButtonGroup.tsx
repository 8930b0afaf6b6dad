/** Toggle buttons that answer one question; the pressed ones are underlined. */
import type { ReactNode } from 'react';
import styles from './ButtonGroup.module.css';

interface ButtonGroupProps {
  /** The question; read aloud, not shown. */
  legend: string;
  children: ReactNode;
}

export function ButtonGroup({ legend, children }: ButtonGroupProps) {
  return (
    <fieldset className={styles.group}>
      <legend className="visually-hidden">{legend}</legend>
      {children}
    </fieldset>
  );
}
