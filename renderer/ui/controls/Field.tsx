/** A text field, a switch and a bar that shows progress. */

import { Switch as Base } from '@base-ui/react/switch';
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
  id: given,
  ...rest
}: FieldProps) {
  const own = useId();
  const id = given ?? own;
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

/** A switch with its label, which takes effect at once. */
interface SwitchProps {
  label: string;
  /** Shown behind it. */
  text?: string;
  checked: boolean;
  disabled?: boolean;
  onChange: (checked: boolean) => void;
}

export function Switch({ label, text, checked, disabled = false, onChange }: SwitchProps) {
  const track = (
    <Base.Root
      className={styles.track}
      aria-label={label}
      checked={checked}
      disabled={disabled}
      onCheckedChange={onChange}
    >
      <Base.Thumb className={styles.thumb} />
    </Base.Root>
  );
  if (text === undefined) return track;
  return (
    <span className={styles.labelled}>
      {track}
      <span aria-hidden="true">{text}</span>
    </span>
  );
}

/** A thin bar that fills as bytes are read. */
interface MeterProps {
  label: string;
  bytes: number;
  /** May be 0. */
  ofBytes: number;
  className?: string | undefined;
}

export function Meter({ label, bytes, ofBytes, className }: MeterProps) {
  return (
    <progress
      className={className ? `${styles.meter} ${className}` : styles.meter}
      aria-label={label}
      value={bytes}
      max={Math.max(1, ofBytes)}
    />
  );
}
