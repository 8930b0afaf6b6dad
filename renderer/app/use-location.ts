/** The artifact that is shown, kept in the address, so that reload and the browser's back button work. */
import { useCallback, useEffect, useRef, useState } from 'react';
import type { StreamName } from '../../shared/artifact.ts';
import type { SearchSettings } from '../search/search-settings.ts';
import type { LineRange } from '../viewer/document/rows-view.ts';
import { type Address, formatHash, parseHash } from './location.ts';

export interface Shown extends Address {
  /** Another number whenever it is to be shown anew. */
  visit: number;
  /** The artifact that is at its path now; another one once the file was replaced. */
  now: string | null;
  /** The line to search with. */
  searchOpen: boolean;
  /** Only these lines of it, to begin with. */
  range: LineRange | null;
}

export function useLocation() {
  const [shown, setShown] = useState<Shown>(() => visited(parseHash(location.hash), 0));
  const current = useRef<Address>(shown);
  const searchOpen = useRef(shown.searchOpen);

  const go = useCallback((address: Address, how: 'push' | 'replace', part: Partial<Shown> = {}) => {
    current.current = address;
    if (how === 'push') history.pushState(null, '', addressOf(address));
    else history.replaceState(null, '', addressOf(address));
    setShown((last) => ({ ...visited(address, last.visit + 1), ...part }));
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

  const reportSearchBar = useCallback((open: boolean) => {
    searchOpen.current = open;
  }, []);

  useEffect(() => {
    const onPopState = () => {
      const address = parseHash(location.hash);
      current.current = address;
      setShown((last) => visited(address, last.visit + 1));
    };
    window.addEventListener('popstate', onPopState);
    return () => window.removeEventListener('popstate', onPopState);
  }, []);

  return { shown, open, showStream, reportArtifact, reportLine, reportSearch, reportSearchBar };
}

function visited(address: Address, visit: number): Shown {
  return { ...address, visit, now: address.artifactId, searchOpen: Boolean(address.search), range: null };
}

/** Without the token the page was opened with: a cookie stands for it now, and addresses get shown and shared. */
function addressOf(address: Address): string {
  return `${location.pathname}${formatHash(address)}`;
}
