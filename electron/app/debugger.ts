/**
 * Disables Node's debugger. SIGUSR1 makes Node listen on a port of 127.0.0.1, where any local user could run code in
 * our process.
 */

import { NO_DEBUGGER } from '../host/no-debugger.ts';

/** When to look again for a debugger that a signal before our first line asked for: it starts on another thread. */
const LOOK_AGAIN_MS = [0, 50, 1000];

/**
 * Keeps SIGUSR1 for the first who listens to it, and closes the debugger if the signal came earlier. Call it before
 * other modules load; a second call, perhaps from another bundle, does nothing. A debugger that `--inspect` opened stays
 * open.
 */
export function keepDebuggerShut(): void {
  if (process.listenerCount('SIGUSR1') > 0) return;
  process.on('SIGUSR1', keep);
  process.on('newListener', handOver);
  const isAsked = [...process.execArgv, process.env.NODE_OPTIONS ?? ''].some((words) => ASKED.test(words));
  if (isAsked) return;
  closeDebugger();
  for (const ms of LOOK_AGAIN_MS) setTimeout(closeDebugger, ms).unref();
}

const ASKED = /--inspect(?:-brk|-wait)?(?:=|\s|$)/;

let isKept = false;
let hasTaker = false;

function keep(): void {
  isKept = !hasTaker;
}

function handOver(name: string | symbol): void {
  if (name !== 'SIGUSR1') return;
  hasTaker = true;
  process.off('newListener', handOver);
  // Once the one who listens is on the list.
  if (isKept) queueMicrotask(() => process.emit('SIGUSR1', 'SIGUSR1'));
  isKept = false;
}

/** `node:inspector` has the same, but loading it costs each command that the launcher started a millisecond. */
function closeDebugger(): void {
  // Under the launcher's flag it never opens, so a signal that came cannot be told.
  const mayBeOpen = !process.execArgv.includes(NO_DEBUGGER[0]);
  // Nobody asked for it but the signal.
  if (mayBeOpen && process.getBuiltinModule?.('node:inspector').url()) process.emit('SIGUSR1', 'SIGUSR1');
  (process as { _debugEnd?: () => void })._debugEnd?.();
}
