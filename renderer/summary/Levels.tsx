/** How many lines there are of each severity, as words, figures and bars. */

import { formatCount } from '../../shared/text/format.ts';
import { LEVELS } from '../../shared/text/level-words.ts';
import styles from './Levels.module.css';

const TONES: Partial<Record<string, string | undefined>> = {
  fatal: styles.failed,
  error: styles.failed,
  warn: styles.warned,
};

export function Levels({ levels }: { levels: Record<string, number> }) {
  const most = Math.max(1, ...Object.values(levels));
  const entries = Object.entries(levels).sort(([a], [b]) => rank(a) - rank(b));
  return (
    <ul className={styles.levels}>
      {entries.map(([level, count]) => (
        <li key={level} className={styles.level}>
          <span className={styles.word}>{level}</span>
          <span className={styles.count}>{formatCount(count)}</span>
          <span className={styles.track}>
            <span
              className={[styles.bar, TONES[level]].filter(Boolean).join(' ')}
              style={{ width: `${(count / most) * 100}%` }}
            />
          </span>
        </li>
      ))}
    </ul>
  );
}

function rank(level: string): number {
  const at = (LEVELS as readonly string[]).indexOf(level);
  return at < 0 ? LEVELS.length : at;
}
