/** Lists new, changed, missing and moved messages, each with the nearest message of the baselines. */

import type { ReactNode } from 'react';
import type { Artifact, StreamName } from '../../shared/artifact.ts';
import type { Comparison, Finding } from '../../shared/comparison.ts';
import { escapeControls, inOrder } from '../../shared/text/escape.ts';
import { formatCount, plural } from '../../shared/text/format.ts';
import { pastOf, type WordPart } from '../../shared/text/word-difference.ts';
import { ActionButton } from '../actions/ActionMenu.tsx';
import { nameOf } from '../library/artifact-facts.ts';
import type { LibraryStore } from '../library/library-store.ts';
import { Button } from '../ui/controls/Button.tsx';
import { formatClock, sentence } from '../ui/text/format.ts';
import { Age } from '../ui/text/MiddleText.tsx';
import styles from './Differences.module.css';
import { type DifferencesContext, differenceActions } from './difference-actions.ts';
import { headline, oftenWords } from './differences.ts';

interface DifferencesPanelProps {
  context: DifferencesContext;
  /** The shown stream. */
  stream: StreamName | null;
  library: LibraryStore;
  onLine: (line: number) => void;
  /** Shows another output in a pane beside this one, at a line or beside the lines that are shown. */
  onBeside: (artifactId: string, line: number | null) => void;
  onOpen: (artifactId: string) => void;
}

export function DifferencesPanel(props: DifferencesPanelProps) {
  const { context, library, onBeside, onOpen } = props;
  const { differences } = context;
  const { comparison, problem, same, isWaiting, isChosen, compareWithPasses } = differences;
  return (
    <div className={styles.panel}>
      {isWaiting && <p className={styles.note}>Comparing…</p>}
      {problem !== null && <p className={styles.note}>{sentence(problem)}</p>}
      {comparison && <p className={styles.headline}>{headline(comparison).words}</p>}
      {same && (
        <p className={styles.note}>
          The same failure as{' '}
          <button type="button" className={styles.run} onClick={() => onOpen(same.artifact_id)}>
            {same.started_at === null ? same.artifact_id : <Age iso={same.started_at} />}
          </button>
          {oftenWords(same.times_in_week)}
        </p>
      )}
      <div className={styles.tools}>
        {comparison && comparison.lines.length > 0 && (
          <ActionButton action={differenceActions.only} context={context} />
        )}
        {isChosen && <Button onClick={compareWithPasses}>Compare with its passes</Button>}
      </div>
      {comparison && (
        <>
          {KINDS.map(({ kind, title }) => (
            <Findings key={kind} {...props} comparison={comparison} kind={kind} title={title} />
          ))}
          <OldCause {...props} comparison={comparison} />
          {comparison.truncated && (
            <p className={styles.note}>
              The most telling of {plural(comparison.total_findings, 'difference')} are listed.
            </p>
          )}
          <Baselines comparison={comparison} library={library} onBeside={onBeside} />
          {comparison.note !== undefined && <p className={styles.note}>{sentence(comparison.note)}</p>}
        </>
      )}
    </div>
  );
}

/** The cause of a failure, where the others have its message, too: it is among no differences. */
function OldCause({
  comparison,
  library,
  stream,
  onLine,
}: DifferencesPanelProps & { comparison: Comparison }) {
  const cause = library.get(comparison.artifact_id)?.cause;
  const line = cause?.stream === stream ? cause?.line_number : stream === 'combined' && cause?.combined_line;
  const isNews = comparison.findings.some(({ line_number }) => line_number === line);
  if (!cause || !line || isNews) return null;
  return (
    <section className={styles.section} aria-labelledby="old-cause">
      <h3 className={styles.title} id="old-cause">
        Cause, not new
      </h3>
      <button type="button" className={styles.finding} title={cause.text} onClick={() => onLine(line)}>
        <span className={styles.number}>
          <span className="visually-hidden">Line </span>
          {formatCount(line)}
        </span>
        <span className={styles.text}>{shown(cause.text)}</span>
      </button>
    </section>
  );
}

const KINDS = [
  { kind: 'new', title: 'New' },
  { kind: 'changed', title: 'Changed' },
  { kind: 'gone', title: 'Missing' },
  { kind: 'order', title: 'In another order' },
] as const;

