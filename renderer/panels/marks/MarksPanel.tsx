/** Lists the marks of the shown artifact, then others. Each links to its line, and has a note to edit. */

import { useEffect, useId, useRef } from 'react';
import { inOrder } from '../../../shared/text/escape.ts';
import { formatCount } from '../../../shared/text/format.ts';
import { ActionButton } from '../../actions/ActionMenu.tsx';
import { IconButton } from '../../ui/controls/Button.tsx';
import { EmptyState } from '../../ui/layout/Message.tsx';
import { MiddleText } from '../../ui/text/MiddleText.tsx';
import { markActions } from '../panel-actions.ts';
import styles from './MarksPanel.module.css';
import { keyOf, type Mark, setNote, sorted } from './marks-export.ts';
import type { Marks } from './use-marks.ts';

interface MarksPanelProps {
  marks: Marks;
  onShow: (mark: Mark) => void;
}

export function MarksPanel({ marks, onShow }: MarksPanelProps) {
  const { all, artifactId, context } = marks;
  const groups = grouped(all, artifactId);
  if (groups.length === 0) {
    return (
      <EmptyState icon="mark" title="No marks">
        <p>
          {markActions.toggle.keys[0]} marks the selected line, {markActions.note.keys[0]} writes a note on
          it. So does a click beside its number.
        </p>
      </EmptyState>
    );
  }
  return (
    <>
      <div className={styles.tools}>
        <ActionButton action={markActions.copy} context={context} />
        <ActionButton action={markActions.save} context={context} />
      </div>
      {groups.map(([id, group]) => (
        <section key={id} aria-label={`Marks of ${group[0]!.name}`}>
          <h3 className={styles.name}>
            <MiddleText text={group[0]!.name} />
            {groups.length > 1 && <GroupButtons group={group} marks={marks} />}
          </h3>
          <ol className={styles.list}>
            {group.map((mark) => (
              <Entry key={keyOf(mark)} mark={mark} marks={marks} onShow={onShow} />
            ))}
          </ol>
        </section>
      ))}
    </>
  );
}

function GroupButtons({ group, marks }: { group: readonly Mark[]; marks: Marks }) {
  const { name } = group[0]!;
  const { copyMarks, saveMarks } = marks;
  return (
    <>
      <IconButton
        icon="copy"
        label={`Copy the marks of ${name} as Markdown`}
        onClick={() => copyMarks(group)}
      />
      <IconButton icon="save" label={`Save the marks of ${name}`} onClick={() => saveMarks(group)} />
    </>
  );
}

function Entry({ mark, marks, onShow }: MarksPanelProps & { mark: Mark }) {
  const id = useId();
  const field = useRef<HTMLTextAreaElement>(null);
  const { editing, doneEditing } = marks;
  const isEditing = editing === keyOf(mark);
  useEffect(() => {
    if (!isEditing) return;
    // Scroll explicitly: focusing would only bring the caret into view, not the field's lower edge.
    field.current?.focus({ preventScroll: true });
    field.current?.closest('li')?.scrollIntoView({ block: 'nearest' });
    doneEditing();
  }, [isEditing, doneEditing]);
  const rows = Math.min(8, mark.note.split('\n').length);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a field that is written in grows with its rows
  useEffect(() => {
    const own = field.current;
    if (own && own === document.activeElement) own.closest('li')?.scrollIntoView({ block: 'nearest' });
  }, [rows]);
  const isShown = mark.artifactId === marks.artifactId;
  const isStale = marks.stale.has(keyOf(mark));
  const where = `line ${formatCount(mark.line)}`;
  const of = mark.stream === 'output' ? '' : ` of ${mark.stream}`;
  return (
    <li className={styles.entry} data-mark-line={mark.line}>
      <div className={styles.head}>
        <button type="button" className={styles.go} onClick={() => onShow(mark)} aria-current={isShown}>
          <span className={styles.line}>
            {formatCount(mark.line)}
            {of}
          </span>
          <span className={styles.text}>{mark.text.trim() === '' ? '(empty line)' : inOrder(mark.text)}</span>
        </button>
        <IconButton icon="close" label={`Remove the mark on ${where}`} onClick={() => marks.remove(mark)} />
      </div>
      {isStale && <p className={styles.stale}>The line reads differently now.</p>}
      <textarea
        ref={field}
        className={styles.note}
        aria-label={`Note on ${where}`}
        placeholder="Note"
        rows={rows}
        value={mark.note}
        onChange={(event) => setNote(mark, event.target.value)}
        onKeyDown={(event) => {
          const isDone =
            event.key === 'Escape' || (event.key === 'Enter' && (event.ctrlKey || event.metaKey));
          if (!isDone) return;
          event.preventDefault();
          event.stopPropagation();
          // Focus the text of this pane, as there may be two.
          field.current?.closest('[data-pane]')?.querySelector<HTMLElement>('[data-viewer]')?.focus();
        }}
        aria-describedby={`${id}-keys`}
      />
      <p id={`${id}-keys`} className={styles.keys}>
        Esc or Ctrl+Enter: done
      </p>
    </li>
  );
}

/** Groups marks by artifact: the shown one first, then by their latest mark. */
function grouped(all: readonly Mark[], shown: string | null): [id: string, marks: Mark[]][] {
  const groups = new Map<string, Mark[]>();
  for (const mark of [...all].reverse())
    groups.set(mark.artifactId, [...(groups.get(mark.artifactId) ?? []), mark]);
  const entries = [...groups].map(([id, group]): [string, Mark[]] => [id, sorted(group)]);
  return entries.sort(([a], [b]) => Number(b === shown) - Number(a === shown));
}
