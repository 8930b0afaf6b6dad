/** The first row of an artifact: its kind, name, status and streams. */

import { Toggle } from '@base-ui/react/toggle';
import { ToggleGroup } from '@base-ui/react/toggle-group';
import type { ReactNode } from 'react';
import type { Artifact, Stream, StreamName } from '../../shared/artifact.ts';
import { formatBytes } from '../../shared/text/format.ts';
import { ActionButton } from '../actions/ActionMenu.tsx';
import { titleOf } from '../actions/action.ts';
import { useActions } from '../actions/registry.ts';
import { DifferencesChip } from '../differences/DifferencesChip.tsx';
import { isPlainFile, kindOf, streamNames } from '../library/artifact-facts.ts';
import { StatusWord } from '../library/list/StatusWord.tsx';
import { Button } from '../ui/controls/Button.tsx';
import { ChoiceMenu } from '../ui/controls/ChoiceMenu.tsx';
import { PaneHeader } from '../ui/layout/Pane.tsx';
import { Icon } from '../ui/text/Icon.tsx';
import { MiddleText } from '../ui/text/MiddleText.tsx';
import styles from './ArtifactHeader.module.css';
import { stopActions, streamActions } from './artifact-actions.ts';
import { panelActions } from './Panels.tsx';
import type { ShownArtifact } from './use-shown-artifact.ts';

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
      <DifferencesChip
        differences={shown.differing.differences}
        isOpen={shown.panels.panel === 'differences'}
        shortcut={panelActions.differences.keys[0]!}
        onToggle={() => panelActions.differences.run(shown.panels, null)}
        onOpen={shown.tab.open}
      />
      {shown.stop.isAllowed && (
        <ActionButton action={stopActions.stop} context={shown.stop} className={styles.stop} />
      )}
      <span className={styles.gap} />
      {artifact && <StreamTabs artifact={artifact} shown={stream} onShow={showStream} />}
      {after}
    </PaneHeader>
  );
}

const WORDS: Record<StreamName, string> = {
  combined: 'Combined',
  stdout: 'stdout',
  stderr: 'stderr',
  output: 'Output',
};

interface StreamTabsProps {
  artifact: Artifact;
  shown: StreamName | null;
  onShow: (stream: StreamName) => void;
}

/** Chooses which of a command's streams to show: side by side where there is room, otherwise in a menu. */
function StreamTabs({ artifact, shown, onShow }: StreamTabsProps) {
  const names = streamNames(artifact);
  useActions(streamActions, { streams: names, shown, onShow });
  if (names.length < 2) return null;
  const present = shown ?? names[0]!;
  return (
    <>
      <ChoiceMenu
        trigger={
          <Button className={styles.menu} opensMenu title={titleOf(streamActions.stream)}>
            {WORDS[present]}
          </Button>
        }
        choices={names.map((name) => ({ value: name, name: WORDS[name] }))}
        chosen={present}
        onChoose={onShow}
      />
      <ToggleGroup
        className={styles.tabs}
        aria-label="Stream"
        value={[present]}
        onValueChange={([next]) => {
          if (next) onShow(next as StreamName);
        }}
      >
        {names.map((name) => {
          const stream = artifact.streams.find((each) => each.name === name);
          return (
            <Toggle key={name} value={name} className={styles.tab} title={sizeOf(name, stream)}>
              {WORDS[name]}
            </Toggle>
          );
        })}
      </ToggleGroup>
    </>
  );
}

function sizeOf(name: StreamName, stream: Stream | undefined): string {
  const what = stream
    ? formatBytes(stream.total_bytes)
    : 'both streams, their lines in the order they arrived';
  return `${WORDS[name]}: ${what} (${streamActions.stream.keys[0]})`;
}
