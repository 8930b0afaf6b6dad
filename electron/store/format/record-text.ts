/**
 * Writes records as text without secrets: a token in a command line, or in the line that explains a failure, is in no
 * file beside the stream. Nothing runs a command again by its record, and runs are told apart by it as before, since a
 * mask is as long as the secret.
 */
import { usualSecrets } from '../../../shared/secrets/mask.ts';
import type { CaptureRecord } from './record.ts';

export function recordText(record: CaptureRecord): string {
  const mask = (text: string) => usualSecrets.mask(text).text;
  const [command, ...args] = maskedWords([record.command ?? '', ...(record.args ?? [])]);
  return JSON.stringify({
    ...record,
    label: mask(record.label),
    command: record.command === null ? null : command!,
    args: record.args === null ? null : args,
    warnings: record.warnings.map(mask),
    ...(record.cause ? { cause: { ...record.cause, text: mask(record.cause.text) } } : {}),
  } satisfies CaptureRecord);
}

/** Masks words as one line: `--token`, `abc123` are two. */
export function maskedWords(words: readonly string[]): string[] {
  const text = words.join(' ');
  const masked = usualSecrets.mask(text).text;
  if (masked === text) return [...words];
  let at = 0;
  return words.map((word) => {
    const shown = masked.slice(at, at + word.length);
    at += word.length + 1;
    return shown;
  });
}
