/** The sections of the text as a tree: their status, duration and errors. Choosing one shows its first line. */
import { type KeyboardEvent, memo, useEffect, useId, useMemo, useRef, useState } from 'react';
import { toSpillwayError } from '../../../shared/errors.ts';
import { inOrder } from '../../../shared/text/escape.ts';
import { formatBytes, formatCount, formatDuration } from '../../../shared/text/format.ts';
import type { OutlineView } from '../../../shared/views.ts';
import { isInField } from '../../actions/action.ts';
import { runByKey } from '../../actions/registry.ts';
import { useConnection } from '../../connection/HostProvider.tsx';
import { Button } from '../../ui/controls/Button.tsx';
import { EmptyState, ErrorState } from '../../ui/layout/Message.tsx';
import { useAfter } from '../../ui/state/time.ts';
import { Icon } from '../../ui/text/Icon.tsx';
import { Spoken } from '../../ui/text/MiddleText.tsx';
import { OPEN_ALONE, outlineActions } from '../panel-actions.ts';
import styles from './OutlinePanel.module.css';
import { firstUnfolded, type OutlineNode, pathOf, type ShownOutline, shownNodes } from './use-outline.ts';

interface OutlinePanelProps {
  outline: ShownOutline;
  totalBytes: number;
  onLine: (line: number) => void;
  /** Opens an artifact: a member of the archive. */
  onOpen: (artifactId: string) => void;
  onProblem: (message: string) => void;
  /** Whether the sections take the focus once they are known. */
  takesFocus: boolean;
}

export const OutlinePanel = memo(function OutlinePanel(props: OutlinePanelProps) {
  const { outline, totalBytes, onLine, onOpen, onProblem, takesFocus } = props;
  const { view, error, isReading, isCancelled, cancel, again } = outline;
  const connection = useConnection();
  const isSlow = useAfter(1000, isReading && !view);
  if (isReading && !view) {
    if (!isSlow) return null;
    const title = `Reading ${formatBytes(totalBytes)}…`;
    return <EmptyState icon="group" title={title} actions={<Button onClick={cancel}>Cancel</Button>} />;
  }
  if (error) return <ErrorState error={error} actions={<Button onClick={again}>Try again</Button>} />;
  if (isCancelled || !view)
    return <EmptyState icon="group" title="No outline" actions={<Button onClick={again}>Make one</Button>} />;
  const grown = totalBytes - view.total_bytes;
  const onMember = (name: string) =>
    connection?.request('openPath', { path: `${view.file_path}/${name}` }).then(
      ([artifact]) => artifact && onOpen(artifact.artifact_id),
      (error: unknown) => onProblem(toSpillwayError(error).message),
    );
  return (
    <div className={styles.outline}>
      {grown > 0 && !isReading && (
        <p className={styles.note}>
          {formatBytes(grown)} came since. <Button onClick={again}>Read again</Button>
        </p>
      )}
      {view.note && <p className={styles.note}>{view.note}</p>}
      {view.sections.length > 0 && (
        <Tree {...{ nodes: outline.nodes, current: outline.current, onLine, onMember, takesFocus }} />
      )}
      <Places view={view} onLine={onLine} />
    </div>
  );
});

interface TreeProps extends Pick<OutlinePanelProps, 'onLine' | 'takesFocus'> {
  /** Opens a member of the archive. */
  onMember: (name: string) => void;
  nodes: readonly OutlineNode[];
  /** The section at the top of the text; -1 for none. */
  current: number;
}

function Tree({ nodes, current, onLine, onMember, takesFocus }: TreeProps) {
  const id = useId();
  const [unfolded, setUnfolded] = useState(() => firstUnfolded(nodes));
  const [active, setActive] = useState(() => nodes.findIndex((one) => one.failing));
  const shown = useMemo(() => shownNodes(nodes, unfolded), [nodes, unfolded]);
  // The mark of a folded section is on the one that contains it.
  const visible = new Set(shown.map(({ index }) => index));
  const inView = (index: number) =>
    index < 0 ? -1 : (pathOf(nodes, index).findLast((one) => visible.has(one.index))?.index ?? -1);
  const [focus, here] = [inView(active), inView(current)];
  const fold = (index: number, isOpen: boolean) =>
    setUnfolded((last) => new Set(isOpen ? [...last, index] : [...last].filter((one) => one !== index)));
  const tree = useRef<HTMLDivElement>(null);
  const first = useRef(takesFocus);
  useEffect(() => {
    // A person may have gone on to a field while the sections were read.
    if (first.current && !isInField(document.activeElement)) tree.current?.focus({ preventScroll: true });
  }, []);
  useEffect(() => {
    if (focus >= 0) document.getElementById(`${id}${focus}`)?.scrollIntoView({ block: 'nearest' });
  }, [id, focus]);
  const context = {
    node: nodes[focus] ?? null,
    isUnfolded: unfolded.has(focus),
    move(by: number) {
      const at = shown.findIndex(({ index }) => index === focus);
      const next = shown[Math.min(shown.length - 1, Math.max(0, at + by))];
      if (next) setActive(next.index);
    },
    choose: setActive,
    fold,
    show: (node: OutlineNode) => onLine(node.start_line),
    openAlone: (node: OutlineNode) => onMember(node.title),
  };
  return (
    <div
      ref={tree}
      className={styles.tree}
      role="tree"
      aria-label="Sections"
      tabIndex={0}
      aria-activedescendant={focus >= 0 ? `${id}${focus}` : undefined}
      onKeyDown={(event: KeyboardEvent) => runByKey(outlineActions, context, event)}
    >
      {shown.map((node) => (
        <Item
          key={node.index}
          id={`${id}${node.index}`}
          node={node}
          isUnfolded={unfolded.has(node.index)}
          isActive={node.index === focus}
          isHere={node.index === here}
          onFold={() => fold(node.index, !unfolded.has(node.index))}
          onAlone={() => onMember(node.title)}
          onShow={() => {
            setActive(node.index);
            onLine(node.start_line);
          }}
        />
      ))}
    </div>
  );
}

