/** The agents' directories that the host found, their switches, and whether the switches are looked at. */
import { useCallback, useEffect, useRef, useState } from 'react';
import { toSpillwayError } from '../../shared/errors.ts';
import type { SourceChange, SourceList } from '../../shared/sources.ts';
import { useConnection } from '../connection/HostProvider.tsx';

export interface CaptureSwitches {
  /** Null until the host has told. */
  list: SourceList | null;
  /** Why the last switch was not set. */
  problem: string | null;
  isOpen: boolean;
  /** It opened by itself, as nobody has decided anything yet. */
  isFirst: boolean;
  set: (change: SourceChange) => void;
  show: () => void;
  hide: () => void;
}

export function useAgentCaptures(): CaptureSwitches {
  const connection = useConnection();
  const [list, setList] = useState<SourceList | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [isOpen, setOpen] = useState(false);
  const [isFirst, setFirst] = useState(false);
  /** Once, even where the decision can't be written. */
  const asked = useRef(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: asked for again when the switches are opened
  useEffect(() => {
    if (!connection) return;
    const request = new AbortController();
    const take = (told: SourceList) => {
      setList(told);
      if (!told.undecided || asked.current) return;
      asked.current = true;
      setFirst(true);
      setOpen(true);
    };
    connection.request('sources', {}, { signal: request.signal }).then(take, () => {});
    return () => request.abort();
  }, [connection, isOpen]);
  const set = useCallback(
    (change: SourceChange) => {
      setProblem(null);
      connection
        ?.request('set_sources', change)
        .then(setList, (error: unknown) => setProblem(toSpillwayError(error).message));
    },
    [connection],
  );
  const show = useCallback(() => setOpen(true), []);
  const hide = useCallback(() => {
    setOpen(false);
    setFirst(false);
    const names = list?.sources.map(({ name }) => name) ?? [];
    // A person who closes the list without a change has decided, too.
    if (isFirst && names.length > 0) set({ names });
  }, [isFirst, list, set]);
  return { list, problem, isOpen, isFirst, set, show, hide };
}
