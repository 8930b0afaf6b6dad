/** Fetches the commands typed in a terminal, and again as it grows. */
import { useEffect, useRef, useState } from 'react';
import { type SpillwayError, toSpillwayError } from '../../shared/errors.ts';
import type { TypedCommand } from '../../shared/terminals.ts';
import { useConnection } from '../connection/HostProvider.tsx';

export interface TypedCommands {
  /** Newest first; null until they are known. */
  commands: readonly TypedCommand[] | null;
  /** The number of all commands, including older ones that are not in `commands`. */
  total: number;
  error: SpillwayError | null;
}

const MAX_COMMANDS = 500;
const ASK_AGAIN_MS = 300;

/** `revision` changes whenever there may be more. */
export function useTypedCommands(artifactId: string, revision: number): TypedCommands {
  const connection = useConnection();
  const [state, setState] = useState<TypedCommands>({ commands: null, total: 0, error: null });
  const timer = useRef<ReturnType<typeof setTimeout> | null>(null);

  // biome-ignore lint/correctness/useExhaustiveDependencies: another revision is asked for anew
  useEffect(() => {
    if (!connection) return;
    timer.current ??= setTimeout(
      () => {
        timer.current = null;
        connection.request('terminal_commands', { artifact_id: artifactId, limit: MAX_COMMANDS }).then(
          ({ commands, total }) => setState({ commands, total, error: null }),
          (error) => setState((last) => ({ ...last, error: toSpillwayError(error) })),
        );
      },
      state.commands === null ? 0 : ASK_AGAIN_MS,
    );
  }, [connection, artifactId, revision]);

  useEffect(
    () => () => {
      if (timer.current) clearTimeout(timer.current);
      timer.current = null;
    },
    [],
  );
  return state;
}
