/** Gives every component the connection to the host, and whether there is one. */
import { createContext, type ReactNode, useContext, useEffect, useSyncExternalStore } from 'react';
import type { Connection } from '../../shared/api/api.ts';
import type { HostLink, LinkState } from './host-link.ts';

const LinkContext = createContext<HostLink | null>(null);

export function HostProvider({ link, children }: { link: HostLink; children: ReactNode }) {
  useEffect(() => {
    link.start();
    return () => link.stop();
  }, [link]);
  return <LinkContext value={link}>{children}</LinkContext>;
}

export function useLink(): LinkState & { tryNow(): void } {
  const link = useContext(LinkContext);
  if (!link) throw new Error('useLink outside HostProvider');
  const state = useSyncExternalStore(link.subscribe, link.state);
  return { ...state, tryNow: link.tryNow };
}

/** Null while the host can't be reached. */
export function useConnection(): Connection | null {
  return useLink().connection;
}
