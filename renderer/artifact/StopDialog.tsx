/** Asks before a command is stopped. */

import { useEffect, useRef, useState } from 'react';
import type { Artifact } from '../../shared/artifact.ts';
import { toSpillwayError } from '../../shared/errors.ts';
import type { StopPlan, StopResult } from '../../shared/lifecycle.ts';
import { useConnection } from '../connection/HostProvider.tsx';
import { Button } from '../ui/controls/Button.tsx';
import { Dialog } from '../ui/layout/Dialog.tsx';
import { Problem } from '../ui/layout/Message.tsx';
import styles from './ArtifactView.module.css';

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
      <p className={styles.dialogName}>{name}</p>
      <p>
        {plan.processes > 1 ? `Its ${plan.processes} processes get` : 'It gets'} SIGTERM, then SIGKILL after
        two seconds. What was printed stays.
      </p>
      <Problem text={problem} />
    </Dialog>
  );
}

/** Stops the shown command after a question, which says what will end; then reports the result. */
export interface StopContext {
  /** Whether the command can be stopped from here. */
  isAllowed: boolean;
  /** The open question; null without one. */
  asking: { plan: StopPlan; stopping: boolean; problem: string | null } | null;
  ask(): void;
  cancel(): void;
  stop(): void;
}

/** @param say shows a short message */
export function useStop(artifact: Artifact | null, say: (text: string) => void): StopContext {
  const connection = useConnection();
  const [plan, setPlan] = useState<StopPlan | null>(null);
  const [asking, setAsking] = useState<StopContext['asking']>(null);
  const id = artifact?.kind === 'cmd' && artifact.status === 'running' ? artifact.artifact_id : null;

  useEffect(() => {
    setPlan(null);
    if (!connection || id === null) return;
    const request = new AbortController();
    const { signal } = request;
    connection.request('stopPlan', { artifact_id: id }, { signal }).then(setPlan, () => {});
    return () => request.abort();
  }, [connection, id]);
  // The command has ended, so close the question.
  if (asking && id === null && !asking.stopping) setAsking(null);

  const ask = async () => {
    if (!connection || id === null) return;
    try {
      const now = await connection.request('stopPlan', { artifact_id: id });
      if (now.refused === null) setAsking({ plan: now, stopping: false, problem: null });
      else say(`It can’t be stopped from here: ${now.refused}`);
    } catch (error) {
      say(toSpillwayError(error).message);
    }
  };
  const stop = async () => {
    if (!connection || id === null || !asking) return;
    setAsking({ ...asking, stopping: true, problem: null });
    try {
      say(stoppedWords(await connection.request('stopCommand', { artifact_id: id })));
      setAsking(null);
    } catch (error) {
      setAsking({ ...asking, stopping: false, problem: toSpillwayError(error).message });
    }
  };
  return {
    isAllowed: plan !== null && plan.refused === null,
    asking,
    ask: () => void ask(),
    cancel: () => setAsking(null),
    stop: () => void stop(),
  };
}

/** Returns a sentence about how a stopped command ended. */
function stoppedWords({ status, exit_code, signal, killed, left }: StopResult): string {
  const rest = left === 0 ? '' : `; ${left === 1 ? 'one process' : `${left} processes`} could not be ended`;
  if (status === 'running') return `It was asked to stop, and is still running${rest}`;
  if (killed) return `Killed: it did not stop within 2 seconds of SIGTERM${rest}`;
  if (signal !== null) return `Stopped: ended by ${signal}${rest}`;
  return exit_code === 0
    ? `It ended by itself, with success${rest}`
    : `Stopped: it exited with ${exit_code}${rest}`;
}
