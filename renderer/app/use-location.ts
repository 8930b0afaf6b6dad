/** Keeps what is shown in the address, for reload and the Back button. An artifact comes back as it was left. */
import { useCallback, useEffect, useRef, useState } from 'react';
import type { StreamName } from '../../shared/artifact.ts';
import type { SearchSettings } from '../search/bar/search-settings.ts';
import type { LineRange } from '../viewer/document/rows-view.ts';
import { START_OF_TEXT, type StreamChange, type ViewState } from '../viewer/view-state.ts';
import { type Address, formatHash, parseHash } from './location.ts';
import { VisitMemory } from './visit-memory.ts';

export interface Shown extends Address {
  /** Another number whenever it is to be shown anew. */
  visit: number;
  /** The artifact that is at its path now; another one once the file was replaced. */
  now: string | null;
  /** True to open the search bar. */
  searchOpen: boolean;
  /** The part of the text to show first. */
  view: ViewState;
}

export function useLocation() {
  const [memory] = useState(() => new VisitMemory());
  const [shown, setShown] = useState<Shown>(() => visited(parseHash(location.hash), 0));
  const current = useRef<Address>(shown);
  /** The stream shown before the present one. */
  const cameFrom = useRef<StreamName | null>(null);
  const searchOpen = useRef(shown.searchOpen);

  const rememberVisit = useCallback(() => {
    const { artifactId, stream, search } = current.current;
    if (artifactId !== null)
      memory.rememberVisit(artifactId, { stream, search: search ?? null, searchOpen: searchOpen.current });
  }, [memory]);

  const go = useCallback(
    (address: Address, how: 'push' | 'replace', part: Partial<Shown> = {}) => {
      rememberVisit();
      current.current = address;
      if (how === 'push') history.pushState(null, '', addressOf(address));
      else history.replaceState(null, '', addressOf(address));
      setShown((last) => ({ ...visited(address, last.visit + 1), ...part }));
    },
    [rememberVisit],
  );

  const open = useCallback(
    (
      artifactId: string,
      how: 'push' | 'replace' = 'push',
      line: number | null = null,
      range: LineRange | null = null,
    ) => {
      if (current.current.artifactId === artifactId) return;
      const visit = line === null && range === null ? memory.visit(artifactId) : null;
      if (!visit) {
        go({ artifactId, stream: null, line }, how, { view: { ...START_OF_TEXT, line, range } });
        return;
      }
      const { stream, search, searchOpen } = visit;
      const view = memory.view(artifactId, stream) ?? START_OF_TEXT;
      go({ artifactId, stream, line: view.line, search }, how, { view, searchOpen });
    },
    [go, memory],
  );

  /** Shows an artifact at a line, or with a search. */
  const show = useCallback(
    ({ artifactId, stream, line, search }: Address) => {
      const { current: now } = current;
      const kept = now.artifactId === artifactId ? now.search : null;
      go({ artifactId, stream, line, search: search ?? kept ?? null }, 'push');
    },
    [go],
  );

  /** Another stream of the same artifact, in which the search goes on. */
  const showStream = useCallback(
    (stream: StreamName, { from, moved, view: wanted }: StreamChange) => {
      const { artifactId } = current.current;
      const isBack = !moved && cameFrom.current === stream;
      cameFrom.current = from;
      const view = (isBack && artifactId && memory.view(artifactId, stream)) || wanted;
      const address = { ...current.current, stream, line: view.line };
      go(address, 'replace', { searchOpen: searchOpen.current, view });
    },
    [go, memory],
  );

  /** Called with what a stream showed when it is left. */
  const leave = useCallback(
    (artifactId: string, stream: StreamName | null, view: ViewState) =>
      memory.rememberView(artifactId, stream, view),
    [memory],
  );

  /** The shown file got another id. Only the address changes, so that a reload finds it. */
  const reportArtifact = useCallback((artifactId: string) => {
    if (current.current.artifactId === null || current.current.artifactId === artifactId) return;
    current.current = { ...current.current, artifactId };
    history.replaceState(null, '', addressOf(current.current));
    setShown((last) => ({ ...last, now: artifactId }));
  }, []);

  /** Only the address changes. */
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
      rememberVisit();
      const address = parseHash(location.hash);
      current.current = address;
      const view = address.artifactId === null ? null : memory.view(address.artifactId, address.stream);
      setShown((last) => ({ ...visited(address, last.visit + 1), ...(view ? { view } : {}) }));
    };
    window.addEventListener('popstate', onPopState);
    return () => window.removeEventListener('popstate', onPopState);
  }, [memory, rememberVisit]);

  return { shown, open, show, showStream, leave, reportArtifact, reportLine, reportSearch, reportSearchBar };
}

function visited(address: Address, visit: number): Shown {
  return {
    ...address,
    visit,
    now: address.artifactId,
    searchOpen: Boolean(address.search),
    view: { ...START_OF_TEXT, line: address.line },
  };
}

/** Without the token that the page was opened with: a cookie replaces it, and addresses are shared. */
function addressOf(address: Address): string {
  return `${location.pathname}${formatHash(address)}`;
}
