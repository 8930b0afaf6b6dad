/** Shows how long a command has been running, updated every second, or how long it took. */
import { useEffect, useState } from 'react';
import type { Artifact } from '../../../shared/artifact.ts';
import { formatDuration } from '../../../shared/text/format.ts';
import { formatElapsed } from '../../ui/words/format.ts';

export function Elapsed({ artifact, className }: { artifact: Artifact; className: string | undefined }) {
  const { status, started_at, duration_ms } = artifact;
  const running = status === 'running';
  const now = useSeconds(running);
  if (!running)
    return duration_ms === null ? null : (
      <span className={className}>took {formatDuration(duration_ms)}</span>
    );
  const since = Date.parse(started_at ?? '');
  return (
    <span className={className} data-status="running">
      running{Number.isNaN(since) ? '' : ` ${formatElapsed(now - since)}`}
    </span>
  );
}

/** Milliseconds since 1970, updated every second while `active`. */
function useSeconds(active: boolean): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    if (!active) return;
    setNow(Date.now());
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, [active]);
  return now;
}
