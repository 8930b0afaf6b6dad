/** Pins a capture, so that cleanup keeps it, or unpins it. For a file, keeps a pinned copy. */
import { useState } from 'react';
import type { Artifact } from '../../../shared/artifact.ts';
import { SpillwayError } from '../../../shared/errors.ts';
import { useConnection } from '../../connection/HostProvider.tsx';
import { Button } from '../../ui/controls/Button.tsx';
import styles from './PinButton.module.css';

export function PinButton({ artifact }: { artifact: Artifact }) {
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
