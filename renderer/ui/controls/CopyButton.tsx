/** A button that copies a short text and confirms it. */
import { useEffect, useState } from 'react';
import { writeClipboard } from '../state/clipboard.ts';
import { Button } from './Button.tsx';

const LOOKS = {
  copied: { icon: 'check', label: 'Copied' },
  failed: { icon: 'cross', label: 'Not allowed to copy' },
} as const;

export function CopyButton({ text, label }: { text: string; label: string }) {
  const [said, setSaid] = useState<'copied' | 'failed' | null>(null);
  useEffect(() => {
    if (!said) return;
    const timer = setTimeout(() => setSaid(null), 2000);
    return () => clearTimeout(timer);
  }, [said]);
  const copy = () =>
    writeClipboard(text).then(
      () => setSaid('copied'),
      () => setSaid('failed'),
    );
  const look = said ? LOOKS[said] : ({ icon: 'copy', label } as const);
  return <Button tone="quiet" {...look} iconOnly onClick={copy} />;
}
