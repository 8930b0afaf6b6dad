/** Chooses which of a command's streams to show. */
import { Toggle } from '@base-ui/react/toggle';
import { ToggleGroup } from '@base-ui/react/toggle-group';
import type { Artifact, Stream, StreamName } from '../../shared/artifact.ts';
import { formatBytes } from '../../shared/text/format.ts';
import { useActions } from '../commands/registry.ts';
import { streamActions } from './actions.ts';
import styles from './StreamTabs.module.css';

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

export function StreamTabs({ artifact, shown, onShow }: StreamTabsProps) {
  const names = streamNames(artifact);
  useActions(streamActions, { streams: names, shown, onShow });
  if (names.length < 2) return null;
  return (
    <ToggleGroup
      className={styles.tabs}
      aria-label="Stream"
      value={shown ? [shown] : []}
      onValueChange={([next]) => {
        if (next) onShow(next as StreamName);
      }}
    >
      {names.map((name) => {
        const stream = artifact.streams.find((each) => each.name === name);
        return (
          <Toggle key={name} value={name} className={styles.tab} title={titleOf(name, stream)}>
            {WORDS[name]}
          </Toggle>
        );
      })}
    </ToggleGroup>
  );
}

function titleOf(name: StreamName, stream: Stream | undefined): string {
  const what = stream
    ? formatBytes(stream.total_bytes)
    : 'both streams, their lines in the order they arrived';
  return `${WORDS[name]}: ${what} (${streamActions.stream.keys[0]})`;
}

/**
 * Returns the names of the streams. A command's two streams can always be read combined, even if that is not listed.
 */
function streamNames(artifact: Artifact): StreamName[] {
  const listed = artifact.streams.map((stream) => stream.name);
  const both = listed.includes('stdout') && listed.includes('stderr');
  return (['combined', 'stdout', 'stderr', 'output'] as const).filter(
    (name) => listed.includes(name) || (name === 'combined' && both),
  );
}
