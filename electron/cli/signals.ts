/** Signals that reach us on behalf of a command: passed on when they reached us alone, and never twice. */

/** Signals of the keyboard: a terminal sends them to its foreground process group. */
const KEYS = ['SIGINT', 'SIGQUIT'] as const;
const OTHERS = ['SIGTERM', 'SIGHUP', 'SIGUSR1', 'SIGUSR2'] as const;

/**
 * Keeps us alive until the command ends. `sharesKeys`: the command gets the keyboard's signals as well, and `told` learns
 * that. Returns a function that stops it.
 */
export function forwardSignals(
  told: (signal: NodeJS.Signals, isThere: boolean) => unknown,
  sharesKeys: () => boolean,
): () => void {
  const onKey = (signal: NodeJS.Signals) => told(signal, sharesKeys());
  const onOther = (signal: NodeJS.Signals) => told(signal, false);
  for (const signal of KEYS) process.on(signal, onKey);
  for (const signal of OTHERS) process.on(signal, onOther);
  return () => {
    for (const signal of KEYS) process.off(signal, onKey);
    for (const signal of OTHERS) process.off(signal, onOther);
  };
}
