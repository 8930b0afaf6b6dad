/** A thin bar that fills as bytes are read. */
import styles from './Meter.module.css';

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
