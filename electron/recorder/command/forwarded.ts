/** The signals that `run` passes on to its command when it alone gets them. */
import { constants } from 'node:os';

/**
 * All that Node can handle, except those that Node needs itself (CHLD, PIPE, XFSZ), those that tell of a defect (ILL, BUS,
 * FPE, SEGV) and those that stop a process (TSTP, TTIN, TTOU). Some exist on Linux alone.
 */
export const FORWARDED: readonly NodeJS.Signals[] = [
  ...(['SIGHUP', 'SIGINT', 'SIGQUIT', 'SIGTERM', 'SIGUSR1', 'SIGUSR2', 'SIGALRM', 'SIGVTALRM'] as const),
  ...(['SIGPROF', 'SIGXCPU', 'SIGABRT', 'SIGTRAP', 'SIGSYS', 'SIGIO', 'SIGPWR', 'SIGSTKFLT'] as const),
  ...(['SIGWINCH', 'SIGCONT', 'SIGURG'] as const),
];

/** The same for the leader, which is a child of ours and runs on this system, too. */
export const FORWARDED_NUMBERS: readonly number[] = FORWARDED.flatMap(
  (name) => constants.signals[name] ?? [],
);
