/** Asks before a command is stopped. */
import { useRef } from 'react';
import { Button } from '../../ui/controls/Button.tsx';
import { Dialog } from '../../ui/layout/Dialog.tsx';
import styles from './StopDialog.module.css';
import type { StopContext } from './use-stop.ts';

export function StopDialog({ stop, name }: { stop: StopContext; name: string }) {
  const keep = useRef<HTMLButtonElement>(null);
  const { asking } = stop;
  if (!asking) return null;
  const { plan, stopping, problem } = asking;
  return (
    <Dialog
      open
      onClose={stop.cancel}
      title="Stop this command?"
      initialFocus={keep}
      footer={
        <>
          <Button ref={keep} onClick={stop.cancel}>
            Let it run
          </Button>
          <Button tone="primary" disabled={stopping} onClick={stop.stop}>
            {stopping ? 'Stopping…' : 'Stop it'}
          </Button>
        </>
      }
    >
      <p className={styles.name}>{name}</p>
      <p>
        {plan.processes > 1 ? `Its ${plan.processes} processes get` : 'It gets'} SIGTERM, then SIGKILL after
        two seconds. What was printed stays.
      </p>
      {problem && (
        <p className={styles.problem} role="alert">
          {problem}
        </p>
      )}
    </Dialog>
  );
}