interface ItemProps {
  id: string;
  node: OutlineNode;
  isUnfolded: boolean;
  isActive: boolean;
  isHere: boolean;
  onFold: () => void;
  onAlone: () => void;
  onShow: () => void;
}

function Item({ id, node, isUnfolded, isActive, isHere, onFold, onAlone, onShow }: ItemProps) {
  const { title, level, status, duration_ms, errors, failing, hasParts, start_line, end_line, member } = node;
  const lines = `lines ${formatCount(start_line)} to ${formatCount(end_line)}`;
  const looks = [styles.item, isActive && styles.active, isHere && styles.here, failing && styles.failing];
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents lint/a11y/useFocusableInteractive: the tree has the focus and the keys
    <div
      id={id}
      role="treeitem"
      className={looks.filter(Boolean).join(' ')}
      style={{ paddingLeft: 8 + 14 * (level - 1) }}
      aria-level={level}
      aria-selected={isActive}
      aria-expanded={hasParts ? isUnfolded : undefined}
      aria-current={isHere ? 'location' : undefined}
      title={`${inOrder(title)}\n${lines}`}
      onClick={onShow}
    >
      <span
        className={`${styles.chevron} ${isUnfolded ? '' : styles.folded}`}
        aria-hidden="true"
        onClick={(event) => {
          if (!hasParts) return;
          event.stopPropagation();
          onFold();
        }}
      >
        {hasParts && <Icon name="chevron" />}
      </span>
      <span className={`${styles.status} ${status ? styles[status] : ''}`}>
        {status && <Icon name={status === 'ok' ? 'check' : 'cross'} />}
      </span>
      <span className={styles.title}>
        {inOrder(title)}
        <Spoken text={status ? `, ${status},` : ','} />
      </span>
      {errors > 0 && (
        <span className={styles.errors}>
          {formatCount(errors)}
          <Spoken text={errors === 1 ? ' error,' : ' errors,'} />
        </span>
      )}
      <span className={styles.duration}>
        {duration_ms === null ? '' : formatDuration(duration_ms)}
        <Spoken text={`, ${lines}`} />
      </span>
      {member && (
        <span
          className={styles.alone}
          title={`${OPEN_ALONE} (Shift+Enter)`}
          aria-hidden="true"
          onClick={(event) => {
            event.stopPropagation();
            onAlone();
          }}
        >
          <Icon name="open" />
        </span>
      )}
    </div>
  );
}

/** The longest pauses of a text, below its sections, and the messages of one without sections, by line. */
function Places({ view, onLine }: { view: OutlineView; onLine: (line: number) => void }) {
  return (
    <>
      {view.pauses.length > 0 && (
        // Below sections they stay in view, folded.
        <details className={styles.pauses} open={view.sections.length === 0}>
          <summary className={styles.heading}>Longest pauses</summary>
          {view.pauses.map(({ start_line, duration_ms }) => (
            <Place
              key={start_line}
              line={start_line}
              fact={formatDuration(duration_ms)}
              text={`after line ${formatCount(start_line)}`}
              onLine={onLine}
            />
          ))}
        </details>
      )}
      {view.shapes.length > 0 && <h3 className={styles.heading}>Most frequent messages</h3>}
      {view.shapes.map(({ shape, count, first_line }) => (
        <Place
          key={first_line}
          line={first_line}
          fact={`${formatCount(count)} ×`}
          text={inOrder(shape)}
          onLine={onLine}
        />
      ))}
    </>
  );
}

interface PlaceProps {
  line: number;
  fact: string;
  text: string;
  onLine: (line: number) => void;
}

function Place({ line, fact, text, onLine }: PlaceProps) {
  return (
    <button type="button" className={styles.place} title={text} onClick={() => onLine(line)}>
      <span className={styles.fact}>{fact}</span>
      <span className={styles.title}>{text}</span>
    </button>
  );
}

/** The section at the top of the text, with those around it. A click goes to its first line. */
export function SectionHeading({ outline, onLine }: Pick<OutlinePanelProps, 'outline' | 'onLine'>) {
  const { nodes, current } = outline;
  if (nodes.length === 0) return null;
  const path = current < 0 ? [] : pathOf(nodes, current);
  return (
    <nav className={styles.sticky} aria-label="Section at the top">
      {path.map((node) => (
        <button
          key={node.index}
          type="button"
          className={`${styles.step} ${node.status === 'failed' ? styles.failed : ''}`}
          title={`${inOrder(node.title)}: go to line ${formatCount(node.start_line)}`}
          onClick={() => onLine(node.start_line)}
        >
          {inOrder(node.title)}
        </button>
      ))}
    </nav>
  );
}
