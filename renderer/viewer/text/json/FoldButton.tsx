/** Unfolds a JSON line below it, or folds it again. */
import styles from './FoldButton.module.css';
import { UNFOLD_KEY } from './use-unfolding.ts';

interface FoldButtonProps {
  line: number;
  isUnfolded: boolean;
  /** Null for a button that only shows the state. */
  onUnfold: ((line: number) => void) | null;
}

export function FoldButton({ line, isUnfolded, onUnfold }: FoldButtonProps) {
  if (!onUnfold) return null;
  const does = isUnfolded ? 'Fold' : 'Unfold';
  return (
    <button
      type="button"
      className={styles.fold}
      // Not a tab stop, as every row would be one; a key does the same.
      tabIndex={-1}
      aria-expanded={isUnfolded}
      aria-label={`${does} line ${line}`}
      title={`${does} (${UNFOLD_KEY})`}
      onClick={() => onUnfold(line)}
    >
      <svg width="8" height="8" viewBox="0 0 8 8" aria-hidden="true">
        <path d={isUnfolded ? 'M0 2h8L4 7z' : 'M2 0v8l5-4z'} fill="currentColor" />
      </svg>
    </button>
  );
}
