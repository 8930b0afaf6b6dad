/** The rows of the list: artifacts, and the headings of groups. */

import { memo } from 'react';
import { type Artifact, isMergedId } from '../../../shared/artifact.ts';
import { escapeControls, escapeLine, inOrder } from '../../../shared/text/escape.ts';
import { messageFirst } from '../../../shared/text/file-links.ts';
import { formatBytes, formatCount, formatDuration, plural } from '../../../shared/text/format.ts';
import { formatClock, formatExact } from '../../ui/text/format.ts';
import { Icon } from '../../ui/text/Icon.tsx';
import { Age, MiddleText, Spoken } from '../../ui/text/MiddleText.tsx';
import {
  agedTimeOf,
  contentTypeOf,
  folderOf,
  isPlainFile,
  kindOf,
  linesOf,
  nameOf,
  pathOf,
  STATUS,
  shortWarning,
  sizeOf,
  sortTimeOf,
  statusWord,
} from '../artifact-facts.ts';
import styles from './ArtifactItem.module.css';
import type { HiddenMatch } from './filter-match.ts';
import { AgentBadge, StatusWord } from './StatusWord.tsx';

export type Distinction = 'none' | 'folder' | 'folder and time';

interface ArtifactItemProps {
  id: string;
  artifact: Artifact;
  /** Pixels from the top of the list. */
  top: number;
  /** Index in its group, from 0. */
  index: number;
  count: number;
  /** Whether it is below a heading. */
  nested: boolean;
  active: boolean;
  shown: boolean;
  /** Whether an agent made it and none read more than the preview. */
  unread: boolean;
  /** Whether it is chosen for merging. */
  chosen: boolean;
  /** Extra facts to show, as other rows have the same name. */
  distinction: Distinction;
  /** The text the filter found, if the row does not show it otherwise. */
  matched: HiddenMatch | null;
  onOpen: (artifactId: string, how: 'click' | 'tab' | 'choose') => void;
}

const MIDDLE_BUTTON = 1;

export const ArtifactItem = memo(function ArtifactItem(props: ArtifactItemProps) {
  const { id, artifact, top, index, count, nested, active, shown, chosen, onOpen } = props;
  const { distinction, matched, unread } = props;
  const kind = kindOf(artifact);
  const name = nameOf(artifact);
  const aged = agedTimeOf(artifact);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the list handles the keys for all its items
    <div
      id={id}
      className={styles.item}
      style={{ transform: `translateY(${top}px)` }}
      role="treeitem"
      tabIndex={-1}
      aria-selected={shown}
      aria-checked={chosen ? true : undefined}
      aria-level={nested ? 2 : 1}
      aria-posinset={index + 1}
      aria-setsize={count}
      data-active={active || undefined}
      data-chosen={chosen || undefined}
      data-artifact={artifact.artifact_id}
      // Keep the focus in the list or the text.
      onMouseDown={(event) => event.preventDefault()}
      onClick={(event) => {
        if (event.shiftKey) onOpen(artifact.artifact_id, 'choose');
        else onOpen(artifact.artifact_id, event.ctrlKey || event.metaKey ? 'tab' : 'click');
      }}
      onAuxClick={(event) => event.button === MIDDLE_BUTTON && onOpen(artifact.artifact_id, 'tab')}
    >
      <span
        className={styles.kind}
        aria-hidden="true"
        title={artifact.agent ? 'command of an agent' : kind.word}
      >
        <Icon name={chosen ? 'check' : artifact.agent ? 'cmd' : kind.icon} />
      </span>
      <span className={styles.first}>
        <span className={styles.name} data-name="">
          <MiddleText
            named
            text={name}
            title={artifact.kind === 'file' ? escapeLine(pathOf(artifact) ?? name) : name}
          />
        </span>
        <Spoken
          text={[kind.word, unread && 'unread by agents', artifact.pinned && 'pinned']
            .filter(Boolean)
            .join(', ')}
        />
        {unread && (
          <span
            className={styles.unread}
            data-unread=""
            title="Unread: no agent got more of it than the preview"
          />
        )}
        {artifact.pinned && (
          <span className={styles.pin} title="Pinned: kept when others are cleaned up">
            <Icon name="pin" />
          </span>
        )}
        {aged && (
          <span className={styles.age}>
            <Age iso={aged} short title={timesOf(artifact)} />
          </span>
        )}
      </span>
      <Facts artifact={artifact} distinction={distinction} matched={matched} />
    </div>
  );
});

type FactsProps = Pick<ArtifactItemProps, 'artifact' | 'distinction' | 'matched'>;

