/** A switch with its label, which takes effect at once. */
import { Switch as Base } from '@base-ui/react/switch';
import styles from './Switch.module.css';

interface SwitchProps {
  label: string;
  checked: boolean;
  disabled?: boolean;
  onChange: (checked: boolean) => void;
}

export function Switch({ label, checked, disabled = false, onChange }: SwitchProps) {
  return (
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
}
