/** Provides the highlights of texts to all rows below it. */
import { type ReactNode, useEffect, useState } from 'react';
import { useConnection } from '../connection/HostProvider.tsx';
import { keepHighlighters } from './highlighters.ts';
import { TextHighlights } from './text-highlights.ts';
import { Highlights } from './use-highlights.ts';

export function HighlightProvider({ children }: { children: ReactNode }) {
  const connection = useConnection();
  const [highlights, setHighlights] = useState<TextHighlights | null>(null);
  useEffect(() => {
    if (!connection) return;
    const stopKeeping = keepHighlighters(connection);
    const next = new TextHighlights(connection);
    setHighlights(next);
    return () => {
      stopKeeping();
      next.close();
    };
  }, [connection]);
  return <Highlights.Provider value={highlights}>{children}</Highlights.Provider>;
}
