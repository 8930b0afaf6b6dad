/** The artifact that is shown, kept in the address, so that reload and the browser's back button work. */
import { useCallback, useEffect, useRef, useState } from 'react';
import type { StreamName } from '../../shared/artifact.ts';
import type { SearchSettings } from '../search/search-settings.ts';
import { formatHash, type Place, parseHash } from './location.ts';

export interface Shown extends Place {
  /** Another number whenever it is to be shown anew. */
  visit: number;
}

export function useLocation() {
  const [shown, setShown] = useState<Shown>(() => ({ ...parseHash(location.hash), visit: 0 }));
  const current = useRef<Place>(shown);

  const go = useCallback((place: Place, how: 'push' | 'replace') => {
    current.current = place;
    if (how === 'push') history.pushState(null, '', addressOf(place));
    else history.replaceState(null, '', addressOf(place));
    setShown((last) => ({ ...place, visit: last.visit + 1 }));
  }, []);

  const open = useCallback(
    (artifactId: string, how: 'push' | 'replace' = 'push') => {
      if (current.current.artifactId !== artifactId) go({ artifactId, stream: null, line: null }, how);
    },
    [go],
  );

  const showStream = useCallback(
    (stream: StreamName) => go({ ...current.current, stream, line: null }, 'replace'),
    [go],
  );

  /** Only the address changes: what is shown is there already. */
  const reportLine = useCallback((line: number) => {
    if (current.current.artifactId === null || current.current.line === line) return;
    current.current = { ...current.current, line };
    history.replaceState(null, '', addressOf(current.current));
  }, []);

  const reportSearch = useCallback((search: SearchSettings | null) => {
    if (current.current.artifactId === null) return;
    current.current = { ...current.current, search };
    history.replaceState(null, '', addressOf(current.current));
  }, []);

  useEffect(() => {
    const onPopState = () => {
      const place = parseHash(location.hash);
      current.current = place;
      setShown((last) => ({ ...place, visit: last.visit + 1 }));
    };
    window.addEventListener('popstate', onPopState);
    return () => window.removeEventListener('popstate', onPopState);
  }, []);

  return { shown, open, showStream, reportLine, reportSearch };
}

/** Without the token the page was opened with: a cookie stands for it now, and addresses get shown and shared. */
function addressOf(place: Place): string {
  return `${location.pathname}${formatHash(place)}`;
}
