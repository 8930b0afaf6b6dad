/** Pins a capture, so that it stays when others are cleaned up; and lets it go again. */
import { useState } from 'react';
import type { Artifact } from '../../../shared/artifact.ts';
import { SpillwayError } from '../../../shared/errors.ts';
import { useConnection } from '../../connection/HostProvider.tsx';
import { Button } from '../../ui/controls/Button.tsx';
import styles from './PinButton.module.css';

export function PinButton({ artifact }: { artifact: Artifact }) {
  const connection = useConnection();
  const [problem, setProblem] = useState<string | null>(null);
  const { artifact_id, pinned } = artifact;
  const toggle = () => {
    setProblem(null);
    // The library tells when it is so.
    connection?.request(pinned ? 'unpin' : 'pin', { artifact_id }).catch((error: unknown) => {
      if (!(error instanceof SpillwayError && error.code === 'cancelled'))
        setProblem(String((error as Error).message));
    });
  };
  return (
    <span className={styles.pin}>
      <Button
        icon="pin"
        pressed={pinned}
        disabled={connection === null}
        title={pinned ? 'It stays when others are cleaned up' : 'Keep it when others are cleaned up'}
        onClick={toggle}
      >
        {pinned ? 'Pinned' : 'Pin'}
      </Button>
      {problem !== null && <span role="alert">{problem}</span>}
    </span>
  );
}
