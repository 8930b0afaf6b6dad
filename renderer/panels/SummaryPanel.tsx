/** The summary of the text: counts, levels, times, the first errors, the most frequent shapes. */

import { memo, type ReactNode, useCallback, useEffect, useRef, useState } from 'react';
import type { DocumentRef } from '../../shared/api/rows.ts';
import { type SpillwayError, toSpillwayError } from '../../shared/errors.ts';
import { inOrder } from '../../shared/text/escape.ts';
import { messageFirst } from '../../shared/text/file-links.ts';
import { formatBytes, formatCount, plural } from '../../shared/text/format.ts';
import { LEVELS, type Level } from '../../shared/text/level-words.ts';
import type { SummaryView } from '../../shared/views.ts';
import { useConnection } from '../connection/HostProvider.tsx';
import { Button } from '../ui/controls/Button.tsx';
import { EmptyState, ErrorState } from '../ui/layout/Message.tsx';
import { useNow } from '../ui/state/time.ts';
import { formatBytesExactly } from '../ui/text/format.ts';
import { Facts } from '../ui/text/MiddleText.tsx';
import styles from './SummaryPanel.module.css';

interface SummaryPanelProps {
  document: DocumentRef;
  generation: number;
  totalBytes: number;
  onLine: (line: number) => void;
  levelFilters: LevelFilters;
}

export const SummaryPanel = memo(function SummaryPanel(props: SummaryPanelProps) {
  const { document, generation, totalBytes, onLine } = props;
  const { view, error, since, readBytes, cancelled, cancel, again } = useSummary(document, generation);
  const now = useNow(250, since !== null);
  const seconds = since === null ? 0 : Math.max(0, Math.floor((now - since) / 1000));
  if (since !== null && !view) {
    return seconds < 1 ? null : (
      <EmptyState
        icon="summary"
        title={`Reading ${formatBytes(totalBytes)}… ${formatCount(seconds)} s`}
        actions={<Button onClick={cancel}>Cancel</Button>}
      />
    );
  }
  if (error) return <ErrorState error={error} actions={<Button onClick={again}>Try again</Button>} />;
  if (cancelled || !view) {
    return (
      <EmptyState icon="summary" title="No summary" actions={<Button onClick={again}>Make one</Button>}>
        {cancelled ? 'It was cancelled.' : ''}
      </EmptyState>
    );
  }
  const grown = totalBytes - view.total_bytes;
  const shown = view.first_errors.length;
  const told = view.first_errors.reduce((sum, { count = 1 }) => sum + count, 0);
  const all = (view.levels.error ?? 0) + (view.levels.fatal ?? 0);
  return (
    <div className={styles.summary}>
      {since !== null && readBytes < view.total_bytes && (
        <p className={styles.note}>
          {`${formatBytes(readBytes)} of ${formatBytes(view.total_bytes)} read so far. `}
          <Button onClick={cancel}>Cancel</Button>
        </p>
      )}
      {since === null && grown > 0 && (
        <p className={styles.note}>
          {formatBytes(grown)} came since. <Button onClick={again}>Count again</Button>
        </p>
      )}
      {view.note && <p className={styles.note}>{view.note}</p>}
      {Object.keys(view.levels).length > 0 && (
        <Section title="Levels">
          <Levels levels={view.levels} filters={props.levelFilters} />
        </Section>
      )}
      {shown > 0 && (
        <Section title={`${told < all ? 'First ' : ''}${plural(shown, 'error')}`}>
          <ol>
            {view.first_errors.map((found) => (
              <LineLink
                key={found.line_number}
                line={found.line_number}
                text={inOrder(
                  `${found.count ? `${formatCount(found.count)} × ` : ''}${messageFirst(found.text)}`,
                )}
                title={inOrder(found.text)}
                onLine={onLine}
              />
            ))}
          </ol>
        </Section>
      )}
      <Section title="Text">
        <Counts view={view} />
      </Section>
      {view.json && <Json json={view.json} />}
      {view.shapes.length > 0 && (
        <Section title={view.shapes_exact ? 'Most frequent messages' : 'Most frequent messages, about'}>
          <ol>
            {view.shapes.map((shape) => (
              <LineLink
                key={shape.first_line}
                line={shape.first_line}
                text={inOrder(shape.shape)}
                name={`${formatCount(shape.count)} × ${inOrder(shape.shape)}, first in line ${formatCount(shape.first_line)}`}
                title={`For example: ${inOrder(shape.example)}`}
                count={`${formatCount(shape.count)} ×`}
                onLine={onLine}
              />
            ))}
          </ol>
        </Section>
      )}
    </div>
  );
});