function Baselines({
  comparison,
  library,
  onBeside,
}: Pick<DifferencesPanelProps, 'library' | 'onBeside'> & { comparison: Comparison }) {
  return (
    <section className={styles.section} aria-labelledby="compared-with">
      <h3 className={styles.title} id="compared-with">
        Side by side with
      </h3>
      <ul>
        {comparison.baselines.map(({ artifact_id: id, started_at }) => {
          const artifact = library.get(id);
          return (
            <li key={id}>
              <button
                type="button"
                className={styles.finding}
                title={`${nameIn(artifact, id)}: show it beside this output`}
                onClick={() => onBeside(id, null)}
              >
                <span className={styles.number}>{started_at !== null && <Age iso={started_at} short />}</span>
                <span className={styles.plain}>
                  {started_at !== null && `${formatClock(started_at)} `}
                  {nameIn(artifact, id)}
                </span>
              </button>
            </li>
          );
        })}
      </ul>
    </section>
  );
}

const nameIn = (artifact: Artifact | null, id: string): string => (artifact ? nameOf(artifact) : id);

interface FindingsProps extends DifferencesPanelProps {
  comparison: Comparison;
  kind: Finding['kind'];
  title: string;
}

function Findings({ comparison, kind, title, onLine, onBeside }: FindingsProps) {
  const found = comparison.findings.filter((finding) => finding.kind === kind);
  if (found.length === 0) return null;
  const baseline = comparison.baselines[0]?.artifact_id ?? null;
  const show = ({ line_number, baseline_line }: Finding) => {
    if (line_number !== null) onLine(line_number);
    else if (baseline !== null) onBeside(baseline, baseline_line);
  };
  return (
    <section className={styles.section} aria-label={title}>
      <h3 className={styles.title}>
        {title} <span className={styles.count}>{formatCount(found.length)}</span>
      </h3>
      <ul>
        {found.map((finding) => (
          <li key={`${finding.line_number} ${finding.baseline_line} ${finding.text}`}>
            <button
              type="button"
              className={styles.finding}
              title={kind === 'gone' ? 'Show where it is in the run beside this one' : finding.text}
              onClick={() => show(finding)}
            >
              <span className={styles.number}>
                {kind === 'gone' ? (
                  <span aria-hidden="true">−</span>
                ) : (
                  <span className="visually-hidden">Line </span>
                )}
                {lineOf(finding)}
              </span>
              <Message finding={finding} />
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}

function lineOf({ line_number, baseline_line }: Finding): string {
  const line = line_number ?? baseline_line;
  return line === null ? '' : formatCount(line);
}

/** Most characters of a message in the list. */
const MAX_CHARS = 400;

/** The message, with what differs from the nearest one of the baselines marked, and that one below. */
function Message({ finding }: { finding: Finding }) {
  const { kind, count, baseline_text, baseline_counts } = finding;
  const text = shown(finding.text);
  const parts = baseline_text === null ? null : pastOf(kind, shown(baseline_text), text);
  const number = count > 1 ? plural(count, kind === 'gone' || kind === 'order' ? 'message' : 'line') : null;
  return (
    <span className={styles.message}>
      <span className={styles.text}>{parts ? marked(parts, 'new') : text}</span>
      {parts && (
        <span className={styles.was}>
          <span className={styles.word}>was </span>
          {marked(parts, 'old')}
        </span>
      )}
      {(number !== null || baseline_counts) && (
        <span className={styles.word}>
          {number}
          {baseline_counts && `, was ${countWords(baseline_counts)}`}
        </span>
      )}
    </span>
  );
}

/** One of the two lines, with the words that the other lacks marked. */
function marked(parts: readonly WordPart[], own: 'old' | 'new'): ReactNode {
  const Mark = own === 'old' ? 'del' : 'ins';
  return parts
    .filter(({ of }) => of === 'both' || of === own)
    .map(({ of, text }, i) =>
      // biome-ignore lint/suspicious/noArrayIndexKey: parts have no identity, and never move
      of === 'both' ? <span key={i}>{text}</span> : <Mark key={i}>{text}</Mark>,
    );
}

const shown = (text: string): string => inOrder(escapeControls(text.trim().slice(0, MAX_CHARS)));

function countWords([least, most]: readonly [number, number]): string {
  return least === most ? formatCount(least) : `${formatCount(least)} to ${formatCount(most)}`;
}
