/** Messages from the host to every window, and its requests to show an artifact. */

import { useCallback, useEffect, useRef, useState } from 'react';
import type { StreamName } from '../../shared/artifact.ts';
import { useConnection } from '../connection/HostProvider.tsx';
import { Bar } from '../ui/layout/Message.tsx';
import { sentence } from '../ui/text/format.ts';

interface NoticesProps {
  messages: readonly HostNotice[];
  dismiss: (id: number) => void;
}

export function Notices({ messages, dismiss }: NoticesProps) {
  return messages.map((message) => (
    <Bar
      key={message.id}
      tone={message.isWarning ? 'warned' : 'informed'}
      word={message.isWarning ? 'Warning' : 'Note'}
      onDismiss={() => dismiss(message.id)}
    >
      {message.text}
    </Bar>
  ));
}

/** Messages from the host to every window, and requests to show an artifact. */
interface HostNotice {
  id: number;
  text: string;
  /** Whether it reports a problem with the settings, the home or a source. */
  isWarning: boolean;
}

/** More would push the text away. */
const MAX_MESSAGES = 3;

export function useNotices(
  open: (artifactId: string, stream: StreamName | null, line: number | null) => void,
) {
  const connection = useConnection();
  const [messages, setMessages] = useState<readonly HostNotice[]>([]);
  const lastId = useRef(0);

  const add = useCallback((said: string, isWarning: boolean) => {
    const text = sentence(said);
    lastId.current += 1;
    const id = lastId.current;
    setMessages((last) =>
      [...last.filter((message) => message.text !== text), { id, text, isWarning }].slice(-MAX_MESSAGES),
    );
  }, []);

  useEffect(() => {
    if (!connection) return;
    const request = new AbortController();
    // Warnings about the settings, the home or sources appear once, when the window opens.
    connection.request('hello', {}, { signal: request.signal }).then(
      ({ warnings }) => {
        for (const text of warnings) add(text, true);
      },
      () => {},
    );
    const unsubscribe = connection.subscribe('notices', {}, (notice) => {
      if (notice.type === 'show') open(notice.artifact_id, notice.stream ?? null, notice.line ?? null);
      else if (notice.type === 'message') add(notice.text, false);
      else if (notice.type === 'over')
        setMessages((last) => last.filter(({ text }) => text !== sentence(notice.text)));
    });
    return () => {
      request.abort();
      unsubscribe();
    };
  }, [connection, add, open]);

  const dismiss = useCallback((id: number) => {
    setMessages((last) => last.filter((message) => message.id !== id));
  }, []);
  return { messages, add, dismiss };
}
