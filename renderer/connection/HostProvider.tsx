/** Gives every component the connection to the host, and whether there is one. */

import { createContext, type ReactNode, useContext, useEffect, useSyncExternalStore } from 'react';
import type { Connection } from '../../shared/api/api.ts';
import { Button } from '../ui/controls/Button.tsx';
import { Bar } from '../ui/layout/Message.tsx';
import { useNow } from '../ui/state/time.ts';
import type { HostLink, LinkState } from './host-link.ts';

const LinkContext = createContext<HostLink | null>(null);

export function HostProvider({ link, children }: { link: HostLink; children: ReactNode }) {
  useEffect(() => {
    link.start();
    return () => link.stop();
  }, [link]);
  return <LinkContext value={link}>{children}</LinkContext>;
}

function useLink(): LinkState & { tryNow(): void } {
  const link = useContext(LinkContext);
  if (!link) throw new Error('useLink outside HostProvider');
  const state = useSyncExternalStore(link.subscribe, link.state);
  return { ...state, tryNow: link.tryNow };
}

/** Null while the host can't be reached. */
export function useConnection(): Connection | null {
  return useLink().connection;
}

/** Says that the host can't be reached, what to do, and when the next attempt is. */
export function OfflineBar() {
  const { status, retryAt, wasOnline, tryNow } = useLink();
  const now = useNow(500, status === 'offline');
  if (status !== 'offline') return null;
  const seconds = retryAt === null ? 0 : Math.max(0, Math.ceil((retryAt - now) / 1000));
  return (
    <Bar tone="failed" word="Offline" actions={<Button onClick={tryNow}>Try now</Button>}>
      {wasOnline ? 'Spillway has stopped or can’t be reached.' : 'Spillway can’t be reached.'} Start it again
      with <code>npm start</code>
      {location.protocol === 'spillway:' ? '' : ' and open the address it prints, token included'}.{' '}
      {seconds > 0 ? `Next try in ${seconds} s.` : 'Trying…'}
    </Bar>
  );
}
