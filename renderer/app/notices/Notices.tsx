import { Bar } from '../../ui/layout/Bar.tsx';
import type { HostNotice } from './use-notices.ts';

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
