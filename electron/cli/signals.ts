/** Signals that reach us on behalf of a command: passed on when they reached us alone, and never twice. */
import { closeSync, constants, openSync, readFileSync } from 'node:fs';

/** Those of the keyboard: a terminal sends them to everything in its foreground. */
const KEYS = ['SIGINT', 'SIGQUIT'] as const;
const OTHERS = ['SIGTERM', 'SIGHUP', 'SIGUSR1', 'SIGUSR2'] as const;

/**
 * Whether a terminal's keys reach us, and so everything in our process group. A command then stays in our group, so that
 * it can read that terminal; and what the terminal sends to us it has got already.
 */
export function isInForeground(): boolean {
  if (process.platform === 'win32') return false;
  try {
    closeSync(openSync('/dev/tty', constants.O_RDONLY | constants.O_NOCTTY | constants.O_NONBLOCK));
  } catch {
    return false;
  }
  try {
    const stat = readFileSync('/proc/self/stat', 'latin1');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return fields[2] === fields[5];
  } catch {
    return true;
  }
}

/**
 * Keeps us alive until the command has ended. `sharesKeys`: whether what the keyboard sends to us has reached the command,
 * too. The result stops it.
 */
export function forwardSignals(
  pass: (signal: NodeJS.Signals) => unknown,
  sharesKeys: () => boolean,
): () => void {
  const onKey = (signal: NodeJS.Signals) => {
    if (!sharesKeys()) pass(signal);
  };
  const onOther = (signal: NodeJS.Signals) => pass(signal);
  for (const signal of KEYS) process.on(signal, onKey);
  for (const signal of OTHERS) process.on(signal, onOther);
  return () => {
    for (const signal of KEYS) process.off(signal, onKey);
    for (const signal of OTHERS) process.off(signal, onOther);
  };
}
