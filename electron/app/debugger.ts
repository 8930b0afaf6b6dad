/**
 * Disables Node's debugger. SIGUSR1 makes Node listen on a port of 127.0.0.1, where any local user could run code in
 * our process.
 */

/** When to look again for a debugger that a signal before our first line asked for: it starts on another thread. */
const LOOK_AGAIN_MS = [0, 50, 1000];

/**
 * Ignores SIGUSR1, and closes the debugger if the signal came earlier. Call it first. A debugger that `--inspect`
 * opened stays open.
 */
export function keepDebuggerShut(): void {
  process.off('SIGUSR1', ignore).on('SIGUSR1', ignore);
  const isAsked = [...process.execArgv, process.env.NODE_OPTIONS ?? ''].some((words) => ASKED.test(words));
  if (isAsked) return;
  closeDebugger();
  for (const ms of LOOK_AGAIN_MS) setTimeout(closeDebugger, ms).unref();
}

const ASKED = /--inspect(?:-brk|-wait)?(?:=|\s|$)/;

function ignore(): void {}

/** `node:inspector` has the same, but loading it costs each command a millisecond. */
function closeDebugger(): void {
  (process as { _debugEnd?: () => void })._debugEnd?.();
}
