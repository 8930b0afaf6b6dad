/** The summary of the text: counts, levels, times, the first errors, the most frequent shapes. */

import { memo, type ReactNode, useEffect, useState } from 'react';
import type { DocumentRef } from '../../shared/api/rows.ts';
import { inOrder } from '../../shared/text/escape.ts';
import { formatBytes, formatCount, plural } from '../../shared/text/format.ts';
import type { SummaryView } from '../../shared/views.ts';
import { Button } from '../ui/controls/Button.tsx';
import { EmptyState } from '../ui/layout/EmptyState.tsx';
import { Facts } from '../ui/words/Facts.tsx';
import { formatBytesExactly, sentence } from '../ui/words/format.ts';
import { type LevelFilters, Levels } from './Levels.tsx';
import styles from './SummaryPanel.module.css';
import { useSummary } from './use-summary.ts';

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
  const seconds = useSeconds(since);
  if (since !== null && !view) {
    return seconds < 1 ? null : (
      <EmptyState
        icon="summary"
        title={`Reading ${formatBytes(totalBytes)}… ${formatCount(seconds)} s`}
        actions={<Button onClick={cancel}>Cancel</Button>}
      />
    );
  }
  if (error) {
    return (
      <EmptyState icon="warn" title={error.what} actions={<Button onClick={again}>Try again</Button>} alert>
        <p>{sentence(error.todo)}</p>
      </EmptyState>
    );
  }
  if (cancelled || !view) {
    return (
      <EmptyState icon="summary" title="No summary" actions={<Button onClick={again}>Make one</Button>}>
        {cancelled ? 'It was cancelled.' : ''}
      </EmptyState>
    );
  }
  const grown = totalBytes - view.total_bytes;
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
      <Counts view={view} />
      {Object.keys(view.levels).length > 0 && (
        <Section title="Levels">
          <Levels levels={view.levels} filters={props.levelFilters} />
        </Section>
      )}
      {view.json && <Json json={view.json} />}
      {view.first_errors.length > 0 && (
        <Section title={`First ${plural(view.first_errors.length, 'error line')}`}>
          <ol>
            {view.first_errors.map((found) => (
              <LineLink
                key={found.line_number}
                line={found.line_number}
                text={inOrder(found.text)}
                onLine={onLine}
              />
            ))}
          </ol>
        </Section>
      )}
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
        ['Lines', formatCount(view.total_lines)],
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

/** Returns whole seconds since then; 0 without a time. */
function useSeconds(since: number | null): number {
  const [now, setNow] = useState(0);
  useEffect(() => {
    if (since === null) return;
    setNow(Date.now());
    const timer = setInterval(() => setNow(Date.now()), 250);
    return () => clearInterval(timer);
  }, [since]);
  return since === null ? 0 : Math.max(0, Math.floor((now - since) / 1000));
}
