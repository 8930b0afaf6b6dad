/** Lists the opened paths that the host remembers, removes them, and lets agents read them. */
import { useCallback, useEffect, useState } from 'react';
import type { OpenedSource } from '../../../shared/api/api.ts';
import { toSpillwayError } from '../../../shared/errors.ts';
import { useConnection } from '../../connection/HostProvider.tsx';
import { sentence } from '../../ui/words/format.ts';

export interface OpenedSourcesState {
  /** Null until the host answers. */
  sources: readonly OpenedSource[] | null;
  problem: string | null;
  remove: (path: string) => void;
  letAgents: (path: string, agents: boolean) => void;
}

export function useOpenedSources(): OpenedSourcesState {
  const connection = useConnection();
  const [sources, setSources] = useState<readonly OpenedSource[] | null>(null);
  const [problem, setProblem] = useState<string | null>(null);

  const change = useCallback(
    async (first: () => Promise<unknown>) => {
      if (!connection) return;
      try {
        await first();
        setSources((await connection.request('opened_sources', {})).sources);
        setProblem(null);
      } catch (error) {
        const { code, message } = toSpillwayError(error);
        if (code !== 'cancelled') setProblem(sentence(message));
      }
    },
    [connection],
  );
  useEffect(() => void change(async () => {}), [change]);

  const remove = (path: string) => void change(async () => connection?.request('remove_source', { path }));
  const letAgents = (path: string, agents: boolean) =>
    void change(async () => connection?.request('open_path', { path, agents }));
  return { sources, problem, remove, letAgents };
}
