/** A button that copies a short text and confirms it. */
import { useEffect, useState } from 'react';
import { writeClipboard } from '../state/clipboard.ts';
import { Button } from './Button.tsx';

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
  const word = said === 'copied' ? 'Copied' : said === 'failed' ? 'Not allowed to copy' : label;
  return (
    <Button
      tone="quiet"
      icon={said === 'copied' ? 'check' : said === 'failed' ? 'cross' : 'copy'}
      iconOnly
      label={word}
      onClick={copy}
    />
  );
}
