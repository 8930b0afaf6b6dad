/** How long ago, with the exact time on hover. */
import { useSyncExternalStore } from 'react';
import { formatAge, formatExact } from './format.ts';

export function Age({ iso }: { iso: string }) {
  const now = useSyncExternalStore(subscribe, minute);
  const time = Date.parse(iso);
  return (
    <time dateTime={iso} title={formatExact(iso)}>
      {Number.isNaN(time) ? iso : formatAge(time, Math.max(now, time))}
    </time>
  );
}

const EVERY = 30_000;

function minute(): number {
  return Math.floor(Date.now() / EVERY) * EVERY;
}

const listeners = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | undefined;

/** One timer for however many ages are shown. */
function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  timer ??= setInterval(() => {
    for (const each of [...listeners]) each();
  }, EVERY);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}
