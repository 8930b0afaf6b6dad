/** Asks the host what a choice would change, and makes that change once the person agrees. */
import { useEffect, useState } from 'react';
import type { ClientChange, ConnectResult } from '../../shared/agents/clients.ts';
import { toSpillwayError } from '../../shared/errors.ts';
import { useConnection } from '../connection/HostProvider.tsx';
import { sentence } from '../ui/words/format.ts';

type Choice = ClientChange extends infer Change
  ? Change extends unknown
    ? Omit<Change, 'agreed'>
    : never
  : never;

interface ChangeState {
  /** The change to agree to; null until it is known, and if it can't be made. */
  shown: ConnectResult | null;
  /** The change that was made. */
  done: ConnectResult | null;
  busy: boolean;
  problem: string | null;
  agree: () => void;
}

export function useChange(choice: Choice, onChanged: () => void): ChangeState {
  const connection = useConnection();
  const [shown, setShown] = useState<ConnectResult | null>(null);
  const [done, setDone] = useState<ConnectResult | null>(null);
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const asked = JSON.stringify(choice);

  useEffect(() => {
    if (!connection) return;
    const controller = new AbortController();
    setShown(null);
    setProblem(null);
    connection
      .request('change_client', { ...(JSON.parse(asked) as Choice), agreed: null } as ClientChange, {
        signal: controller.signal,
      })
      .then(setShown, (error) => {
        if (!controller.signal.aborted) setProblem(sentence(toSpillwayError(error).message));
      });
    return () => controller.abort();
  }, [connection, asked]);

  const agree = () => {
    if (!connection || !shown || busy) return;
    setBusy(true);
    setProblem(null);
    connection
      .request('change_client', { ...choice, agreed: shown.change_id } as ClientChange)
      .then(
        (result) => {
          setDone(result);
          onChanged();
        },
        (error) => setProblem(sentence(toSpillwayError(error).message)),
      )
      .finally(() => setBusy(false));
  };
  return { shown, done, busy, problem, agree };
}
