/** The first row of an artifact: its kind, name, status and streams. */
import type { ReactNode } from 'react';
import { ActionButton } from '../../commands/ActionButton.tsx';
import { isPlainFile, kindOf } from '../../library/artifact-look.ts';
import { StatusWord } from '../../library/list/item/StatusWord.tsx';
import { PaneHeader } from '../../ui/layout/PaneHeader.tsx';
import { Icon } from '../../ui/words/Icon.tsx';
import { MiddleText } from '../../ui/words/MiddleText.tsx';
import { stopActions } from '../actions.ts';
import { StreamTabs } from '../StreamTabs.tsx';
import type { ShownArtifact } from '../use-shown-artifact.ts';
import styles from './ArtifactHeader.module.css';

interface ArtifactHeaderProps {
  shown: ShownArtifact;
  /** Shown before the name, and at the end of the row. */
  before: ReactNode;
  after: ReactNode;
}

export function ArtifactHeader({ shown, before, after }: ArtifactHeaderProps) {
  const { artifact, name, stream, showStream, merged } = shown;
  const isFinishedMerge = merged !== null && artifact?.status === 'finished';
  return (
    <PaneHeader lined>
      {before}
      {artifact && (
        <span className={styles.kind} title={kindOf(artifact).word}>
          <Icon name={kindOf(artifact).icon} />
        </span>
      )}
      <h2 className={styles.name}>
        <MiddleText text={name} />
      </h2>
      {artifact && !isPlainFile(artifact) && !isFinishedMerge && <StatusWord artifact={artifact} />}
      {shown.stop.isAllowed && (
        <ActionButton action={stopActions.stop} context={shown.stop} className={styles.stop} />
      )}
      <span className={styles.gap} />
      {artifact && <StreamTabs artifact={artifact} shown={stream} onShow={showStream} />}
      {after}
    </PaneHeader>
  );
}
