/** Signals that reach us on behalf of a command. */
import { inheritedIgnored } from '../recorder/command/inherited.ts';

const FORWARDED = ['SIGINT', 'SIGQUIT', 'SIGTERM', 'SIGHUP', 'SIGUSR1', 'SIGUSR2'] as const;

/**
 * Keeps us alive until the command has ended, and calls `told` with each signal. A signal that we were given ignored,
 * and that is not forwarded, stays ignored. Returns what stops it.
 */
export function forwardSignals(told: (signal: NodeJS.Signals) => unknown): () => void {
  const onSignal = (signal: NodeJS.Signals) => void told(signal);
  for (const signal of FORWARDED) process.on(signal, onSignal);
  const forwarded: readonly NodeJS.Signals[] = FORWARDED;
  const ignored = inheritedIgnored();
  for (const signal of ignored) if (!forwarded.includes(signal)) process.on(signal, () => {});
  return () => {
    // An ignored signal stays ignored until we have ended.
    for (const signal of FORWARDED) if (!ignored.includes(signal)) process.off(signal, onSignal);
  };
}
