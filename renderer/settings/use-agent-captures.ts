/** Holds the agents' directories found by the host, their switches, and whether their dialog is open. */
import { useCallback, useEffect, useRef, useState } from 'react';
import { toSpillwayError } from '../../shared/errors.ts';
import type { SourceChange, SourceInfo, SourceList } from '../../shared/sources.ts';
import { useConnection } from '../connection/HostProvider.tsx';

export interface CaptureSwitches {
  /** Null until the host answers. */
  list: SourceList | null;
  /** Why the last switch was not set. */
  problem: string | null;
  isOpen: boolean;
  /** Whether it opened automatically, as nothing was decided yet. */
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
  /** Ask only once, even if the decision can't be saved. */
  const asked = useRef(false);
  const latest = useRef(0);
  /** Begins a request. Returns a function that shows its answer, unless a newer request was made. */
  const answer = useCallback(() => {
    latest.current += 1;
    const mine = latest.current;
    return (told: SourceList) => {
      if (mine === latest.current) setList(told);
    };
  }, []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: asked for again when the switches are opened
  useEffect(() => {
    if (!connection) return;
    const request = new AbortController();
    const show = answer();
    const take = (told: SourceList) => {
      show(told);
      if (!told.undecided || asked.current) return;
      asked.current = true;
      setFirst(true);
      setOpen(true);
    };
    connection.request('sources', {}, { signal: request.signal }).then(take, () => {});
    return () => request.abort();
  }, [connection, isOpen, answer]);
  const set = useCallback(
    (change: SourceChange) => {
      if (!connection) return;
      setProblem(null);
      const show = answer();
      // Update at once, as the next click toggles the shown state.
      setList((known) => known && switched(known, change));
      connection.request('set_sources', change).then(show, (error: unknown) => {
        setProblem(toSpillwayError(error).message);
        connection.request('sources', {}).then(show, () => {});
      });
    },
    [connection, answer],
  );
  const show = useCallback(() => setOpen(true), []);
  const hide = useCallback(() => {
    setOpen(false);
    setFirst(false);
    const names = list?.sources.map(({ name }) => name) ?? [];
    // Closing the list without a change is also a decision.
    if (isFirst && names.length > 0) set({ names });
  }, [isFirst, list, set]);
  return { list, problem, isOpen, isFirst, set, show, hide };
}

function switched(list: SourceList, { names, enabled, mcp, rescue }: SourceChange): SourceList {
  const change = (one: SourceInfo): SourceInfo => ({
    ...one,
    enabled: enabled ?? one.enabled,
    mcp: mcp ?? one.mcp,
    rescue: rescue ?? one.rescue,
  });
  return { ...list, sources: list.sources.map((one) => (names.includes(one.name) ? change(one) : one)) };
}
