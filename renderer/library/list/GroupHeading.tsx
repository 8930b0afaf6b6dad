/** The heading of a group in the list: its name, its size, and how many need attention. */
import { memo } from 'react';
import { formatCount } from '../../../shared/text/format.ts';
import { Icon } from '../../ui/words/Icon.tsx';
import { MiddleText } from '../../ui/words/MiddleText.tsx';
import { Spoken } from '../../ui/words/Spoken.tsx';
import styles from './GroupHeading.module.css';
import { AgentBadge } from './item/AgentBadge.tsx';

interface GroupHeadingProps {
  id: string;
  groupKey: string;
  label: string;
  /** The agent whose badge it shows, and its session. */
  agent: string | null;
  session: string | null;
  count: number;
  running: number;
  failed: number;
  folded: boolean;
  /** Pixels from the top of the list. */
  top: number;
  active: boolean;
  onToggle: (groupKey: string) => void;
}

export const GroupHeading = memo(function GroupHeading(props: GroupHeadingProps) {
  const { id, groupKey, label, agent, session, count, running, failed, folded, top, active, onToggle } =
    props;
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the list handles the keys for all its items
    <div
      id={id}
      className={styles.heading}
      style={{ transform: `translateY(${top}px)` }}
      role="treeitem"
      tabIndex={-1}
      aria-selected={false}
      aria-level={1}
      aria-expanded={!folded}
      data-active={active || undefined}
      data-group={groupKey}
      onClick={() => onToggle(groupKey)}
      onMouseDown={(event) => event.preventDefault()}
    >
      <span className={folded ? `${styles.chevron} ${styles.folded}` : styles.chevron}>
        <Icon name="chevron" />
      </span>
      {agent !== null && <AgentBadge agent={agent} />}
      <span className={styles.label}>
        <MiddleText named text={label} tail={lastPart(label)} />
      </span>
      {session !== null && (
        <span className={styles.session} title="The agent’s session">
          <Spoken text="session " />
          {session}
        </span>
      )}
      {running > 0 && (
        <span className={styles.running} title={`${formatCount(running)} running`}>
          <Icon name="play" />
          {formatCount(running)}
          <Spoken text=" running" />
        </span>
      )}
      {failed > 0 && (
        <span className={styles.failed} title={`${formatCount(failed)} failed`}>
          <Icon name="cross" />
          {formatCount(failed)}
          <Spoken text=" failed" />
        </span>
      )}
      <span className={styles.count}>
        {formatCount(count)}
        <Spoken text={count === 1 ? ' item' : ' items'} />
      </span>
    </div>
  );
});

/** Longest path to show whole, in code units; of a longer one, the last folder. */
const MAX_CHARS = 24;

function lastPart(label: string): number {
  const part = /[\\/][^\\/]*$/.exec(label)?.[0].length ?? 0;
  return Math.min(Math.max(part, MAX_CHARS / 2), MAX_CHARS);
}
