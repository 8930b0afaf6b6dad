/** Messages from the host to every window, and requests to show an artifact. */
import { useCallback, useEffect, useRef, useState } from 'react';
import { useConnection } from '../connection/HostProvider.tsx';

export interface HostNotice {
  id: number;
  text: string;
}

/** More than these would push the text away. */
const MAX_MESSAGES = 3;

export function useNotices(open: (artifactId: string) => void) {
  const connection = useConnection();
  const [messages, setMessages] = useState<readonly HostNotice[]>([]);
  const lastId = useRef(0);

  const add = useCallback((text: string) => {
    lastId.current += 1;
    const id = lastId.current;
    setMessages((last) =>
      [...last.filter((message) => message.text !== text), { id, text }].slice(-MAX_MESSAGES),
    );
  }, []);

  useEffect(() => {
    if (!connection) return;
    const request = new AbortController();
    // Warnings about the settings or the home appear once, when the window opens.
    connection.request('hello', {}, { signal: request.signal }).then(
      (hello) => hello.warnings.forEach(add),
      () => {},
    );
    const unsubscribe = connection.subscribe('notices', {}, (notice) => {
      if (notice.type === 'show') open(notice.artifact_id);
      else add(notice.text);
    });
    return () => {
      request.abort();
      unsubscribe();
    };
  }, [connection, add, open]);

  const dismiss = useCallback((id: number) => {
    setMessages((last) => last.filter((message) => message.id !== id));
  }, []);
  return { messages, dismiss };
}
