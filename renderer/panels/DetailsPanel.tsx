/** Shows all facts about an artifact, and pins it. */

import { memo, type ReactNode, useState } from 'react';
import { agentName } from '../../shared/agent-names.ts';
import type { Artifact, Stream, StreamName } from '../../shared/artifact.ts';
import { SpillwayError } from '../../shared/errors.ts';
import { commandLine, escapeControls } from '../../shared/text/escape.ts';
import { formatBytes, formatCount, formatDuration } from '../../shared/text/format.ts';
import { useConnection } from '../connection/HostProvider.tsx';
import { isPlainFile, kindOf } from '../library/artifact-facts.ts';
import { StatusWord } from '../library/list/StatusWord.tsx';
import { Button, CopyButton } from '../ui/controls/Button.tsx';
import { formatBytesExactly, formatExact } from '../ui/text/format.ts';
import { Age, Facts } from '../ui/text/MiddleText.tsx';
import styles from './DetailsPanel.module.css';

interface DetailsPanelProps {
  artifact: Artifact;
  /** The shown stream, and its lines counted so far. */
  shown: StreamName | null;
  counted: number;
}

export const DetailsPanel = memo(function DetailsPanel({ artifact, shown, counted }: DetailsPanelProps) {
  const plainFile = isPlainFile(artifact);
  const made = typeof artifact.origin === 'string' ? null : artifact.origin;
  const command = artifact.command && commandLine(artifact.command, artifact.args ?? []);
  return (
    <div className={styles.details}>
      <Facts
        facts={[
          ['Kind', kindOf(artifact).word],
          ['Status', plainFile ? null : <StatusWord key="status" artifact={artifact} />],
          ['Command', command && copyable(command, 'Copy the command')],
          ['Folder', artifact.cwd && copyable(artifact.cwd, 'Copy the path of the folder')],
          [plainFile ? 'Created' : 'Started', time(artifact.started_at)],
          [plainFile ? 'Changed' : 'Ended', time(artifact.ended_at)],
          ['Took', artifact.duration_ms === null ? null : formatDuration(artifact.duration_ms)],
          ['Agent', artifact.agent && agentName(artifact.agent.name).title],
          ['Project', artifact.agent?.project ?? null],
          ['Agent’s session', artifact.agent?.session ?? null],
          ['Process', artifact.agent?.pid ? String(artifact.agent.pid) : null],
          ['Kept by the agent', keptBy(artifact)],
          [
            'Copy of',
            typeof artifact.origin === 'string' ? copyable(artifact.origin, 'Copy the path') : null,
          ],
          ['Machine', made?.host],
          ['CI job', made?.job && copyable(made.job, 'Copy the link')],
          ['Commit', made?.commit && copyable(made.commit, 'Copy the commit')],
          ['Branch', made?.branch],
          ['Session', artifact.session],
          ['Source', artifact.agent && artifact.kind === 'file' ? null : artifact.source],
          ['Id', copyable(artifact.artifact_id, 'Copy the id')],
          ['Expires', artifact.expires_at && formatExact(artifact.expires_at)],
          [
            artifact.kind === 'file' ? 'Keep' : 'Pinned',
            <PinButton key={artifact.artifact_id} artifact={artifact} />,
          ],
          ['Variables', artifact.env_names?.join(', ')],
        ]}
      />
      {artifact.streams.map((stream) => (
        <section key={stream.name} className={styles.stream}>
          <h3>{stream.name}</h3>
          <Facts
            facts={[
              ['Path', stream.file_path && copyable(stream.file_path, 'Copy the path')],
              ['Size', formatBytesExactly(stream.total_bytes)],
              ['Lines', linesOf(stream, stream.name === shown ? counted : 0, artifact.status === 'running')],
              ['Not kept', stream.dropped_bytes > 0 ? formatBytes(stream.dropped_bytes) : null],
              ['Content', stream.content_type === 'unknown' ? null : stream.content_type],
            ]}
          />
        </section>
      ))}
      {artifact.warnings.length > 0 && (
        <section className={styles.stream}>
          <h3>Warnings</h3>
          <ul>
            {artifact.warnings.map((warning) => (
              <li key={warning}>{escapeControls(warning)}</li>
            ))}
          </ul>
        </section>
      )}
    </div>
  );
});

/** While a stream grows, only what somebody looks at is counted: the text on the screen, or a file. */
function linesOf({ total_lines }: Stream, counted: number, isRunning: boolean): string {
  if (total_lines !== null && !isRunning) return formatCount(total_lines);
  const known = Math.max(total_lines ?? 0, counted);
  if (known > 0) return `${formatCount(known)} so far`;
  return isRunning ? 'counted when the command ends' : 'not counted yet';
}

function keptBy({ agent }: Artifact): string | null {
  if (agent === null || agent.truncated === null) return null;
  return agent.truncated ? 'a part of the output' : 'the whole output';
}

function copyable(text: string, label: string): ReactNode {
  return (
    <span className={styles.copyable}>
      <code>{escapeControls(text)}</code>
      <CopyButton text={text} label={label} />
    </span>
  );
}

function time(iso: string | null): ReactNode {
  return iso === null ? null : (
    <>
      {formatExact(iso)}{' '}
      <span className={styles.age}>
        (<Age iso={iso} />)
      </span>
    </>
  );
}

/** Pins a capture, so that cleanup keeps it, or unpins it. For a file, keeps a pinned copy. */
function PinButton({ artifact }: { artifact: Artifact }) {
  const connection = useConnection();
  const [problem, setProblem] = useState<string | null>(null);
  const [copy, setCopy] = useState<'none' | 'under way' | 'kept'>('none');
  const { artifact_id, pinned } = artifact;
  const isFile = artifact.kind === 'file';
  const toggle = async () => {
    setProblem(null);
    if (isFile) setCopy('under way');
    try {
      // The library reports a pinned capture. A file does not change: its copy is another row.
      await connection?.request(pinned ? 'unpin' : 'pin', { artifact_id });
      if (isFile) setCopy('kept');
    } catch (error) {
      setCopy('none');
      if (!(error instanceof SpillwayError && error.code === 'cancelled'))
        setProblem(String((error as Error).message));
    }
  };
  return (
    <span className={styles.pin}>
      <Button
        icon="pin"
        pressed={pinned}
        disabled={connection === null || copy === 'under way'}
        title={titleOf(artifact)}
        onClick={() => void toggle()}
      >
        {isFile ? 'Pin a copy' : pinned ? 'Pinned' : 'Pin'}
      </Button>
      {copy === 'under way' && <span role="status">Copying…</span>}
      {copy === 'kept' && <span role="status">A copy is kept among the captures</span>}
      {problem !== null && <span role="alert">{problem}</span>}
    </span>
  );
}

function titleOf({ kind, pinned }: Artifact): string {
  if (kind === 'file') return 'Keep a copy, also when the file is changed or deleted';
  return pinned ? 'It stays when others are cleaned up' : 'Keep it when others are cleaned up';
}
