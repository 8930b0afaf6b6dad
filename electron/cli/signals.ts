/** Forwards signals that we receive to a command. */

import { inheritedIgnored } from '../recorder/command/inherited.ts';
import { FORWARDED } from '../recorder/command/leader-script.ts';

/**
 * Calls `told` with each signal until the command ends, and survives it. A signal that was ignored when we
 * started, and that is not forwarded, stays ignored. Returns a function that stops forwarding.
 */
export function forwardSignals(told: (signal: NodeJS.Signals) => unknown): () => void {
  const onSignal = (signal: NodeJS.Signals) => void told(signal);
  for (const signal of FORWARDED) process.on(signal, onSignal);
  const ignored = inheritedIgnored();
  for (const signal of ignored) if (!FORWARDED.includes(signal)) process.on(signal, () => {});
  return () => {
    // Signals that were ignored when we started stay ignored until we exit.
    for (const signal of FORWARDED) if (!ignored.includes(signal)) process.off(signal, onSignal);
  };
}
