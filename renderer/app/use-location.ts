/** The artifact that is shown, kept in the address, so that reload and the browser's back button work. */
import { useCallback, useEffect, useRef, useState } from 'react';
import type { StreamName } from '../../shared/artifact.ts';
import type { SearchSettings } from '../search/search-settings.ts';
import type { LineRange } from '../viewer/use-viewer.ts';
import { formatHash, type Place, parseHash } from './location.ts';

export interface Shown extends Place {
  /** Another number whenever it is to be shown anew. */
  visit: number;
  /** The artifact that is at its path now: another one once the file was replaced. */
  now: string | null;
  /** The line to search with. */
  searchOpen: boolean;
  /** Only these lines of it, to begin with. */
  range: LineRange | null;
}

export function useLocation() {
  const [shown, setShown] = useState<Shown>(() => visited(parseHash(location.hash), 0));
  const current = useRef<Place>(shown);
  const searchOpen = useRef(shown.searchOpen);

  const go = useCallback((place: Place, how: 'push' | 'replace', part: Partial<Shown> = {}) => {
    current.current = place;
    if (how === 'push') history.pushState(null, '', addressOf(place));
    else history.replaceState(null, '', addressOf(place));
    setShown((last) => ({ ...visited(place, last.visit + 1), ...part }));
  }, []);

  const open = useCallback(
    (
      artifactId: string,
      how: 'push' | 'replace' = 'push',
      line: number | null = null,
      range: LineRange | null = null,
    ) => {
      if (current.current.artifactId !== artifactId) go({ artifactId, stream: null, line }, how, { range });
    },
    [go],
  );

  const showStream = useCallback(
    (stream: StreamName) =>
      // The search goes on in it, and its line stays as it was left.
      go({ ...current.current, stream, line: null }, 'replace', { searchOpen: searchOpen.current }),
    [go],
  );

  /** The same file under another id: it goes on being shown, and a reload finds it. */
  const reportArtifact = useCallback((artifactId: string) => {
    if (current.current.artifactId === null || current.current.artifactId === artifactId) return;
    current.current = { ...current.current, artifactId };
    history.replaceState(null, '', addressOf(current.current));
    setShown((last) => ({ ...last, now: artifactId }));
  }, []);

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

  const reportSearchLine = useCallback((open: boolean) => {
    searchOpen.current = open;
  }, []);

  useEffect(() => {
    const onPopState = () => {
      const place = parseHash(location.hash);
      current.current = place;
      setShown((last) => visited(place, last.visit + 1));
    };
    window.addEventListener('popstate', onPopState);
    return () => window.removeEventListener('popstate', onPopState);
  }, []);

  return { shown, open, showStream, reportArtifact, reportLine, reportSearch, reportSearchLine };
}

function visited(place: Place, visit: number): Shown {
  return { ...place, visit, now: place.artifactId, searchOpen: Boolean(place.search), range: null };
}

/** Without the token the page was opened with: a cookie stands for it now, and addresses get shown and shared. */
function addressOf(place: Place): string {
  return `${location.pathname}${formatHash(place)}`;
}