/** The second line of an item; in a wide list, its columns. */
function Facts({ artifact, distinction, matched }: FactsProps) {
  const folder = distinction === 'none' ? null : folderOf(artifact);
  const time = sortTimeOf(artifact);
  const warning = shortWarning(artifact);
  const size = formatBytes(sizeOf(artifact));
  const lines = linesOf(artifact);
  const type = contentTypeOf(artifact);
  return (
    <span className={styles.facts}>
      <span className={styles.state}>
        {!isPlainFile(artifact) && <StatusWord artifact={artifact} short />}
      </span>
      {artifact.cause && !matched && (
        <span
          className={styles.cause}
          title={`Line ${artifact.cause.line_number} of ${artifact.cause.stream}: ${inOrder(artifact.cause.text.trim())}`}
        >
          {inOrder(messageFirst(artifact.cause.text))}
        </span>
      )}
      {matched && (
        <span className={styles.matched}>
          {matched.name} {matched.before}
          <mark>{matched.word}</mark>
          {matched.after}
        </span>
      )}
      <span className={styles.rest}>
        {distinction === 'folder and time' && time && <span>{formatClock(time)}</span>}
        {folder && (
          <span className={styles.folder} title={folder}>
            {lastFolders(folder)}
          </span>
        )}
        {warning !== undefined && (
          <span className={styles.warning} title={escapeControls(artifact.warnings.join('\n'))}>
            <Icon name="warn" />
            <span>{escapeLine(warning)}</span>
          </span>
        )}
        {lines !== null && <span className={styles.minor}>{plural(lines, 'line')}</span>}
        {isMergedId(artifact.artifact_id) && <span className={styles.minor}>merged</span>}
        {type !== 'unknown' && <span className={styles.minor}>{type}</span>}
        {artifact.duration_ms !== null && (
          <span className={styles.minor}>{formatDuration(artifact.duration_ms)}</span>
        )}
      </span>
      <span className={styles.size}>{size}</span>
    </span>
  );
}

/** Returns the last folders of a path: `api/logs`. */
export function lastFolders(folder: string): string {
  return folder.split(/[\\/]/).filter(Boolean).slice(-2).join('/') || folder;
}

function timesOf(artifact: Artifact): string {
  const [began, ended] = isPlainFile(artifact) ? ['Created', 'changed'] : ['Started', 'ended'];
  return [
    artifact.started_at && `${began} ${formatExact(artifact.started_at)}`,
    artifact.ended_at && `${ended} ${formatExact(artifact.ended_at)}`,
  ]
    .filter(Boolean)
    .join('\n');
}

/** The heading of a group in the list: its name, its size, and how many need attention. */
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
  /** The last run of a command's group; null for other groups. */
  lastRun: Artifact | null;
  /** Pixels from the top of the list. */
  top: number;
  active: boolean;
  onToggle: (groupKey: string) => void;
}

export const GroupHeading = memo(function GroupHeading(props: GroupHeadingProps) {
  const { id, groupKey, label, agent, session, count, running, failed } = props;
  const { folded, lastRun, top, active, onToggle } = props;
  const lastTime = lastRun && agedTimeOf(lastRun);
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
      {lastRun && <LastRun artifact={lastRun} />}
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
          {lastRun ? <span data-word=""> failed</span> : <Spoken text=" failed" />}
        </span>
      )}
      {lastRun ? (
        <span className={styles.count} title={plural(count, 'run')}>
          {formatCount(count)}
          <span data-word="">{count === 1 ? ' run' : ' runs'}</span>
        </span>
      ) : (
        <span className={styles.count}>
          {formatCount(count)}
          <Spoken text={count === 1 ? ' item' : ' items'} />
        </span>
      )}
      {lastTime && (
        <span className={styles.lastAge}>
          <Age iso={lastTime} short title={`Last run: ${formatExact(lastTime)}`} />
        </span>
      )}
    </div>
  );
});

/** How the last run of a command ended. */
function LastRun({ artifact }: { artifact: Artifact }) {
  const { icon, tone } = STATUS[artifact.status];
  return (
    <span className={styles.lastRun} data-tone={tone} title={`Last run: ${statusWord(artifact)}`}>
      <Icon name={icon} />
      <Spoken text={`last run ${statusWord(artifact)},`} />
    </span>
  );
}

/** Longest path to show whole, in code units; of a longer one, the last folder. */
const MAX_CHARS = 24;

function lastPart(label: string): number {
  const part = /[\\/][^\\/]*$/.exec(label)?.[0].length ?? 0;
  return Math.min(Math.max(part, MAX_CHARS / 2), MAX_CHARS);
}
