/** Shows the number of lines of each severity as words, figures and bars. Each toggles a filter. */
import { formatCount, plural } from '../../shared/text/format.ts';
import { LEVELS, type Level } from '../../shared/text/level-words.ts';
import { Button } from '../ui/controls/Button.tsx';
import styles from './Levels.module.css';

/** The levels that filters show or hide, and the function that changes them. */
export interface LevelFilters {
  states: Partial<Record<Level, 'show' | 'hide'>>;
  /** Adds a filter that shows or hides the lines of a level, or removes it. */
  toggle: (level: Level, state: 'show' | 'hide') => void;
}

const TONES: Partial<Record<string, string | undefined>> = {
  fatal: styles.failed,
  error: styles.failed,
  warn: styles.warned,
};

export function Levels({ levels, filters }: { levels: Record<string, number>; filters: LevelFilters }) {
  const most = Math.max(1, ...Object.values(levels));
  const entries = LEVELS.filter((level) => levels[level] !== undefined);
  return (
    <ul className={styles.levels} aria-label="Levels">
      {entries.map((level) => {
        const count = levels[level]!;
        const state = filters.states[level] ?? null;
        return (
          <li key={level} className={[styles.item, state && styles[state]].filter(Boolean).join(' ')}>
            <button
              type="button"
              className={styles.level}
              aria-pressed={state === 'show'}
              title={state === 'show' ? `Show other lines, too` : `Show only lines of level ${level}`}
              onClick={() => filters.toggle(level, 'show')}
            >
              <span className="visually-hidden">{`Show ${level} lines only, ${plural(count, 'line')}`}</span>
              <span className={styles.word} aria-hidden="true">
                {level}
              </span>
              <span className={styles.count} aria-hidden="true">
                {formatCount(count)}
              </span>
              <span className={styles.track}>
                <span
                  className={[styles.bar, TONES[level]].filter(Boolean).join(' ')}
                  style={{ width: `${(count / most) * 100}%` }}
                />
              </span>
            </button>
            <Button
              tone="quiet"
              className={styles.hideButton}
              pressed={state === 'hide'}
              aria-label={`Hide ${level} lines`}
              title={state === 'hide' ? `Show lines of level ${level} again` : `Hide lines of level ${level}`}
              onClick={() => filters.toggle(level, 'hide')}
            >
              {state === 'hide' ? 'Hidden' : 'Hide'}
            </Button>
          </li>
        );
      })}
    </ul>
  );
}
