/** The library as it is now; kept as it was while the host can't be reached. */
import { useEffect, useState } from 'react';
import { toSpillwayError } from '../../shared/errors.ts';
import { useConnection } from '../connection/HostProvider.tsx';
import { applyEvent, type Library, NO_LIBRARY } from './library-list.ts';

export function useLibrary(): { library: Library; problem: string | null } {
  const connection = useConnection();
  const [library, setLibrary] = useState<Library>(NO_LIBRARY);
  const [problem, setProblem] = useState<string | null>(null);
  useEffect(() => {
    if (!connection) return;
    setProblem(null);
    return connection.subscribe(
      'library',
      {},
      (event) => setLibrary((last) => applyEvent(last, event)),
      (error) => {
        const { code, message } = toSpillwayError(error);
        if (code !== 'cancelled') setProblem(message);
      },
    );
  }, [connection]);
  return { library, problem };
}
