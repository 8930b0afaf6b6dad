/** A 28 px text field with its label, and an error or hint below it. */
import { type InputHTMLAttributes, type Ref, useId } from 'react';
import styles from './Field.module.css';

interface FieldProps extends InputHTMLAttributes<HTMLInputElement> {
  ref?: Ref<HTMLInputElement>;
  label: string;
  hideLabel?: boolean;
  /** Whether to use the log's font. */
  code?: boolean;
  hint?: string;
  problem?: string | null;
}

export function Field({
  label,
  hideLabel = false,
  code = false,
  hint,
  problem,
  className,
  ...rest
}: FieldProps) {
  const id = useId();
  const below = problem ?? hint;
  return (
    <div className={className ? `${styles.field} ${className}` : styles.field}>
      <label htmlFor={id} className={hideLabel ? 'visually-hidden' : styles.label}>
        {label}
      </label>
      <input
        id={id}
        className={code ? `${styles.input} ${styles.code}` : styles.input}
        spellCheck={false}
        autoComplete="off"
        autoCapitalize="off"
        aria-invalid={problem ? true : undefined}
        aria-describedby={below ? `${id}-below` : undefined}
        {...rest}
      />
      {below && (
        <p
          id={`${id}-below`}
          className={problem ? styles.problem : styles.hint}
          role={problem ? 'alert' : undefined}
        >
          {below}
        </p>
      )}
    </div>
  );
}
