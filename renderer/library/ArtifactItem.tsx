/** One artifact in the list: its name, how it went, how large it is and how old. */
import { memo } from 'react';
import type { Artifact } from '../../shared/artifact.ts';
import { Age } from '../ui/Age.tsx';
import { formatBytes } from '../ui/format.ts';
import { Icon } from '../ui/Icon.tsx';
import { MiddleText } from '../ui/MiddleText.tsx';
import styles from './ArtifactItem.module.css';
import { isPlainFile, KIND, nameOf, pathOf, STATUS, sizeOf, statusWord, timeOf } from './artifact-look.ts';

interface ArtifactItemProps {
  id: string;
  artifact: Artifact;
  /** Pixels from the top of the list. */
  top: number;
  index: number;
  count: number;
  active: boolean;
  shown: boolean;
  onOpen: (artifactId: string) => void;
}

export const ArtifactItem = memo(function ArtifactItem(props: ArtifactItemProps) {
  const { id, artifact, top, index, count, active, shown, onOpen } = props;
  const kind = KIND[artifact.kind];
  const status = STATUS[artifact.status];
  const name = nameOf(artifact);
  const time = timeOf(artifact);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the list handles the keys for all its options
    <div
      id={id}
      className={styles.item}
      style={{ transform: `translateY(${top}px)` }}
      role="option"
      tabIndex={-1}
      aria-selected={shown}
      aria-posinset={index + 1}
      aria-setsize={count}
      aria-label={`${name}, ${kind.word}, ${statusWord(artifact)}, ${formatBytes(sizeOf(artifact))}`}
      data-active={active || undefined}
      data-artifact={artifact.artifact_id}
      onClick={() => onOpen(artifact.artifact_id)}
    >
      <span className={styles.kind} title={kind.word}>
        <Icon name={kind.icon} />
      </span>
      <span className={styles.name}>
        <MiddleText text={name} title={pathOf(artifact) ?? name} />
      </span>
      <span className={styles.facts}>
        {isPlainFile(artifact) ? (
          <span>{kind.word}</span>
        ) : (
          <span className={`${styles.status} ${styles[status.tone]}`}>
            <Icon name={status.icon} />
            {statusWord(artifact)}
          </span>
        )}
        <span>{formatBytes(sizeOf(artifact))}</span>
        {time && <Age iso={time} />}
      </span>
    </div>
  );
});