const ENDINGS = { lf: 'LF', crlf: 'CRLF', mixed: 'LF and CRLF', none: 'none' };

function Counts({ view }: { view: SummaryView }) {
  return (
    <Facts
      facts={[
        ['Lines', view.total_lines === null ? null : formatCount(view.total_lines)],
        ['Blank', formatCount(view.blank_lines)],
        ['Size', formatBytesExactly(view.total_bytes)],
        [
          'Line length',
          `mean ${view.line_length_mean.toFixed(1)}, longest ${formatCount(view.line_length_max)}`,
        ],
        ['Encoding', view.encoding],
        ['Line ending', ENDINGS[view.line_ending]],
        ['First time', view.first_timestamp],
        ['Last time', view.last_timestamp],
      ]}
    />
  );
}

function Json({ json }: { json: NonNullable<SummaryView['json']> }) {
  return (
    <Section title="JSON">
      <Facts
        facts={[
          ['Type', json.per_line ? `${json.type}s, one per line` : json.type],
          ['Length', json.length === undefined ? null : formatCount(json.length)],
          ['Keys', json.keys === undefined ? null : json.keys.join(', ') || 'none'],
          [
            'Sample',
            json.sampled_lines === undefined ? null : `keys of ${plural(json.sampled_lines, 'line')}`,
          ],
        ]}
      />
    </Section>
  );
}

function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className={styles.section}>
      <h3 className={styles.title}>{title}</h3>
      {children}
    </section>
  );
}

interface LineLinkProps {
  line: number;
  text: string;
  /** For assistive technology, if the number and the text are not enough. */
  name?: string;
  title?: string;
  count?: string;
  onLine: (line: number) => void;
}

function LineLink({
  line,
  text,
  name = `Line ${formatCount(line)} ${text}`,
  title,
  count,
  onLine,
}: LineLinkProps) {
  return (
    <li>
      <button
        type="button"
        className={styles.link}
        title={title ?? text}
        aria-label={name}
        onClick={() => onLine(line)}
      >
        <span className={styles.number}>{count ?? formatCount(line)}</span>{' '}
        <span className={styles.text}>{text}</span>
      </button>
    </li>
  );
}

/** The levels that filters show or hide, and the function that changes them. */
interface LevelFilters {
  states: Partial<Record<Level, 'show' | 'hide'>>;
  /** Adds a filter that shows or hides the lines of a level, or removes it. */
  toggle: (level: Level, state: 'show' | 'hide') => void;
}

const TONES: Partial<Record<string, string | undefined>> = {
  fatal: styles.failed,
  error: styles.failed,
  warn: styles.warned,
};

function Levels({ levels, filters }: { levels: Record<string, number>; filters: LevelFilters }) {
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

/**
 * Fetches the summary of a text when its panel opens, and again when the text was replaced or the reader asks. Shows
 * the partial summary meanwhile.
 */
interface ShownSummary {
  view: SummaryView | null;
  error: SpillwayError | null;
  /** Start of the current request in milliseconds since 1970; null without one. */
  since: number | null;
  /** Bytes covered by the summary so far. */
  readBytes: number;
  cancelled: boolean;
  cancel: () => void;
  again: () => void;
}

const MAX_SHAPES = 20;

function useSummary(document: DocumentRef, generation: number): ShownSummary {
  const connection = useConnection();
  const [round, setRound] = useState(0);
  const [state, setState] = useState<Omit<ShownSummary, 'cancel' | 'again'>>(IDLE);
  const stop = useRef(() => {});

  // biome-ignore lint/correctness/useExhaustiveDependencies: another generation or round is asked for anew
  useEffect(() => {
    if (!connection) return;
    setState((last) => ({ ...last, error: null, since: Date.now(), cancelled: false }));
    const unsubscribe = connection.subscribe(
      'summary',
      { document, max_shapes: MAX_SHAPES },
      ({ view, read_bytes, done }) =>
        setState((last) => ({ ...IDLE, view, readBytes: read_bytes, since: done ? null : last.since })),
      (error) => setState({ ...IDLE, error: toSpillwayError(error) }),
    );
    stop.current = unsubscribe;
    return unsubscribe;
  }, [connection, document, generation, round]);

  const cancel = useCallback(() => {
    stop.current();
    setState({ ...IDLE, cancelled: true });
  }, []);
  const again = useCallback(() => setRound((last) => last + 1), []);
  return { ...state, cancel, again };
}

const IDLE = { view: null, error: null, since: null, readBytes: 0, cancelled: false };
