/** The header of a failed run: how much of it is new since it passed, and whether it failed in the same way before. */

import { Button } from '../ui/controls/Button.tsx';
import { Age, Spoken } from '../ui/text/MiddleText.tsx';
import styles from './Differences.module.css';
import { headline, oftenWords } from './differences.ts';
import type { Differences } from './use-differences.ts';

interface DifferencesChipProps {
  differences: Differences;
  isOpen: boolean;
  shortcut: string;
  onToggle: () => void;
  onOpen: (artifactId: string) => void;
}

export function DifferencesChip({ differences, isOpen, shortcut, onToggle, onOpen }: DifferencesChipProps) {
  const { comparison, problem, same } = differences;
  if (!comparison && problem === null && !same) return null;
  const found = comparison && headline(comparison);
  return (
    <span className={styles.chips} data-differences="">
      {found && (
        <Button
          tone="quiet"
          className={styles.chip}
          icon="compare"
          aria-expanded={isOpen}
          title={`${found.words} (${shortcut})`}
          onClick={onToggle}
        >
          <span className={styles.long}>{found.words}</span>
          <span className={styles.short}>
            {found.short}
            <Spoken text={`: ${found.words}`} />
          </span>
        </Button>
      )}
      {problem !== null && (
        <span className={styles.problem} title={problem}>
          {problem}
        </span>
      )}
      {same && (
        <Button
          tone="quiet"
          className={`${styles.chip} ${styles.same}`}
          icon="clock"
          title={`Open the last run that failed with the same cause${oftenWords(same.times_in_week)}`}
          onClick={() => onOpen(same.artifact_id)}
        >
          <span className={styles.long}>
            Same failure as {same.started_at === null ? 'before' : <Age iso={same.started_at} />}
            {oftenWords(same.times_in_week)}
          </span>
          <span className={styles.short}>
            <Spoken text="Same failure as " />
            {same.started_at === null ? 'before' : <Age iso={same.started_at} short />}
          </span>
        </Button>
      )}
      <span className="visually-hidden" role="status">
        {found?.words ?? problem ?? ''}
      </span>
    </span>
  );
}
